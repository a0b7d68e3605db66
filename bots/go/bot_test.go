// The tests of the kit: `go test`.  Those that play games need the program
// scopa-arena, in the variable SCOPA_ARENA or in PATH.
package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// converse returns what a bot answers to these lines.
func converse(bot Bot, lines ...string) string {
	var out strings.Builder
	serve(bot, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out)
	return out.String()
}

func expect(t *testing.T, found, wanted string) {
	t.Helper()
	if found != wanted {
		t.Errorf("found:\n%s\nwanted:\n%s", found, wanted)
	}
}

func testBot() Bot {
	return Bot{
		Name:   "a bot",
		Author: "50% me",
		Options: []Option{
			IntOption("depth", 4, 1, 9),
			BoolOption("calm", true),
			EnumOption("style", "plain", "plain", "so wild"),
			StringOption("book", ""),
			ButtonOption("forget"),
		},
		Choose: func(view *View) Move {
			options := view.Options
			view.Info("a # comment", "depth", options.Int("depth"),
				"calm", options.Bool("calm"),
				"style", options.Text("style"),
				"book", options.Text("book"),
				"forget", options.Bool("forget"))
			return view.Legal[0]
		},
	}
}

func TestHandshake(t *testing.T) {
	expect(t, converse(testBot(), "usp 2 arena=x", "", "# nothing",
		"isready\r", "ponder", "quit", "isready"),
		`id name=a%20bot author=50%25%20me
option name=depth type=int default=4 min=1 max=9
option name=calm type=bool default=true
option name=style type=enum default=plain values=plain|so%20wild
option name=book type=string
option name=forget type=button
feature position=1
uspok 1
readyok
error unknown # no verb "ponder"
`)
}

func TestLastLineWithoutAnEnd(t *testing.T) {
	var out strings.Builder
	serve(testBot(), strings.NewReader("isready"), &out)
	expect(t, out.String(), "readyok\n")
}

const rulesLine = "rules players=2 teams=AB hand=3 capture=sum priority=single"

// The start of a match, and of a deal, without lines `state` and `legal`.
var match = []string{
	"match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 tc=none seed=5",
	rulesLine,
	"seat 1 team=A name=me",
	"seat 2 team=B name=you",
}

var deal = []string{
	"deal 1 dealer=2 first=1 scores=A:0,B:0",
	"table 4B5S7DQD",
	"give 1 AD3SJD",
	"give 2 ??????",
}

// play returns what a bot that plays the first legal move answers.
func play(parts ...[]string) string {
	var lines []string
	for _, part := range parts {
		lines = append(lines, part...)
	}
	first := func(view *View) Move { return view.Legal[0] }
	return converse(Bot{Name: "first", Choose: first}, lines...)
}

func TestEvents(t *testing.T) {
	expect(t, play(match, deal, []string{"go turn=a move=10000 x-new=1",
		"play 1 AD", "play 2 2B", "go turn=b time=9 inc=1"}),
		"move AD turn=a\nmove 3SxAD2B turn=b\n")
}

func TestListOfTheArenaGoesFirst(t *testing.T) {
	expect(t, play(match, deal, []string{"legal 3S ... x-new=1", "go turn=a", "go turn=b"}),
		"move 3S turn=a\nmove AD turn=b\n")
	expect(t, play(match, deal, []string{"rules capture=odd", "legal 3S", "go turn=a"}),
		"move 3S turn=a\n")
}

func TestAbort(t *testing.T) {
	expect(t, play(match, deal, []string{"play 1 AD", "play 2 2B",
		"abort deal reason=x"},
		deal, []string{"go turn=a", "abort match reason=x",
			"endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort", "isready"},
		match, deal, []string{"redeal reason=kings", "table 2S", "go turn=b"}),
		"move AD turn=a\nreadyok\nmove AD turn=b\n")
}

func TestEventsWithoutAMatch(t *testing.T) {
	answers := play([]string{"score A total=3", "give 1 AD", "show 1 AD",
		"play 1 AD", "isready"})
	if !strings.HasSuffix(answers, "readyok\n") {
		t.Errorf("%q", answers)
	}
}

