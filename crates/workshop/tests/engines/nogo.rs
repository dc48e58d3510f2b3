// NoGo over the SAU protocol: the first free point.
use std::collections::BTreeSet;

fn answer(taken: &mut BTreeSet<String>) {
    let points = ('A'..='I').flat_map(|x| ('A'..='I').map(move |y| format!("{x}{y}")));
    for point in points {
        if taken.insert(point.clone()) {
            println!("move {point}");
            return;
        }
    }
}

fn main() {
    let mut taken = BTreeSet::new();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["name?"] => println!("name starter"),
            ["new", side] => {
                taken.clear();
                if *side == "black" {
                    answer(&mut taken);
                }
            }
            ["move", point] => {
                taken.insert((*point).to_string());
                answer(&mut taken);
            }
            ["quit"] => return,
            _ => {}
        }
    }
}
