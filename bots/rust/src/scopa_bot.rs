//! The protocol side of a bot: it speaks USP/1 with the arena, follows the game
//! and lists the legal moves. A bot calls [`run`] with a function that chooses a
//! move; main.rs is an example.
//!
//! The file has six parts: cards and moves, the view of a seat, the legal moves,
//! the lines that change the view, options, and the conversation with the arena.

// A bot need not use all that is here.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

// ---- Cards and moves

const RANKS: &str = "A234567JQK"; // in order of value, 1 to 10
const SUITS: &str = "DCSB"; // coins, cups, swords, clubs
const PACK_SIZE: usize = 40;

/// The 7 of cups, the wild card of Cirulla.
const MATTA: Card = Card(4 * 6 + 1);

/// One of the forty cards: its place in the canonical order, from 0. To get the
/// 7 of coins from its text: `"7D".parse::<Card>()`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    pub fn rank(self) -> char {
        char_at(RANKS, usize::from(self.0 / 4))
    }

    pub fn suit(self) -> char {
        char_at(SUITS, usize::from(self.0 % 4))
    }

    /// The value that is printed on the card, 1 to 10.
    pub fn value(self) -> u32 {
        u32::from(self.0 / 4) + 1
    }
}

fn char_at(text: &str, i: usize) -> char {
    char::from(text.as_bytes()[i])
}

fn rank_value(rank: char) -> Option<u32> {
    RANKS.find(rank).map(|i| i as u32 + 1)
}

/// The forty cards in canonical order.
pub fn pack() -> Vec<Card> {
    (0..PACK_SIZE as u8).map(Card).collect()
}

impl Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self)
    }
}

/// What is wrong with a text of the protocol.
#[derive(Debug)]
pub struct BadText(String);

fn bad<T>(what: &str, text: &str) -> Result<T, BadText> {
    Err(BadText(format!("{}: {}", what, text)))
}

impl FromStr for Card {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Card, BadText> {
        let mut chars = text.chars();
        let rank = chars.next().and_then(|rank| RANKS.find(rank));
        let suit = chars.next().and_then(|suit| SUITS.find(suit));
        match (rank, suit, chars.next()) {
            (Some(rank), Some(suit), None) => Ok(Card((4 * rank + suit) as u8)),
            _ => bad("no card", text),
        }
    }
}

/// Reads a set of cards, such as `3C4S`; `-` is the empty set.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, BadText> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.as_bytes()
        .chunks(2)
        .map(|card| String::from_utf8_lossy(card).parse())
        .collect()
}

/// Writes a set of cards; the empty set is `-`.
pub fn format_cards(cards: &[Card]) -> String {
    if cards.is_empty() {
        return String::from("-");
    }
    cards.iter().map(Card::to_string).collect()
}

/// The cards that are not among those removed.
pub fn without(cards: &[Card], removed: &[Card]) -> Vec<Card> {
    let rest = cards.iter().filter(|card| !removed.contains(card));
    rest.copied().collect()
}

/// Adds cards to a set in canonical order.
fn add(set: &mut Vec<Card>, cards: &[Card]) {
    set.extend(cards);
    set.sort();
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    Low,
    Three,
}

/// A move of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move {
    /// Plays a card, which captures cards of the table or is laid there.
    Play { card: Card, captured: Vec<Card> },
    /// Declares the hand (Cirulla); `rank` is that of the wild 7 of cups.
    Declare {
        declaration: Declaration,
        rank: Option<char>,
    },
}

impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Play { card, captured } if captured.is_empty() => {
                write!(f, "{}", card)
            }
            Move::Play { card, captured } => {
                write!(f, "{}x{}", card, format_cards(captured))
            }
            Move::Declare { declaration, rank } => {
                let name = match declaration {
                    Declaration::Low => "low",
                    Declaration::Three => "three",
                };
                match rank {
                    Some(rank) => write!(f, "!{}:{}", name, rank),
                    None => write!(f, "!{}", name),
                }
            }
        }
    }
}

impl FromStr for Move {
    type Err = BadText;

    /// Reads a move, such as `7D`, `7Dx3C4S` or `!low:A`.
    fn from_str(text: &str) -> Result<Move, BadText> {
        if let Some(declared) = text.strip_prefix('!') {
            let (name, rank) = declared.split_once(':').unwrap_or((declared, ""));
            let declaration = match name {
                "low" => Declaration::Low,
                "three" => Declaration::Three,
                _ => return bad("no move", text),
            };
            let rank = rank.chars().next();
            return Ok(Move::Declare { declaration, rank });
        }
        let (card, captured) = text.split_once('x').unwrap_or((text, "-"));
        Ok(Move::Play {
            card: card.parse()?,
            captured: parse_cards(captured)?,
        })
    }
}

