//! The tests of the kit: `cargo test`. The one that plays games needs the program
//! scopa-arena, in the variable SCOPA_ARENA or in PATH.

use super::*;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a bot answers to these lines.
fn converse(choose: impl FnMut(&View) -> Move, options: Vec<BotOption>, lines: &[&str]) -> String {
    let out = Arc::new(Mutex::new(Vec::new()));
    let id = id_line("a bot", "", "50% me");
    let input = lines.join("\n") + "\n";
    Session::new(choose, id, options, out.clone()).serve(input.as_bytes());
    let bytes = out.lock().unwrap();
    String::from_utf8(bytes.clone()).unwrap()
}

/// The same of a bot with an option of each type, which says what they are.
fn answers(lines: &[&str]) -> String {
    let options = vec![
        BotOption::int("depth", 4, 1, 9),
        BotOption::bool("calm", true),
        BotOption::one_of("style", "plain", &["plain", "so wild"]),
        BotOption::string("book", ""),
        BotOption::button("forget"),
    ];
    let choose = |view: &View| {
        let options = &view.options;
        view.info(
            "a # comment",
            &[
                ("depth", &options.int("depth")),
                ("calm", &options.is("calm")),
                ("style", &options.text("style")),
                ("book", &options.text("book")),
                ("forget", &options.is("forget")),
            ],
        );
        view.legal[0].clone()
    };
    converse(choose, options, lines)
}

#[test]
fn handshake() {
    let lines = [
        "usp 2 arena=x",
        "",
        "# nothing",
        "isready\r",
        "ponder",
        "quit",
        "isready",
    ];
    assert_eq!(
        answers(&lines),
        "id name=a%20bot author=50%25%20me
option name=depth type=int default=4 min=1 max=9
option name=calm type=bool default=true
option name=style type=enum default=plain values=plain|so%20wild
option name=book type=string
option name=forget type=button
feature position=1
uspok 1
readyok
error unknown # no verb \"ponder\"
"
    );
}

/// A position of seat 2, with no match on.
const POSITION: &str = "state rules=scopa seats=2 teams=AB target=11 you=2 \
    hand=3SKC deal=1 dealer=2 turn=2 table=AD2B7C hands=1:3,2:2 deck=30 \
    pile=A:-,B:4C4S scopas=A:0,B:1 scores=A:3,B:4 last=2 shown=- \
    plays=2:4Cx4S/1:7C";

const RULES: &str = "rules players=2 teams=AB hand=3 capture=sum priority=single";

/// The start of a match.
const MATCH: &str = "\
match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 tc=none seed=5
rules players=2 teams=AB hand=3 capture=sum priority=single
seat 1 team=A name=me
seat 2 team=B name=you
";

/// The start of a deal, without lines `state` and `legal`.
const DEAL: &str = "\
deal 1 dealer=2 first=1 scores=A:0,B:0
table 4B5S7DQD
give 1 AD3SJD
give 2 ??????
";

/// What a bot that plays the first legal move answers to these lines.
fn play(lines: &[&str]) -> String {
    converse(|view: &View| view.legal[0].clone(), vec![], lines)
}

#[test]
fn events() {
    let plays = "play 1 AD\nplay 2 2B";
    assert_eq!(
        play(&[
            MATCH,
            DEAL,
            "go turn=a move=10000 x-new=1",
            plays,
            "go turn=b time=9 inc=1"
        ]),
        "move AD turn=a\nmove 3SxAD2B turn=b\n"
    );
}

#[test]
fn list_of_the_arena_goes_first() {
    assert_eq!(
        play(&[MATCH, DEAL, "legal 3S ... x-new=1", "go turn=a", "go turn=b"]),
        "move 3S turn=a\nmove AD turn=b\n"
    );
    assert_eq!(
        play(&[MATCH, DEAL, "rules capture=odd", "legal 3S", "go turn=a"]),
        "move 3S turn=a\n"
    );
}

#[test]
fn abort() {
    let end = "endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort";
    assert_eq!(
        play(&[
            MATCH,
            DEAL,
            "play 1 AD",
            "play 2 2B",
            "abort deal reason=x",
            DEAL,
            "go turn=a",
            "abort match reason=x",
            end,
            "isready",
            MATCH,
            DEAL,
            "redeal reason=kings",
            "table 2S",
            "go turn=b",
        ]),
        "move AD turn=a\nreadyok\nmove AD turn=b\n"
    );
}

#[test]
fn events_without_a_match() {
    let events = "score A total=3\ngive 1 AD\nshow 1 AD\nplay 1 AD";
    let answers = play(&[events, "isready"]);
    assert!(answers.ends_with("readyok\n"), "{}", answers);
}

