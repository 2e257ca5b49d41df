//! Searches every post for all keywords, a round for each line of standard input, and writes each round's nanoseconds and
//! hits. The arguments name two files of folded lines: keywords and posts. A hit is a keyword in a post that
//! begins and ends where a word does, counted once for a post.

use std::io::{BufRead, Write};
use std::time::Instant;

use daachorse::DoubleArrayAhoCorasick;

fn lines(path: &str) -> Vec<String> {
    std::fs::read_to_string(path).expect("read a file of lines").lines().map(str::to_owned).collect()
}

/// Whether a word goes on past an end of the hit: at a letter or a digit, or at a mark that joins two of them, as in
/// "don't" and "a.b".
fn goes_on(mut beyond: impl Iterator<Item = char>) -> bool {
    match beyond.next() {
        Some('\'' | '\u{2019}' | '.' | ':') => beyond.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || next == '_',
        None => false,
    }
}

fn bounded(text: &str, from: usize, to: usize) -> bool {
    !goes_on(text[..from].chars().rev()) && !goes_on(text[to..].chars())
}

fn main() {
    let named: Vec<String> = std::env::args().collect();
    let (keywords, posts) = (lines(&named[1]), lines(&named[2]));
    let automaton: DoubleArrayAhoCorasick<u32> = DoubleArrayAhoCorasick::new(&keywords).expect("build the automaton");
    let mut seen = vec![usize::MAX; keywords.len()];
    let mut rounds = 0;
    for _ in std::io::stdin().lock().lines() {
        let (begun, mut hits) = (Instant::now(), 0u64);
        for (number, post) in posts.iter().enumerate() {
            for found in automaton.find_overlapping_iter(post) {
                let last = &mut seen[found.value() as usize];
                if *last != rounds * posts.len() + number && bounded(post, found.start(), found.end()) {
                    *last = rounds * posts.len() + number;
                    hits += 1;
                }
            }
        }
        rounds += 1;
        println!("{} {}", begun.elapsed().as_nanos(), hits);
        std::io::stdout().flush().expect("write the round");
    }
}