// ---- The view

/// The rule parameters of the game, such as `capture=sum`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    values: BTreeMap<String, String>,
}

/// The rules that decide what is legal, with the values that the kit knows. The
/// first value holds where the arena leaves the key out.
const MOVE_RULES: [(&str, &[&str]); 10] = [
    ("capture", &["sum", "fifteen", "sum-or-fifteen"]),
    ("equal-fifteen", &["no", "yes"]),
    ("priority", &["single", "fewest", "any"]),
    ("max-captured", &["0", "2"]),
    (
        "ace",
        &["plain", "sweep", "sweep-unless-ace", "sweep-traditional"],
    ),
    ("ace-empty", &["stay", "take"]),
    ("cirulla-ace", &["choice", "sweep"]),
    ("cirulla-equal", &["choice", "first"]),
    ("declare", &["off", "auto", "ask"]),
    ("matta", &["hand", "plain", "table"]),
];

impl Rules {
    /// A parameter as it is written; empty where there is none.
    pub fn text(&self, key: &str) -> &str {
        if let Some(value) = self.values.get(key) {
            return value;
        }
        let known = MOVE_RULES.iter().find(|(name, _)| *name == key);
        known.map_or("", |(_, values)| values[0])
    }

    /// Whether a parameter has this value.
    pub fn has(&self, key: &str, value: &str) -> bool {
        self.text(key) == value
    }

    /// Whether a parameter that can be `yes` or `no` is `yes`.
    pub fn is(&self, key: &str) -> bool {
        self.has(key, "yes")
    }

    /// A parameter that is a number; 0 where it is none.
    pub fn number(&self, key: &str) -> usize {
        self.text(key).parse().unwrap_or(0)
    }

    /// Fails where a rule has a value that [`View::legal_moves`] does not know.
    fn check(&self) -> Result<(), String> {
        for (key, values) in MOVE_RULES {
            if !values.contains(&self.text(key)) {
                return Err(format!("rules {}={} is unknown", key, self.text(key)));
            }
        }
        Ok(())
    }
}

/// What the seat to move knows. Seats are numbered from 1, teams are letters,
/// sets of cards are in canonical order.
#[derive(Default)]
pub struct View {
    pub seat: usize,
    pub team: char,
    pub teams: Vec<char>, // the team of each seat in turn; see `team_of`
    pub hand: Vec<Card>,
    pub table: Vec<Card>,
    pub piles: BTreeMap<char, Vec<Card>>, // what each team has captured
    pub scopas: BTreeMap<char, u32>,
    pub scores: BTreeMap<char, u32>, // points of the match before this deal
    pub hand_counts: BTreeMap<usize, usize>, // how many cards each seat holds
    pub deck: usize,                 // how many cards are not yet dealt
    pub last: Option<usize>,         // the seat that captured last
    pub shown: BTreeMap<usize, Vec<Card>>, // what is left of declared hands
    pub plays: Vec<(usize, Move)>,   // the deal so far, with the seats
    pub declared: BTreeMap<char, u32>, // points of declarations
    pub matta: Option<u32>,          // the value that the wild 7 of cups has
    pub opening: u32,                // scopas that the dealer made of the first table
    pub deal: u32,                   // the number of the deal, from 1
    pub dealer: usize,
    pub target: u32,        // points that end the match
    pub deals: Option<u32>, // deals of a match with a fixed number
    pub rules: Rules,
    pub legal: Vec<Move>,
    pub time_ms: Option<u64>, // milliseconds left in the bank
    pub inc_ms: Option<u64>,  // what each decision adds to it
    pub move_ms: Option<u64>, // milliseconds for this decision
    pub seed: u64,
    pub random: Random, // seeded by `seed`
    pub options: Options,
    out: Option<Out>,
}