#[test]
fn unknown_verbs() {
    let count = play(&["x-a"; 1000]).lines().count();
    assert!((1..=64).contains(&count), "{}", count);
}

#[test]
fn options() {
    assert_eq!(
        answers(&[
            "setoption depth=9",
            "setoption calm=false",
            "setoption style=so%20wild",
            "setoption book=my%20book",
            "setoption forget=-",
            POSITION,
            "legal KC KCxAD2B7C",
            "go turn=x1 move=100",
        ]),
        "info depth=9 m.calm=false m.style=so%20wild m.book=my%20book m.forget=true \
         # a # comment\nmove KC turn=x1\n"
    );
    for wrong in [
        "depth=0",
        "depth=10",
        "depth=",
        "depth=x",
        "calm=yes",
        "style=rude",
        "forget=1",
        "width=1",
    ] {
        let answer = answers(&[&format!("setoption {}", wrong)]);
        assert!(
            answer.starts_with("error option # "),
            "{}: {}",
            wrong,
            answer
        );
    }
}

#[test]
fn position() {
    let fatal = "\nerror fatal # no move can be chosen\n";
    // Without rules the kit cannot find the legal moves itself.
    assert_eq!(
        answers(&[POSITION, "go turn=x1"]),
        format!(
            "error feature # neither a rules nor a legal line has come{}",
            fatal
        )
    );
    assert_eq!(
        answers(&["go turn=x1"]),
        format!("error feature # go without a deal or a state line{}", fatal)
    );
    assert_eq!(
        answers(&[
            &RULES.replace("capture=sum", "capture=odd"),
            POSITION,
            "go turn=x1"
        ]),
        format!("error feature # rules capture=odd is unknown{}", fatal)
    );
    assert_eq!(
        answers(&[&format!("{} you=3", POSITION), "go turn=x1"]),
        "error syntax # no seat: 3\n"
    );
    let choose = |view: &View| {
        assert_eq!(view.rules.text("preset"), "scopa");
        view.legal[0].clone()
    };
    assert_eq!(
        converse(choose, vec![], &[POSITION, "legal 3S", "go turn=x1"]),
        "move 3S turn=x1\n"
    );
    let choose = |view: &View| {
        assert!(view.random.below(3) < 3);
        assert_eq!(view.team, 'B');
        assert_eq!(view.scores[&'A'], 3);
        assert_eq!(view.last, Some(2));
        assert_eq!(
            (view.time_ms, view.inc_ms, view.move_ms),
            (Some(5000), Some(100), None)
        );
        assert_eq!(view.hidden().len(), 33);
        assert_eq!(view.plays.len(), 2);
        view.legal.last().unwrap().clone()
    };
    assert_eq!(
        converse(
            choose,
            vec![],
            &[RULES, POSITION, "go turn=x1 time=5000 inc=100"]
        ),
        "move KCxAD2B7C turn=x1\n"
    );
}

fn view(rules: &str, table: &str, hand: &str) -> View {
    View {
        seat: 1,
        rules: Rules {
            values: Message::new(&format!("rules {}", rules)).values,
        },
        table: parse_cards(table).unwrap(),
        hand: parse_cards(hand).unwrap(),
        ..View::default()
    }
}

/// Writes the legal moves of a view.
fn moves(view: &View) -> String {
    let moves = view.legal_moves();
    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
    moves.join(" ")
}

const CIRULLA: &str = "capture=sum-or-fifteen priority=any ace=sweep-unless-ace declare=ask";

#[test]
fn declarations() {
    for (hand, wanted) in [
        ("2B4C7C", "!low:A !low:2 !low:3"),
        ("7D7C7S", "!three"),
        ("4D4C7C", "!three:4"),
        ("KCKSKB", "!three"),
        ("2B3C4C", "!low"),
        ("2B3C5C", ""),
        ("2B7C", ""),
    ] {
        let moves = moves(&view(CIRULLA, "4S5D6DKD", hand));
        let found = moves.find('!').map_or("", |at| &moves[at..]);
        assert_eq!(found, wanted, "{}", hand);
    }
    let mut view = view(CIRULLA, "4S5D6DKD", "2B3C4C");
    view.shown.insert(1, view.hand.clone());
    assert!(!moves(&view).contains('!'));
}

#[test]
fn wild_seven() {
    let mut in_hand = view(CIRULLA, "4S5D6DKD", "2B4C7C");
    in_hand.shown.insert(1, in_hand.hand.clone());
    in_hand.matta = Some(1);
    assert_eq!(moves(&in_hand), "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD");
    let rules = format!("{} matta=table", CIRULLA);
    let mut on_table = view(&rules, "4S5D6D7CKD", "3C7SQS");
    on_table.matta = Some(3);
    assert_eq!(
        moves(&on_table),
        "3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C"
    );
}

