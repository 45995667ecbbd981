//! Sampling values: none is sent unless the user, or the table of model families, says so.
//!
//! The table holds what each family's makers recommend for their own model. A model that is not in it is left to its
//! server, whose defaults may come from the model's own file.

use crate::limits::{TEMPERATURE_MAX, TEMPERATURE_RAISED_BY, TEMPERATURE_USUAL};

/// What is sent about sampling; what is absent is the server's own.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sampling {
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub top_k: Option<i64>,
    pub min_p: Option<f64>,
}

impl Sampling {
    /// For the second try after a text loop.
    pub fn raised(self) -> Sampling {
        let base = self.temperature.unwrap_or(TEMPERATURE_USUAL);
        // In hundredths: a sum of binary fractions would not be written as it is meant.
        let raised = ((base + TEMPERATURE_RAISED_BY) * 100.0).round() / 100.0;
        Sampling { temperature: Some(raised.min(TEMPERATURE_MAX)), ..self }
    }

    /// These values, and the others' where there are none.
    pub fn or(self, others: Sampling) -> Sampling {
        Sampling {
            temperature: self.temperature.or(others.temperature),
            top_p: self.top_p.or(others.top_p),
            top_k: self.top_k.or(others.top_k),
            min_p: self.min_p.or(others.min_p),
        }
    }

    /// Without the values that only local servers know.
    pub fn plain(self) -> Sampling {
        Sampling { top_k: None, min_p: None, ..self }
    }
}

/// All words must be in the model's name, without regard to case and to `-`, `_`, `.`; the first that fits counts.
struct Family {
    words: &'static [&'static str],
    sampling: Sampling,
}

const fn family(
    words: &'static [&'static str],
    temperature: f64,
    top_p: Option<f64>,
    top_k: Option<i64>,
) -> Family {
    Family { words, sampling: Sampling { temperature: Some(temperature), top_p, top_k, min_p: None } }
}

const FAMILIES: [Family; 18] = [
    // Distilled into other families' models, but sampled as its makers say.
    family(&["deepseekr1"], 0.6, Some(0.95), None),
    family(&["qwen3", "coder"], 0.7, Some(0.8), Some(20)),
    family(&["qwen3", "instruct"], 0.7, Some(0.8), Some(20)),
    family(&["qwen3"], 0.6, Some(0.95), Some(20)),
    family(&["qwq"], 0.6, Some(0.95), Some(20)),
    family(&["qwen25"], 0.7, Some(0.8), Some(20)),
    family(&["gptoss"], 1.0, Some(1.0), None),
    family(&["devstral"], 0.15, None, None),
    family(&["magistral"], 0.7, Some(0.95), None),
    family(&["mistralsmall"], 0.15, None, None),
    family(&["gemma3"], 1.0, Some(0.95), Some(64)),
    family(&["llama3"], 0.6, Some(0.9), None),
    family(&["smollm3"], 0.6, Some(0.95), None),
    family(&["smollm2"], 0.2, Some(0.9), None),
    family(&["glm46"], 1.0, Some(0.95), Some(40)),
    family(&["minimaxm2"], 1.0, Some(0.95), Some(40)),
    family(&["seedoss"], 1.1, Some(0.95), None),
    family(&["phi4", "reasoning"], 0.8, Some(0.95), Some(50)),
];

/// What the makers of this model's family say.
pub fn of_family(model: &str) -> Sampling {
    let name: String = model.to_lowercase().chars().filter(|c| !matches!(c, '-' | '_' | '.' | ' ')).collect();
    let fits = |family: &&Family| family.words.iter().all(|word| name.contains(word));
    FAMILIES.iter().find(fits).map(|family| family.sampling).unwrap_or_default()
}