func TestUnknownVerbs(t *testing.T) {
	answers := converse(testBot(), strings.Split(strings.Repeat("x-a\n", 1000), "\n")...)
	if count := strings.Count(answers, "\n"); count < 1 || count > 64 {
		t.Errorf("%d answers", count)
	}
}

// A position of seat 2, with no match on.
const position = "state rules=scopa seats=2 teams=AB target=11 you=2 " +
	"hand=3SKC deal=1 dealer=2 turn=2 table=AD2B7C hands=1:3,2:2 deck=30 " +
	"pile=A:-,B:4C4S scopas=A:0,B:1 scores=A:3,B:4 last=2 shown=- " +
	"plays=2:4Cx4S/1:7C"

func TestOptions(t *testing.T) {
	expect(t, converse(testBot(), "setoption depth=9", "setoption calm=false",
		"setoption style=so%20wild", "setoption book=my%20book",
		"setoption forget=-", position, "legal KC KCxAD2B7C",
		"go turn=x1 move=100"),
		"info depth=9 m.calm=false m.style=so%20wild m.book=my%20book "+
			"m.forget=true # a # comment\nmove KC turn=x1\n")
	for _, wrong := range []string{"depth=0", "depth=10", "depth=", "depth=x",
		"calm=yes", "style=rude", "forget=1", "width=1"} {
		answer := converse(testBot(), "setoption "+wrong)
		if !strings.HasPrefix(answer, "error option # ") {
			t.Errorf("setoption %s: %q", wrong, answer)
		}
	}
}

func TestEmptyMove(t *testing.T) {
	defer func() {
		expect(t, recover().(string), "Choose returned an empty Move")
	}()
	converse(Bot{Choose: func(*View) Move { return Move{} }}, position,
		"legal 3S", "go turn=x1")
}

func TestPosition(t *testing.T) {
	var view View
	bot := Bot{Name: "test", Choose: func(given *View) Move {
		view = *given
		view.Random.Int()
		return given.Legal[len(given.Legal)-1]
	}}
	// Without rules the kit cannot find the legal moves itself.
	const fatal = "\nerror fatal # no move can be chosen\n"
	expect(t, converse(bot, position, "go turn=x1"),
		"error feature # neither a rules nor a legal line has come"+fatal)
	expect(t, converse(bot, "go turn=x1"),
		"error feature # go without a deal or a state line"+fatal)
	expect(t, converse(bot, position, "legal 3S", "go turn=x1"),
		"move 3S turn=x1\n")
	expect(t, view.Rules.Text("preset"), "scopa")
	expect(t, converse(bot, rulesLine, position,
		"go turn=x1 time=5000 inc=100"), "move KCxAD2B7C turn=x1\n")
	if view.Team != "B" || view.Scores["A"] != 3 || view.Last != 2 ||
		view.TimeMS != 5000 || view.IncMS != 100 || view.MoveMS != -1 ||
		len(view.Hidden()) != 33 || len(view.Plays) != 2 {
		t.Errorf("%+v", view)
	}
	expect(t, converse(bot, strings.Replace(rulesLine, "capture=sum",
		"capture=odd", 1), position, "go turn=x1"),
		"error feature # rules capture=odd is unknown"+fatal)
	expect(t, converse(bot, position+" you=3", "go turn=x1"),
		"error syntax # no seat 3\n")
}

