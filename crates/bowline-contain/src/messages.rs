//! What a cell's owner and its helper say to each other, as bytes. Who says what when is in `cell` and `helper`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::ground::Facts;
use crate::profile::Profile;
use crate::wire::{Malformed, Reader, Writer};

/// What the helper answers once it has set itself up, or failed to.
#[derive(Debug)]
pub(crate) enum Opening {
    Ready(Facts),
    Failed(Failure),
}

impl Opening {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Opening::Ready(facts) => facts.write(writer.byte(0)),
            Opening::Failed(failure) => failure.write(writer.byte(1)),
        }
        writer.done()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Opening, Malformed> {
        let mut reader = Reader::new(bytes);
        match reader.byte()? {
            0 => Ok(Opening::Ready(Facts::read(&mut reader)?)),
            1 => Ok(Opening::Failed(Failure::read(&mut reader)?)),
            _ => Err(Malformed),
        }
    }
}

/// What the owner asks for.
#[derive(Debug)]
pub(crate) enum Request {
    /// Beside it come four descriptors: for news of the command, and its three standard streams.
    Start(Start),
    /// Ask everything to end, and end when nothing is left or the time is over.
    End { grace_ms: u64 },
}

#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) profile: Profile,
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

impl Request {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Request::End { grace_ms } => {
                writer.byte(0).number(*grace_ms);
            }
            Request::Start(start) => {
                let (names, values): (Vec<_>, Vec<_>) = start
                    .environment
                    .iter()
                    .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
                    .unzip();
                writer
                    .byte(1)
                    .byte(start.profile.code())
                    .paths(&[PathBuf::from(&start.program), start.folder.clone()])
                    .strings(start.arguments.iter().map(OsString::as_os_str))
                    .strings(names.into_iter())
                    .strings(values.into_iter());
            }
        }
        writer.done()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Request, Malformed> {
        let mut reader = Reader::new(bytes);
        match reader.byte()? {
            0 => Ok(Request::End { grace_ms: reader.number()? }),
            1 => {
                let profile = Profile::from_code(reader.byte()?).ok_or(Malformed)?;
                let [program, folder] = <[PathBuf; 2]>::try_from(reader.paths()?).map_err(|_| Malformed)?;
                let arguments = reader.strings()?;
                let environment = reader.strings()?.into_iter().zip(reader.strings()?).collect();
                let program = program.into_os_string();
                Ok(Request::Start(Start { profile, program, arguments, folder, environment }))
            }
            _ => Err(Malformed),
        }
    }
}

/// What the helper says about a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum News {
    Started,
    NotStarted(Failure),
    Exited { code: i32, left_running: bool },
    Killed { signal: i32, left_running: bool },
}

impl News {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            News::Started => {
                writer.byte(0);
            }
            News::NotStarted(failure) => failure.write(writer.byte(1)),
            News::Exited { code, left_running } => {
                writer.byte(2).number(u64::from(code.unsigned_abs())).byte(u8::from(*left_running));
            }
            News::Killed { signal, left_running } => {
                writer.byte(3).number(u64::from(signal.unsigned_abs())).byte(u8::from(*left_running));
            }
        }
        writer.done()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<News, Malformed> {
        let mut reader = Reader::new(bytes);
        let kind = reader.byte()?;
        match kind {
            0 => Ok(News::Started),
            1 => Ok(News::NotStarted(Failure::read(&mut reader)?)),
            2 | 3 => {
                let number = i32::try_from(reader.number()?).map_err(|_| Malformed)?;
                let left_running = reader.flag()?;
                Ok(if kind == 2 {
                    News::Exited { code: number, left_running }
                } else {
                    News::Killed { signal: number, left_running }
                })
            }
            _ => Err(Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_survives_the_way() {
        let start = Start {
            profile: Profile::Read,
            program: "sh".into(),
            arguments: vec!["-c".into(), "echo".into()],
            folder: "/".into(),
            environment: vec![("A".into(), "b=c".into())],
        };
        let Ok(Request::Start(read)) = Request::read(&Request::Start(start).write()) else { panic!() };
        assert_eq!(read.arguments, ["-c", "echo"]);
        assert_eq!(read.environment, [("A".into(), "b=c".into())]);
        assert_eq!((read.profile, read.program), (Profile::Read, "sh".into()));
        assert!(Request::read(&[9]).is_err());
    }

    #[test]
    fn news_survive_the_way() {
        let failure = Failure::new("starting sh", 2);
        for news in [
            News::Started,
            News::NotStarted(failure),
            News::Exited { code: 255, left_running: true },
            News::Killed { signal: 9, left_running: false },
        ] {
            assert_eq!(News::read(&news.write()), Ok(news));
        }
    }
}