impl View {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.teams.len()
    }

    /// The team of a seat, which must exist.
    pub fn team_of(&self, seat: usize) -> char {
        self.teams[seat - 1]
    }

    /// The cards that may be in the deck or in hands of others.
    pub fn hidden(&self) -> Vec<Card> {
        let mut hidden = without(&without(&pack(), &self.hand), &self.table);
        for cards in self.piles.values().chain(self.shown.values()) {
            hidden = without(&hidden, cards);
        }
        hidden
    }

    /// The value of a card in the hand or on the table. Only a wild 7 of cups may
    /// have another than what is printed on it.
    pub fn value(&self, card: Card) -> u32 {
        match self.matta {
            Some(value) if card == MATTA => value,
            _ => card.value(),
        }
    }

    /// Says what the bot thinks of this decision, for records and charts: a
    /// comment, which may be empty, then names and values. The names depth,
    /// nodes, value (expected points), time (milliseconds), cut and pv (moves,
    /// joined by a comma) are those of the protocol; any other is a number of
    /// your own: `view.info("a safe table", &[("worlds", &64)])`.
    pub fn info(&self, comment: &str, pairs: &[(&str, &dyn Display)]) {
        const KNOWN: [&str; 6] = ["depth", "nodes", "value", "time", "cut", "pv"];
        let mut line = String::from("info");
        for (name, value) in pairs {
            line += if KNOWN.contains(name) { " " } else { " m." };
            line += &format!("{}={}", name, escape(&value.to_string()));
        }
        if !comment.is_empty() {
            line += " #";
            for word in comment.split_whitespace() {
                line += " ";
                line += word;
            }
        }
        if let Some(out) = &self.out {
            say(out, &line.chars().take(4000).collect::<String>());
        }
    }
}

/// Random numbers (splitmix64), which threads may share.
#[derive(Default)]
pub struct Random(AtomicU64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(AtomicU64::new(seed))
    }

    /// The next random number.
    pub fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number from 0 to `limit` - 1.
    pub fn below(&self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

// ---- Legal moves

impl View {
    /// The legal moves of the seat in canonical order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for &card in &self.hand {
            let mut captures = self.captures(card);
            if captures.is_empty() {
                captures.push(Vec::new());
            }
            for captured in captures {
                moves.push(Move::Play { card, captured });
            }
        }
        if self.rules.has("declare", "ask") {
            moves.extend(self.declarations());
        }
        moves
    }

    /// The sets of which the card must take one; without any, the card is laid.
    /// The steps are those of "Which capture" in protocol.md.
    pub fn captures(&self, card: Card) -> Vec<Vec<Card>> {
        let value = self.value(card);
        let both = self.rules.has("capture", "sum-or-fifteen");
        let sweeps = value == 1 && self.ace_sweeps();
        if sweeps && !(both && self.rules.has("cirulla-ace", "choice")) {
            return vec![self.table.clone()];
        }

        let mut sets = self.sets_that_add_up(value, both);
        let smallest = sets.iter().map(Vec::len).min().unwrap_or(0);
        if self.rules.has("priority", "fewest")
            || self.rules.has("priority", "single") && smallest == 1
        {
            sets.retain(|set| set.len() == smallest);
        }
        if sweeps && !sets.contains(&self.table) {
            sets.push(self.table.clone());
            sets.sort();
        }
        sets
    }

    /// The sets that a card of this value may take, before the rules of priority.
    fn sets_that_add_up(&self, value: u32, both: bool) -> Vec<Vec<Card>> {
        let rules = &self.rules;
        let sum = both || rules.has("capture", "sum");
        let fifteen = both || rules.has("capture", "fifteen");
        let equal = sum || rules.is("equal-fifteen");
        let equal_first = both && rules.has("cirulla-equal", "first") && self.on_table(value);
        let most = if fifteen {
            value.max(15 - value)
        } else {
            value
        };
        let size = match rules.number("max-captured") {
            0 => self.table.len(),
            limit => limit,
        };
        let mut sets = self.subsets(&self.table, most, size);
        sets.retain(|set| {
            let total: u32 = set.iter().map(|&card| self.value(card)).sum();
            let allowed = match set.len() {
                1 => equal,
                _ => sum && !equal_first,
            };
            allowed && total == value || fifteen && total == 15 - value
        });
        sets
    }

    /// The sets of at most `size` of these cards that total at most `total`, in
    /// canonical order.
    fn subsets(&self, cards: &[Card], total: u32, size: usize) -> Vec<Vec<Card>> {
        let mut sets = Vec::new();
        for (i, &card) in cards.iter().enumerate() {
            if self.value(card) > total || size == 0 {
                continue;
            }
            sets.push(vec![card]);
            let left = total - self.value(card);
            for others in self.subsets(&cards[i + 1..], left, size - 1) {
                sets.push([vec![card], others].concat());
            }
        }
        sets
    }

    /// Whether a card of this value lies on the table.
    fn on_table(&self, value: u32) -> bool {
        self.table.iter().any(|&card| self.value(card) == value)
    }

    /// Whether an ace that is played now can take the whole table.
    fn ace_sweeps(&self) -> bool {
        let played = |(_, a_move): &(usize, Move)| matches!(a_move, Move::Play { .. });
        !self.table.is_empty()
            && match self.rules.text("ace") {
                "sweep" => true,
                "sweep-unless-ace" => !self.on_table(1),
                "sweep-traditional" => !self.on_table(1) && self.plays.iter().any(played),
                _ => false,
            }
    }

    /// The declarations of an untouched hand of three cards.
    fn declarations(&self) -> Vec<Move> {
        if self.hand.len() != 3 || self.shown.contains_key(&self.seat) {
            return Vec::new();
        }
        let declare = |declaration, rank| Move::Declare { declaration, rank };
        let others = without(&self.hand, &[MATTA]);
        let wild = others.len() == 2;
        let rank = others[0].rank();
        if others.iter().all(|card| card.rank() == rank) {
            // With two other sevens the 7 of cups needs no other value.
            let named = wild && rank != MATTA.rank();
            return vec![declare(Declaration::Three, named.then_some(rank))];
        }
        let total: u32 = others.iter().map(|card| card.value()).sum();
        if wild {
            return RANKS
                .chars()
                .zip(1..)
                .filter(|(_, value)| total + value < 10)
                .map(|(rank, _)| declare(Declaration::Low, Some(rank)))
                .collect();
        }
        if total < 10 {
            return vec![declare(Declaration::Low, None)];
        }
        Vec::new()
    }
}