// Goes through the examples of "Which capture" in protocol.md.
func TestCaptures(t *testing.T) {
	const escoba = "capture=fifteen priority=any "
	for _, example := range [][4]string{
		{"", "2C4S6S", "6D", "6S"},
		{escoba, "2D3C5S6B", "KC", "2D3C 5S"},
		{escoba + "priority=single", "2D3C5S6B", "KC", "5S"},
		{escoba + "priority=single", "AD2D3D4D6B", "KC", "AD4D 2D3D"},
		{escoba + "priority=single", "4C5C6SKC", "5D", "KC"},
		{escoba + "priority=single equal-fifteen=yes", "4C5C6SKC", "5D",
			"5C KC"},
		{escoba + "equal-fifteen=yes", "4C5C6SKC", "5D", "4C6S 5C KC"},
		{escoba + "equal-fifteen=yes", "2C3CKC", "5D", "KC"},
		{cirulla + "cirulla-equal=first", "2B3D4S5C6B", "5S",
			"2B3D5C 4S6B 5C"},
		{cirulla + "cirulla-equal=first", "AC4SKC", "AD", "AC 4SKC"},
		{cirulla + "priority=single", "2B3D4S5C6B", "5S", "5C"},
		{cirulla, "4S5D6DKD", "AS", "4S5D6DKD 4SKD"},
	} {
		view := &View{Table: ParseCards(example[1]),
			Rules: parseLine("rules " + example[0]).values}
		var found []string
		for _, set := range view.captures(ParseCards(example[2])[0]) {
			found = append(found, FormatCards(set))
		}
		expect(t, strings.Join(found, " "), example[3])
	}
}

// moves returns the legal moves of a view with these rules, table and hand.
func moves(rules, table, hand string, change func(view *View)) string {
	view := &View{Seat: 1, Rules: parseLine("rules " + rules).values,
		Table: ParseCards(table), Hand: ParseCards(hand)}
	if change != nil {
		change(view)
	}
	var found []string
	for _, move := range view.LegalMoves() {
		found = append(found, move.String())
	}
	return strings.Join(found, " ")
}

const cirulla = "capture=sum-or-fifteen priority=any ace=sweep-unless-ace " +
	"declare=ask "

func TestDeclarations(t *testing.T) {
	for hand, wanted := range map[string]string{
		"2B4C7C": "!low:A !low:2 !low:3",
		"7D7C7S": "!three",
		"4D4C7C": "!three:4",
		"KCKSKB": "!three",
		"2B3C4C": "!low",
		"2B3C5C": "",
		"2B7C":   "",
	} {
		_, found, _ := strings.Cut(moves(cirulla, "4S5D6DKD", hand, nil), "!")
		expect(t, strings.TrimSuffix("!"+found, "!"), wanted)
	}
	found := moves(cirulla, "4S5D6DKD", "2B3C4C", func(view *View) {
		view.Shown = map[int][]Card{1: view.Hand}
	})
	if strings.Contains(found, "!") {
		t.Errorf("a hand is declared twice: %s", found)
	}
}

func TestWildSeven(t *testing.T) {
	expect(t, moves(cirulla, "4S5D6DKD", "2B4C7C", func(view *View) {
		view.Shown = map[int][]Card{1: view.Hand}
		view.Matta = 1
	}), "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD")
	expect(t, moves(cirulla+"matta=table", "4S5D6D7CKD", "3C7SQS",
		func(view *View) { view.Matta = 3 }),
		"3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C")
}

func TestChoose(t *testing.T) {
	for _, example := range [][4]string{
		{"", "4C7DQS", "4D7SKB", "7Sx7D"},
		{"", "4C", "4D7D", "4Dx4C"},
		{"", "KC", "4D4C7D", "4C"},
		{"aim=least", "KC", "4D4C7D", "7D"},
		{"declare=ask", "4CKS", "2B3C4S", "!low"},
	} {
		view := &View{Seat: 1, Rules: parseLine("rules " + example[0]).values,
			Table: ParseCards(example[1]), Hand: ParseCards(example[2]),
			HandCounts: map[int]int{1: len(example[2]) / 2, 2: len(example[2]) / 2},
			Options:    Options{}}
		for _, option := range bot.Options {
			view.Options[option.Name] = option.Default
		}
		view.Legal = view.LegalMoves()
		expect(t, choose(view).String(), example[3])
	}
}

// More rules than the presets have.
var furtherRules = []string{
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
}