#[test]
fn choice_of_the_example() {
    for (rules, table, hand, wanted) in [
        ("", "4C7DQS", "4D7SKB", "7Sx7D"),
        ("", "4C", "4D7D", "4Dx4C"),
        ("", "KC", "4D4C7D", "4C"),
        ("aim=least", "KC", "4D4C7D", "7D"),
        ("declare=ask", "4CKS", "2B3C4S", "!low"),
    ] {
        let rules = format!("rules {}", rules);
        let state = POSITION.replace("AD2B7C", table).replace("3SKC", hand);
        assert_eq!(
            converse(
                crate::choose,
                crate::options(),
                &[&rules, &state, "go turn=a"]
            ),
            format!("move {} turn=a\n", wanted)
        );
    }
}

/// Goes through the examples of "Which capture" in protocol.md.
#[test]
fn captures() {
    let escoba = "capture=fifteen priority=any";
    let single = "priority=single";
    let equal = "equal-fifteen=yes";
    let first = "cirulla-equal=first";
    for (rules, table, card, wanted) in [
        (vec![], "2C4S6S", "6D", "6S"),
        (vec![escoba], "2D3C5S6B", "KC", "2D3C 5S"),
        (vec![escoba, single], "2D3C5S6B", "KC", "5S"),
        (vec![escoba, single], "AD2D3D4D6B", "KC", "AD4D 2D3D"),
        (vec![escoba, single], "4C5C6SKC", "5D", "KC"),
        (vec![escoba, single, equal], "4C5C6SKC", "5D", "5C KC"),
        (vec![escoba, equal], "4C5C6SKC", "5D", "4C6S 5C KC"),
        (vec![escoba, equal], "2C3CKC", "5D", "KC"),
        (vec![CIRULLA, first], "2B3D4S5C6B", "5S", "2B3D5C 4S6B 5C"),
        (vec![CIRULLA, first], "AC4SKC", "AD", "AC 4SKC"),
        (vec![CIRULLA, single], "2B3D4S5C6B", "5S", "5C"),
        (vec![CIRULLA], "4S5D6DKD", "AS", "4S5D6DKD 4SKD"),
    ] {
        let view = view(&rules.join(" "), table, "-");
        let captures = view.captures(card.parse().unwrap());
        let found: Vec<String> = captures.iter().map(|set| format_cards(set)).collect();
        assert_eq!(found.join(" "), wanted, "{:?} {} {}", rules, table, card);
    }
}