// ---- The lines of the arena that change the view

/// A line of the arena: a verb, positional words, and pairs `KEY=VALUE`.
#[derive(Clone, Default)]
struct Message {
    text: String, // the whole line, without a comment
    verb: String,
    words: Vec<String>,
    values: BTreeMap<String, String>,
}

impl Message {
    /// Splits a line; a token that begins with `#` begins a comment.
    fn new(line: &str) -> Message {
        let tokens: Vec<&str> = line
            .split_ascii_whitespace()
            .take_while(|token| !token.starts_with('#'))
            .collect();
        let mut message = Message {
            text: tokens.join(" "),
            ..Message::default()
        };
        if let Some((verb, rest)) = tokens.split_first() {
            message.verb = verb.to_string();
            for token in rest {
                match token.split_once('=') {
                    Some((key, value)) => {
                        message.values.insert(key.to_string(), value.to_string());
                    }
                    None => message.words.push(token.to_string()),
                }
            }
        }
        message
    }

    /// The positional word of this number, from 0.
    fn word(&self, i: usize) -> Result<&str, BadText> {
        match self.words.get(i) {
            Some(word) => Ok(word),
            None => bad("words are missing", &self.verb),
        }
    }

    /// The value of a key; `-` where it does not stand in the line.
    fn value(&self, key: &str) -> &str {
        self.values.get(key).map_or("-", String::as_str)
    }

    /// The number of a key, or `None` where there is `-` or nothing.
    fn number<T: FromStr>(&self, key: &str) -> Result<Option<T>, BadText> {
        match self.value(key) {
            "-" => Ok(None),
            text => number(text).map(Some),
        }
    }

    /// Splits the value of a key: `A:0,B:2` with `,` into the pairs A, 0 and
    /// B, 2. `-` is the empty list.
    fn list(&self, key: &str, separator: char) -> Result<Vec<(&str, &str)>, BadText> {
        let text = self.value(key);
        if text == "-" {
            return Ok(Vec::new());
        }
        text.split(separator)
            .map(|item| {
                item.split_once(':')
                    .map_or_else(|| bad("no list", text), Ok)
            })
            .collect()
    }

