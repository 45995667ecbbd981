use bowline_checkpoint::*;
use std::path::Path;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let s = Store::open(Path::new(&a[1]), Path::new(&a[2]), Settings::default()).unwrap();
    match a[3].as_str() {
        "take" => println!("{:?}", s.take(&a[4]).unwrap()),
        "diff" => {
            let (x, y) = (s.find(&a[4]).unwrap().unwrap(), s.find(&a[5]).unwrap().unwrap());
            println!("{:#?}", s.differences(&x, &y).unwrap());
            println!("{}", String::from_utf8_lossy(&s.diff(&x, &y).unwrap()));
        }
        "restore" => {
            let x = s.find(&a[4]).unwrap().unwrap();
            let p = s
                .plan(&a[5], &Wish { target: &x, taken_back: None, user_changes: UserChanges::Keep })
                .unwrap();
            println!("plan {:?}", t.elapsed());
            if a.len() < 7 {
                println!("{p:#?}");
            }
            s.restore(&format!("r{}", a[5]), &p).unwrap();
        }
        "health" => println!("{:?}", s.health().unwrap()),
        "tidy" => println!("{:?}", s.tidy().unwrap()),
        _ => panic!(),
    }
    eprintln!("{:?}", t.elapsed());
}