/// More rules than the presets have.
const FURTHER_RULES: [&str; 18] = [
    "scopa,max-captured=2",
    "scopa,priority=any,max-captured=2",
    "scopa,redeal=ace,rotation=against",
    "scopa,leftovers=dealer,last-scopa=yes",
    "escoba,priority=single",
    "escoba,priority=single,equal-fifteen=yes",
    "escoba,equal-fifteen=yes",
    "escoba,priority=fewest,equal-fifteen=yes,max-captured=2",
    "assi,ace-empty=take,ace-scopa=no",
    "assi-traditional,capture=fifteen,equal-fifteen=yes",
    "cirulla,cirulla-equal=first",
    "cirulla,priority=single",
    "cirulla,priority=fewest,ace=sweep-traditional",
    "cirulla,cirulla-ace=sweep,ace=sweep",
    "cirulla,matta=table,ace-empty=take",
    "cirulla,matta=plain,declare=auto",
    "cirulla,matta=table,declare=auto,opening=plain",
    "cirulla,count=at-once,all-coins=win",
];

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let path = env::temp_dir().join(format!("bot-test-{}", process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Lets bots of the arena play a match at random; returns what each seat heard.
fn record(folder: &Path, arena: &Path, rules: &str, teams: &str, seed: usize) -> Vec<Vec<String>> {
    let output = Command::new(arena)
        .current_dir(folder)
        .args(["match", "--quiet", "--sandbox", "off", "--tc", "none"])
        .args([
            "--rules",
            rules,
            "--teams",
            teams,
            "--deals",
            "2",
            "--seed",
            &seed.to_string(),
            "--trace",
            "trace.txt",
        ])
        .args(teams.chars().map(|_| "@random"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{} {}: {:?}", rules, teams, output);
    let trace = folder.join("trace.txt");
    let mut seats = vec![Vec::new(); teams.len()];
    for line in fs::read_to_string(&trace).unwrap().lines() {
        // Match, seat, bot, milliseconds and what was said.
        if let Some((head, heard)) = line.split_once(" -> ") {
            if let Some(Ok(seat)) = head.split_whitespace().nth(1).map(str::parse::<usize>) {
                seats[seat - 1].push(heard.to_string());
            }
        }
    }
    fs::remove_file(&trace).unwrap();
    seats
}

/// What a view says of a deal.
fn describe(view: &View) -> String {
    format!(
        "seat={} team={} teams={:?}\nhand={:?} table={:?}\npiles={:?} scopas={:?} \
         scores={:?}\nhand_counts={:?} deck={} last={:?} shown={:?}\nplays={:?}\n\
         declared={:?} matta={:?} opening={} deal={} dealer={} target={}",
        view.seat,
        view.team,
        view.teams,
        view.hand,
        view.table,
        view.piles,
        view.scopas,
        view.scores,
        view.hand_counts,
        view.deck,
        view.last,
        view.shown,
        view.plays,
        view.declared,
        view.matta,
        view.opening,
        view.deal,
        view.dealer,
        view.target
    )
}

/// Follows a game by its events and expects at each decision the view of the line
/// `state` and the moves of the line `legal`.
fn compare(lines: &[String]) -> Result<(), BadText> {
    let mut view = View::default();
    for text in lines {
        let line = Message::new(text);
        match line.verb.as_str() {
            "match" => view = View::of_match(&line)?,
            "rules" => {
                view.rules = Rules {
                    values: line.values,
                }
            }
            "state" => {
                let mut stated = View::default();
                stated.read_state(&line)?;
                assert_eq!(describe(&view), describe(&stated), "{}", text);
            }
            "legal" => {
                let moves = view.legal_moves();
                let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
                let found = format!("legal {}", moves.join(" "));
                assert_eq!(&found, text, "{}", describe(&view));
            }
            _ => {
                view.event(&line)?;
            }
        }
    }
    Ok(())
}

fn find_arena() -> Option<PathBuf> {
    let given = env::var_os("SCOPA_ARENA").filter(|given| !given.is_empty());
    if let Some(path) = given {
        return Some(PathBuf::from(path));
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join("scopa-arena"))
        .find(|path| path.is_file())
}

/// The presets, each with the first number of its seats: `scopa (2, ...` begins
/// what is said of one.
fn presets(arena: &Path) -> Vec<(String, char)> {
    let output = Command::new(arena).arg("rules").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let heads = text.lines().filter(|line| !line.starts_with(' '));
    heads
        .filter_map(|line| line.split_once(" ("))
        .map(|(name, seats)| (name.to_string(), seats.chars().next().unwrap()))
        .collect()
}

#[test]
fn games() {
    let arena = match find_arena() {
        Some(path) => path,
        None => {
            eprintln!("skipped: no scopa-arena is in SCOPA_ARENA or in PATH");
            return;
        }
    };
    let folder = Folder::new();
    let mut games = vec![("scopa".into(), "ABABAB"), ("scopa".into(), "ABCABC")];
    let presets = presets(&arena);
    assert!(!presets.is_empty());
    let seatings = ["ABC", "ABCD", "ABAB", "ABCDEF"];
    for (i, (preset, seats)) in presets.into_iter().enumerate() {
        if seats == '2' {
            games.push((preset.clone(), "AB"));
            games.push((preset, seatings[i % seatings.len()]));
        } else {
            games.push((preset, "ABAB"));
        }
    }
    for rules in FURTHER_RULES {
        games.extend(["AB", "ABC"].map(|teams| (rules.to_string(), teams)));
    }
    let mut all = Vec::new();
    for (i, (rules, teams)) in games.iter().enumerate() {
        for lines in record(&folder.0, &arena, rules, teams, i + 1) {
            compare(&lines).unwrap();
            all.extend(lines);
        }
    }
    for verb in ["redeal", "sweep", "declare", "show", "rest", "score"] {
        let verb = format!("{} ", verb);
        assert!(all.iter().any(|line| line.starts_with(&verb)), "{}", verb);
    }
    same_by_events(&all);
}

/// Expects that the example bot, in one process for many matches, plays the same
/// without lines `state` and `legal`.
fn same_by_events(lines: &[String]) {
    let mut heard: Vec<&str> = lines.iter().map(String::as_str).collect();
    heard.retain(|&line| line != "quit");
    let answers = converse(crate::choose, crate::options(), &heard);
    assert!(!answers.contains("error"));
    assert!(answers.matches("move ").count() > 1000);
    heard.retain(|line| !line.starts_with("state ") && !line.starts_with("legal "));
    assert_eq!(converse(crate::choose, crate::options(), &heard), answers);
}