    /// Numbers of teams, such as `A:0,B:2`.
    fn points(&self, key: &str) -> Result<BTreeMap<char, u32>, BadText> {
        let pairs = self.list(key, ',')?;
        let points = pairs
            .into_iter()
            .map(|(team, points)| Ok((letter(team)?, number(points)?)));
        points.collect()
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, BadText> {
    text.parse().or_else(|_| bad("no number", text))
}

fn letter(text: &str) -> Result<char, BadText> {
    match text.chars().next() {
        Some(letter) => Ok(letter),
        None => bad("no letter", text),
    }
}

impl View {
    /// The view at the start of a match.
    fn of_match(line: &Message) -> Result<View, BadText> {
        let seed = u64::from_str_radix(line.value("seed"), 16).unwrap_or(0);
        let mut view = View {
            deals: line.number("deals")?,
            seed,
            random: Random::new(seed),
            ..View::default()
        };
        view.read_seats(line)?;
        view.clear();
        Ok(view)
    }

    /// Reads what the lines `match` and `state` have in common.
    fn read_seats(&mut self, line: &Message) -> Result<(), BadText> {
        self.teams = line.value("teams").chars().collect();
        self.seat = self.parse_seat(line.value("you"))?;
        self.team = self.team_of(self.seat);
        self.target = line.number("target")?.unwrap_or(0);
        Ok(())
    }

    fn parse_seat(&self, text: &str) -> Result<usize, BadText> {
        match number(text)? {
            seat if 1 <= seat && seat <= self.seats() => Ok(seat),
            _ => bad("no seat", text),
        }
    }

    /// Forgets the deal before.
    fn clear(&mut self) {
        self.hand.clear();
        self.table.clear();
        self.plays.clear();
        self.shown.clear();
        self.deck = PACK_SIZE;
        self.last = None;
        self.matta = None;
        self.opening = 0;
        self.hand_counts = (1..=self.seats()).map(|seat| (seat, 0)).collect();
        self.piles = self.teams.iter().map(|&team| (team, Vec::new())).collect();
        self.scopas = self.teams.iter().map(|&team| (team, 0)).collect();
        self.declared = self.scopas.clone();
    }

    /// Changes the view as an event says; false where the line is no event.
    fn event(&mut self, line: &Message) -> Result<bool, BadText> {
        match line.verb.as_str() {
            "deal" => {
                self.clear();
                self.deal = number(line.word(0)?)?;
                self.dealer = line.number("dealer")?.unwrap_or(0);
                self.scores = line.points("scores")?;
            }
            "table" => {
                self.table = parse_cards(line.word(0)?)?;
                self.deck = PACK_SIZE - self.table.len();
            }
            "give" => self.give(line)?,
            "sweep" => {
                let seat = self.parse_seat(line.word(0)?)?;
                let table = std::mem::take(&mut self.table);
                self.capture(seat, &table);
                self.last = Some(seat);
                self.opening = line.number("scopa")?.unwrap_or(0);
                *self.scopas.entry(self.team_of(seat)).or_default() += self.opening;
            }
            "declare" => self.declare(line)?,
            "show" => {
                let seat = self.parse_seat(line.word(0)?)?;
                self.shown.insert(seat, parse_cards(line.word(1)?)?);
            }
            "play" => self.play(line)?,
            "rest" => {
                let seat = self.parse_seat(line.word(0)?)?;
                let table = std::mem::take(&mut self.table);
                self.capture(seat, &table);
            }
            "score" => {
                let team = letter(line.word(0)?)?;
                let total = line.number("total")?.unwrap_or(0);
                self.scores.insert(team, total);
            }
            "seat" | "redeal" | "enddeal" | "abort" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn give(&mut self, line: &Message) -> Result<(), BadText> {
        let seat = self.parse_seat(line.word(0)?)?;
        let cards = line.word(1)?;
        let count = cards.len() / 2;
        self.hand_counts.insert(seat, count);
        self.deck = self.deck.saturating_sub(count);
        if seat == self.seat {
            self.hand = parse_cards(cards)?;
        }
        Ok(())
    }

    fn declare(&mut self, line: &Message) -> Result<(), BadText> {
        let seat = self.parse_seat(line.word(0)?)?;
        let declared: Move = format!("!{}", line.word(1)?).parse()?;
        let points = line.number("points")?.unwrap_or(0);
        *self.declared.entry(self.team_of(seat)).or_default() += points;
        if let Move::Declare {
            rank: Some(rank), ..
        } = declared
        {
            if !self.rules.has("matta", "plain") {
                self.matta = rank_value(rank);
            }
        }
        self.plays.push((seat, declared));
        Ok(())
    }

    fn play(&mut self, line: &Message) -> Result<(), BadText> {
        let seat = self.parse_seat(line.word(0)?)?;
        let played: Move = line.word(1)?.parse()?;
        let (card, captured) = match &played {
            Move::Play { card, captured } => (*card, captured.clone()),
            Move::Declare { .. } => return bad("no card", line.word(1)?),
        };
        self.plays.push((seat, played));
        self.remove_from_hand(seat, card);
        let ace_taken =
            self.rules.has("ace-empty", "take") && self.table.is_empty() && self.value(card) == 1;
        if ace_taken || !captured.is_empty() {
            self.table = without(&self.table, &captured);
            self.capture(seat, &captured);
            self.capture(seat, &[card]);
            self.last = Some(seat);
        } else {
            add(&mut self.table, &[card]);
        }
        let scopas = line.number("scopa")?.unwrap_or(0);
        *self.scopas.entry(self.team_of(seat)).or_default() += scopas;

        // The wild 7 of cups is a seven again, unless it lies on the table and the
        // rules say that it stays what it was.
        let moved = card == MATTA || captured.contains(&MATTA);
        let stays = self.rules.has("matta", "table") && self.table.contains(&MATTA);
        if moved && !stays {
            self.matta = None;
        }
        Ok(())
    }

    fn remove_from_hand(&mut self, seat: usize, card: Card) {
        self.hand = without(&self.hand, &[card]);
        let count = self.hand_counts.entry(seat).or_default();
        *count = count.saturating_sub(1);
        if let Some(cards) = self.shown.get_mut(&seat) {
            cards.retain(|&other| other != card);
            if cards.is_empty() {
                self.shown.remove(&seat);
            }
        }
    }

    /// Puts cards on the pile of the team of a seat.
    fn capture(&mut self, seat: usize, cards: &[Card]) {
        add(self.piles.entry(self.team_of(seat)).or_default(), cards);
    }

    /// Takes everything over from a line `state`.
    fn read_state(&mut self, line: &Message) -> Result<(), BadText> {
        self.read_seats(line)?;
        self.clear();
        self.hand = parse_cards(line.value("hand"))?;
        self.table = parse_cards(line.value("table"))?;
        self.deal = line.number("deal")?.unwrap_or(0);
        self.dealer = line.number("dealer")?.unwrap_or(0);
        self.deck = line.number("deck")?.unwrap_or(0);
        self.last = line.number("last")?;
        self.matta = rank_value(letter(line.value("matta"))?);
        self.opening = line.number("opening")?.unwrap_or(0);
        self.scores = line.points("scores")?;
        self.scopas.extend(line.points("scopas")?);
        self.declared.extend(line.points("declared")?);
        for (seat, count) in line.list("hands", ',')? {
            self.hand_counts.insert(number(seat)?, number(count)?);
        }
        for (team, cards) in line.list("pile", ',')? {
            self.piles.insert(letter(team)?, parse_cards(cards)?);
        }
        for (seat, cards) in line.list("shown", ',')? {
            self.shown.insert(number(seat)?, parse_cards(cards)?);
        }
        for (seat, played) in line.list("plays", '/')? {
            self.plays.push((number(seat)?, played.parse()?));
        }
        Ok(())
    }
}

// ---- Options

/// An option that users may set.
#[derive(Clone)]
pub struct BotOption {
    name: String,
    default: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Int { min: i64, max: i64 },
    Bool,
    Enum(Vec<String>),
    String,
    Button,
}

impl BotOption {
    fn new(name: &str, default: String, kind: Kind) -> BotOption {
        let name = name.to_string();
        BotOption {
            name,
            default,
            kind,
        }
    }

    /// A whole number.
    pub fn int(name: &str, default: i64, min: i64, max: i64) -> BotOption {
        BotOption::new(name, default.to_string(), Kind::Int { min, max })
    }

    /// True or false.
    pub fn bool(name: &str, default: bool) -> BotOption {
        BotOption::new(name, default.to_string(), Kind::Bool)
    }

    /// One of several words.
    pub fn one_of(name: &str, default: &str, values: &[&str]) -> BotOption {
        let values = values.iter().map(|value| value.to_string()).collect();
        BotOption::new(name, default.to_string(), Kind::Enum(values))
    }

    /// A text.
    pub fn string(name: &str, default: &str) -> BotOption {
        BotOption::new(name, default.to_string(), Kind::String)
    }

    /// Something that users can press: it is false at first, then true.
    pub fn button(name: &str) -> BotOption {
        BotOption::new(name, String::new(), Kind::Button)
    }

    /// The line that declares the option.
    fn declaration(&self) -> String {
        let (type_name, limits) = match &self.kind {
            Kind::Int { min, max } => ("int", format!(" min={} max={}", min, max)),
            Kind::Bool => ("bool", String::new()),
            Kind::Enum(values) => ("enum", format!(" values={}", escape(&values.join("|")))),
            Kind::String => ("string", String::new()),
            Kind::Button => ("button", String::new()),
        };
        let default = match self.default.as_str() {
            "" => String::new(),
            text => format!(" default={}", escape(text)),
        };
        format!(
            "option name={} type={}{}{}",
            self.name, type_name, default, limits
        )
    }

    /// Fails where the option cannot have this value.
    fn check(&self, text: &str) -> Result<(), String> {
        let (right, why) = match &self.kind {
            Kind::Int { min, max } => (
                text.parse()
                    .map_or(false, |value| (min..=max).contains(&&value)),
                format!("must be a whole number {}..{}", min, max),
            ),
            Kind::Bool => (
                text == "true" || text == "false",
                String::from("must be true or false"),
            ),
            Kind::Enum(values) => (
                values.iter().any(|value| value == text),
                format!("must be one of {}", values.join(", ")),
            ),
            Kind::String => (true, String::new()),
            Kind::Button => (
                text == "-",
                String::from("is a button, which has the value -"),
            ),
        };
        right.then_some(()).ok_or(why)
    }
}

/// The values of the options of a bot. The names must be those of its options.
#[derive(Clone, Default)]
pub struct Options {
    values: BTreeMap<String, String>,
}

impl Options {
    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.text(name)
            .parse()
            .expect("the option is a whole number")
    }

    /// A bool, or whether a button was pressed.
    pub fn is(&self, name: &str) -> bool {
        matches!(self.text(name), "true" | "-")
    }

    /// A text, or one of several words.
    pub fn text(&self, name: &str) -> &str {
        &self.values[name]
    }
}

/// Writes a value so that it is one token: a blank becomes `%20`.
fn escape(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        if !byte.is_ascii_graphic() || byte == b'%' || byte == b'#' && text.is_empty() {
            text += &format!("%{:02X}", byte);
        } else {
            text.push(char::from(byte));
        }
    }
    text
}

/// Reads a value that `escape` has written.
fn unescape(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.map(|hex| u8::from_str_radix(hex, 16)) {
            Some(Ok(byte)) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

// ---- The conversation with the arena

type Out = Arc<Mutex<dyn Write + Send>>;

/// An arena ends a bot that says too much unasked.
const UNKNOWN_VERBS_MAX: u32 = 16;

/// Sends one line, without bytes that the protocol does not allow.
fn say(out: &Out, line: &str) {
    let printable = |char| match char {
        ' '..='~' => char,
        _ => '?',
    };
    let line: String = line.chars().map(printable).collect();
    if let Ok(mut out) = out.lock() {
        // Where the arena is gone, the input ends, too.
        let _ = writeln!(out, "{}", line).and_then(|()| out.flush());
    }
}

/// Plays until the arena says `quit` or closes the input, and ends the process.
/// A panic of `choose` ends it with status 1, and the arena shows the backtrace.
/// Print to standard error alone: standard output belongs to the protocol.
pub fn run(
    choose: impl FnMut(&View) -> Move,
    name: &str,
    version: &str,
    author: &str,
    options: Vec<BotOption>,
) -> ! {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::env::set_var("RUST_BACKTRACE", "1");
    }
    let id = id_line(name, version, author);
    let mut session = Session::new(choose, id, options, Arc::new(Mutex::new(io::stdout())));
    let served = panic::catch_unwind(AssertUnwindSafe(|| session.serve(io::stdin().lock())));
    if let Err(reason) = served {
        // The message stands before the backtrace, of which the arena may show
        // only the end.
        let text = reason.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| reason.downcast_ref::<&str>().copied());
        eprintln!("panic: {}", text.unwrap_or("without a message"));
        process::exit(1);
    }
    process::exit(0);
}

fn id_line(name: &str, version: &str, author: &str) -> String {
    let mut line = format!("id name={}", escape(name));
    for (key, value) in [("version", version), ("author", author)] {
        if !value.is_empty() {
            line += &format!(" {}={}", key, escape(value));
        }
    }
    line
}

/// Reads the lines of the arena and answers them.
struct Session<F> {
    choose: F,
    id: String,
    declared: Vec<BotOption>,
    options: Options,
    out: Out,
    view: View,
    rules_known: bool,      // a line `rules` holds
    state: Option<Message>, // the last line `state`
    legal: Vec<Move>,       // those of the last line `legal`
    unknown_verbs: u32,
}

impl<F: FnMut(&View) -> Move> Session<F> {
    fn new(choose: F, id: String, declared: Vec<BotOption>, out: Out) -> Session<F> {
        let defaults = declared
            .iter()
            .map(|option| (option.name.clone(), option.default.clone()));
        Session {
            choose,
            id,
            options: Options {
                values: defaults.collect(),
            },
            declared,
            out,
            view: View::default(),
            rules_known: false,
            state: None,
            legal: Vec::new(),
            unknown_verbs: 0,
        }
    }

    /// Answers lines until one is `quit`.
    fn serve(&mut self, mut input: impl BufRead) {
        let mut bytes = Vec::new();
        while matches!(input.read_until(b'\n', &mut bytes), Ok(1..)) {
            let line = Message::new(&String::from_utf8_lossy(&bytes));
            if line.verb == "quit" {
                return;
            }
            if let Err(BadText(why)) = self.read(&line) {
                self.say(&format!("error syntax # {}", why));
            }
            bytes.clear();
        }
    }

    fn say(&self, line: &str) {
        say(&self.out, line);
    }

    /// Does what a line says.
    fn read(&mut self, line: &Message) -> Result<(), BadText> {
        match line.verb.as_str() {
            "usp" => self.greet(),
            "setoption" => {
                for (name, value) in &line.values {
                    if let Err(why) = self.set_option(name, unescape(value)) {
                        self.say(&format!("error option # {:.40} {}", name, why));
                    }
                }
            }
            "isready" => self.say("readyok"),
            "match" => {
                self.view = View::of_match(line)?;
                self.rules_known = false;
            }
            "endmatch" => {
                self.view = View::default();
                self.rules_known = false;
            }
            "rules" => {
                self.view.rules = Rules {
                    values: line.values.clone(),
                };
                self.rules_known = true;
            }
            "state" => self.state = Some(line.clone()),
            "legal" => {
                // `...` says that the list was cut.
                let moves = line.words.iter().filter(|word| *word != "...");
                self.legal = moves.map(|word| word.parse()).collect::<Result<_, _>>()?;
            }
            "go" => self.go(line)?,
            // What the arena did not like helps the author.
            "error" | "illegal" => eprintln!("arena: {}", line.text),
            "" | "stop" | "cards" => {}
            _ => {
                if !self.view.event(line)? {
                    self.unknown_verb(&line.verb);
                }
            }
        }
        Ok(())
    }

    fn unknown_verb(&mut self, verb: &str) {
        self.unknown_verbs += 1;
        if self.unknown_verbs <= UNKNOWN_VERBS_MAX {
            self.say(&format!("error unknown # no verb \"{:.40}\"", verb));
        }
    }

    /// Answers `usp`.
    fn greet(&self) {
        self.say(&self.id);
        for option in &self.declared {
            self.say(&option.declaration());
        }
        self.say("feature position=1");
        self.say("uspok 1");
    }

    fn set_option(&mut self, name: &str, value: String) -> Result<(), String> {
        match self.declared.iter().find(|option| option.name == name) {
            Some(option) => option.check(&value)?,
            None => return Err(String::from("is no option")),
        }
        self.options.values.insert(name.to_string(), value);
        Ok(())
    }

    /// Chooses a move and sends it.
    fn go(&mut self, line: &Message) -> Result<(), BadText> {
        let state = self.state.take();
        let legal = std::mem::take(&mut self.legal);
        if let Some(state) = state {
            self.view.read_state(&state)?;
            if !self.rules_known {
                self.view.rules = rules_of(&state);
            }
        }
        if legal.is_empty() {
            match self.own_moves() {
                Ok(moves) => self.view.legal = moves,
                Err(why) => {
                    self.say(&format!("error feature # {}", why));
                    self.say("error fatal # no move can be chosen");
                    return Ok(());
                }
            }
        } else {
            self.view.legal = legal;
        }
        self.view.time_ms = line.number("time")?;
        self.view.inc_ms = line.number("inc")?;
        self.view.move_ms = line.number("move")?;
        self.view.options = self.options.clone();
        self.view.out = Some(self.out.clone());

        let mut answer = format!("move {}", (self.choose)(&self.view));
        if let Some(turn) = line.values.get("turn") {
            answer += &format!(" turn={}", turn);
        }
        self.say(&answer);
        Ok(())
    }

    /// The legal moves where the arena does not send them.
    fn own_moves(&self) -> Result<Vec<Move>, String> {
        if self.view.hand.is_empty() {
            return Err(String::from("go without a deal or a state line"));
        }
        if !self.rules_known {
            return Err(String::from("neither a rules nor a legal line has come"));
        }
        self.view.rules.check()?;
        Ok(self.view.legal_moves())
    }
}

/// What a line `state` says of the rules where no line `rules` has come.
fn rules_of(state: &Message) -> Rules {
    let spec = state.value("rules");
    let (preset, overrides) = spec.split_once(',').unwrap_or((spec, ""));
    let line = Message::new(&format!("rules {}", overrides.replace(',', " ")));
    let mut values = line.values;
    let mut insert = |key: &str, value: &str| values.insert(key.into(), value.into());
    insert("preset", preset);
    insert("target", state.value("target"));
    insert("players", state.value("seats"));
    insert("teams", state.value("teams"));
    Rules { values }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
