//! A bot for the arena: the author writes `choose`, and scopa_bot.rs does the
//! rest.  `View` in scopa_bot.rs says what `choose` can look at.
//!
//! `cargo build --release && scopa-arena match target/release/bot @greedy`

mod scopa_bot;

use scopa_bot::{BotOption, Card, Move, View};

/// What a captured card is worth; the 7 of coins is worth most.
fn weight(view: &View, card: Card) -> i64 {
    let mut weight = 1;
    if card.rank() == '7' {
        weight += 30;
    }
    if card.suit() == 'D' {
        weight += view.options.int("weight-of-coins");
    }
    if card.to_string() == "7D" {
        weight += 100;
    }
    weight
}

/// How good a move is: best is a declaration, then a scopa, then the capture of
/// most weight, then to lay the card of least weight.
fn merit(view: &View, candidate: &Move) -> i64 {
    match candidate {
        Move::Declare { .. } => 20_000,
        Move::Play { card, captured } if captured.is_empty() => -weight(view, *card),
        Move::Play { card, captured } => {
            let taken = captured.iter().chain([card]);
            let merit: i64 = taken.map(|&card| weight(view, card)).sum();
            let scopa = captured.len() == view.table.len();
            merit + if scopa { 10_000 } else { 0 }
        }
    }
}

fn choose(view: &View) -> Move {
    // Where points are bad (aim=least), the worst move is the best one.
    let sign = if view.rules.has("aim", "least") {
        1
    } else {
        -1
    };
    // Of equal moves this is the first.
    let best = view.legal.iter().min_by_key(|m| sign * merit(view, m));
    best.expect("there is a legal move").clone()
}

fn options() -> Vec<BotOption> {
    vec![BotOption::int("weight-of-coins", 10, 0, 100)]
}

fn main() {
    scopa_bot::run(choose, "my-bot", "1.0", "", options());
}