// record lets bots of the arena play a match at random and returns what each seat
// heard.
func record(t *testing.T, arena, rules, teams string, seed int) [][]string {
	trace := filepath.Join(t.TempDir(), "trace.txt")
	arguments := []string{"match", "--quiet", "--sandbox", "off", "--tc", "none",
		"--rules", rules, "--teams", teams, "--deals", "2", "--seed", strconv.Itoa(seed),
		"--trace", trace}
	for range teams {
		arguments = append(arguments, "@random")
	}
	command := exec.Command(arena, arguments...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	// Match, seat, bot, milliseconds and what was said.
	sent := regexp.MustCompile(`(?m)^\w+ +(\d) \S+ +\S+ -> (.*)$`)
	seats := make([][]string, len(teams))
	for _, line := range sent.FindAllStringSubmatch(string(text), -1) {
		seat := line[1][0] - '1'
		seats[seat] = append(seats[seat], line[2])
	}
	return seats
}

// compare follows a game by its events and expects at each decision the view
// of the line `state` and the moves of the line `legal`.
func compare(t *testing.T, lines []string) {
	var view *View
	for _, text := range lines {
		line := parseLine(text)
		switch line.verb {
		case "match":
			view = newView(line)
		case "rules":
			view.Rules = line.values
		case "state":
			stated := &View{Deals: view.Deals, Rules: view.Rules,
				Seed: view.Seed, Random: view.Random}
			stated.readState(line)
			if !reflect.DeepEqual(view, stated) {
				t.Fatalf("%s\nby events: %+v\nby state: %+v", text, view, stated)
			}
		case "legal":
			found := "legal"
			for _, move := range view.LegalMoves() {
				found += " " + move.String()
			}
			if found != text {
				t.Fatalf("by the kit: %s\nby the arena: %s\nview: %+v",
					found, text, view)
			}
		default:
			if change := events[line.verb]; change != nil {
				change(view, line)
			}
		}
	}
}

func TestGames(t *testing.T) {
	arena := os.Getenv("SCOPA_ARENA")
	if arena == "" {
		arena, _ = exec.LookPath("scopa-arena")
	}
	if arena == "" {
		t.Skip("no scopa-arena in SCOPA_ARENA or in PATH")
	}
	list, err := exec.Command(arena, "rules").Output()
	if err != nil {
		t.Fatal(err)
	}
	// A preset stands at the start of a line, with its seats: `scopa (2, ...`.
	presets := regexp.MustCompile(`(?m)^(\S+) \((\d)`).
		FindAllStringSubmatch(string(list), -1)
	if len(presets) == 0 {
		t.Fatal("no presets")
	}
	var all []string
	count := 0
	follow := func(rules string, seatings ...string) {
		for _, teams := range seatings {
			t.Run(rules+" "+teams, func(t *testing.T) {
				count++
				for _, lines := range record(t, arena, rules, teams, count) {
					compare(t, lines)
					all = append(all, lines...)
				}
			})
		}
	}
	seatings := []string{"ABC", "ABCD", "ABAB", "ABCDEF"}
	for i, preset := range presets {
		if preset[2] == "2" {
			follow(preset[1], "AB", seatings[i%len(seatings)])
		} else {
			follow(preset[1], "ABAB")
		}
	}
	follow("scopa", "ABABAB", "ABCABC")
	for _, rules := range furtherRules {
		follow(rules, "AB", "ABC")
	}
	sameByEvents(t, all)
}

// sameByEvents expects that the example bot, in one process for many matches,
// plays the same without lines `state` and `legal`.
func sameByEvents(t *testing.T, lines []string) {
	var heard, heardEvents []string
	verbs := map[string]bool{"abort": true} // an arena that is not stopped says no abort
	for _, line := range lines {
		verb := parseLine(line).verb
		verbs[verb] = true
		if verb == "quit" {
			continue
		}
		heard = append(heard, line)
		if verb != "state" && verb != "legal" {
			heardEvents = append(heardEvents, line)
		}
	}
	for verb := range events {
		if !verbs[verb] {
			t.Errorf("no game had a line %q", verb)
		}
	}
	answers := converse(bot, heard...)
	if strings.Count(answers, "move ") < 1000 || strings.Contains(answers, "error") {
		t.Errorf("%.1000s", answers)
	}
	expect(t, converse(bot, heardEvents...),
		answers)
}
