// The protocol side of a bot: it speaks USP/1 with the arena, follows the game
// and lists the legal moves.  A bot calls Run with a function that chooses a
// move; bot.go is an example.
//
// The file has five parts: cards and moves, the view of a seat, the legal
// moves, the lines that change the view, and the conversation with the arena.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
)

// ---- Cards and moves

const (
	ranks = "A234567JQK" // in order of value, 1 to 10
	suits = "DCSB"       // coins, cups, swords, clubs
)

// A Card is one of the forty cards: Card{'7', 'D'} is the 7 of coins.
type Card struct{ Rank, Suit byte }

// matta is the 7 of cups, the wild card of Cirulla.
var matta = Card{'7', 'C'}

// Value returns the value that is printed on the card, 1 to 10.
func (card Card) Value() int { return rankValue(card.Rank) }

// String returns the card as in the protocol, such as "7D".
func (card Card) String() string { return string([]byte{card.Rank, card.Suit}) }

// index gives the place of the card in the canonical order.
func (card Card) index() int {
	return 4*card.Value() + strings.IndexByte(suits, card.Suit)
}

func rankValue(rank byte) int { return strings.IndexByte(ranks, rank) + 1 }

// Pack returns the forty cards in canonical order.
func Pack() []Card {
	var pack []Card
	for i := range ranks {
		for j := range suits {
			pack = append(pack, Card{ranks[i], suits[j]})
		}
	}
	return pack
}

// ParseCards reads a set of cards, such as "3C4S"; "-" is the empty set.
func ParseCards(text string) []Card {
	cards := []Card{}
	if text == "-" {
		return cards
	}
	for i := 0; i < len(text); i += 2 {
		if i+1 == len(text) || strings.IndexByte(ranks, text[i]) < 0 ||
			strings.IndexByte(suits, text[i+1]) < 0 {
			panic(lineError("no cards: " + text))
		}
		cards = append(cards, Card{text[i], text[i+1]})
	}
	return cards
}

// FormatCards writes a set of cards; the empty set is "-".
func FormatCards(cards []Card) string {
	if len(cards) == 0 {
		return "-"
	}
	var text strings.Builder
	for _, card := range cards {
		text.WriteString(card.String())
	}
	return text.String()
}

func sortCards(cards []Card) {
	sort.Slice(cards, func(i, j int) bool {
		return cards[i].index() < cards[j].index()
	})
}

// union returns both sets in canonical order.
func union(a, b []Card) []Card {
	all := append(append([]Card{}, a...), b...)
	sortCards(all)
	return all
}

// Without returns the cards that are not among those removed.
func Without(cards []Card, removed ...Card) []Card {
	rest := []Card{}
	for _, card := range cards {
		if !contains(removed, card) {
			rest = append(rest, card)
		}
	}
	return rest
}

func contains[T comparable](list []T, item T) bool {
	for _, other := range list {
		if other == item {
			return true
		}
	}
	return false
}

// A Move plays a card, which captures cards of the table or is laid there, or
// declares the hand (Cirulla).
type Move struct {
	Card        Card   // the zero Card in a declaration
	Captured    []Card // empty where the card is laid
	Declaration string // "low" or "three"; "" where a card is played
	Rank        string // of a declaration: the rank of the wild 7 of cups, or ""
}

// ParseMove reads a move, such as "7D", "7Dx3C4S" or "!low:A".
func ParseMove(text string) Move {
	if strings.HasPrefix(text, "!") {
		name, rank, _ := strings.Cut(text[1:], ":")
		return Move{Declaration: name, Rank: rank}
	}
	played, captured, _ := strings.Cut(text, "x")
	cards := ParseCards(played)
	if len(cards) != 1 {
		panic(lineError("no move: " + text))
	}
	return Move{Card: cards[0], Captured: ParseCards(captured)}
}

// String returns the move as in the protocol.
func (move Move) String() string {
	switch {
	case move.Declaration != "" && move.Rank != "":
		return "!" + move.Declaration + ":" + move.Rank
	case move.Declaration != "":
		return "!" + move.Declaration
	case len(move.Captured) > 0:
		return move.Card.String() + "x" + FormatCards(move.Captured)
	}
	return move.Card.String()
}

// ---- The view

// A Play is an entry of the history of a deal.
type Play struct {
	Seat int
	Move Move
}

// Rules holds the rule parameters of the game, such as capture=sum.
type Rules map[string]string

// moveRules are the rules that decide what is legal, with the values that the
// kit knows.  The first value holds where the arena leaves the key out.
var moveRules = map[string][]string{
	"capture":       {"sum", "fifteen", "sum-or-fifteen"},
	"equal-fifteen": {"no", "yes"},
	"priority":      {"single", "fewest", "any"},
	"max-captured":  {"0", "2"},
	"ace":           {"plain", "sweep", "sweep-unless-ace", "sweep-traditional"},
	"ace-empty":     {"stay", "take"},
	"cirulla-ace":   {"choice", "sweep"},
	"cirulla-equal": {"choice", "first"},
	"declare":       {"off", "auto", "ask"},
	"matta":         {"hand", "plain", "table"},
}

// Text returns a parameter as it is written.
func (rules Rules) Text(key string) string {
	if value, found := rules[key]; found {
		return value
	}
	if values := moveRules[key]; values != nil {
		return values[0]
	}
	return ""
}

// Is tells whether a parameter that can be "yes" or "no" is "yes".
func (rules Rules) Is(key string) bool { return rules.Text(key) == "yes" }

// Number returns a parameter that is a number; 0 where it is none.
func (rules Rules) Number(key string) int {
	number, _ := strconv.Atoi(rules.Text(key))
	return number
}

// check returns an error where a rule has a value that LegalMoves does not
// know.
func (rules Rules) check() error {
	for key, values := range moveRules {
		if !contains(values, rules.Text(key)) {
			return fmt.Errorf("rules %s=%s is unknown", key, rules.Text(key))
		}
	}
	return nil
}

// A View is what the seat to move knows.  Seats are numbered from 1, teams are
// letters, sets of cards are in canonical order.  Only read it: the kit goes on
// with it.
type View struct {
	Seat       int
	Team       string
	Seats      int
	Teams      []string // the team of each seat; Teams[0] is that of seat 1
	Hand       []Card
	Table      []Card
	Piles      map[string][]Card // what each team has captured
	Scopas     map[string]int
	Scores     map[string]int // points of the match before this deal
	HandCounts map[int]int    // how many cards each seat holds
	Deck       int            // how many cards are not yet dealt
	Last       int            // the seat that captured last, or 0
	Shown      map[int][]Card // what is left of declared hands
	Plays      []Play         // the deal so far
	Declared   map[string]int // points of declarations
	Matta      int            // the value that the wild 7 of cups has now, or 0
	Opening    int            // scopas that the dealer made of the first table
	Deal       int            // the number of the deal, from 1
	Dealer     int
	Target     int // points that end the match
	Deals      int // deals of a match with a fixed number, or 0
	Rules      Rules
	Legal      []Move
	TimeMS     int // milliseconds left in the bank, or -1
	IncMS      int // what each decision adds to it, or -1
	MoveMS     int // milliseconds for this decision, or -1
	Seed       uint64
	Random     *rand.Rand // seeded by Seed
	Options    Options

	say func(line string) // sends a line to the arena
}

// TeamOf returns the team of a seat.
func (view *View) TeamOf(seat int) string {
	if seat < 1 || seat > len(view.Teams) {
		panic(lineError(fmt.Sprintf("no seat %d", seat)))
	}
	return view.Teams[seat-1]
}

// Hidden returns the cards that may be in the deck or in hands of others.
func (view *View) Hidden() []Card {
	hidden := Without(Without(Pack(), view.Hand...), view.Table...)
	for _, pile := range view.Piles {
		hidden = Without(hidden, pile...)
	}
	for _, hand := range view.Shown {
		hidden = Without(hidden, hand...)
	}
	return hidden
}

// Value returns the value of a card in the hand or on the table.  Only a wild 7
// of cups may have another than what is printed on it.
func (view *View) Value(card Card) int {
	if card == matta && view.Matta != 0 {
		return view.Matta
	}
	return card.Value()
}

// Info says what the bot thinks of this decision, for records and charts: a
// comment, which may be empty, then names and values.  The names depth, nodes,
// value (expected points), time (milliseconds), cut and pv (moves, joined by a
// comma) are those of the protocol; any other is a number of your own.
//
//	view.Info("a safe table", "value", 0.31, "worlds", 64)
func (view *View) Info(comment string, pairs ...any) {
	known := []string{"depth", "nodes", "value", "time", "cut", "pv"}
	line := "info"
	for i := 0; i+1 < len(pairs); i += 2 {
		name := fmt.Sprint(pairs[i])
		if !contains(known, name) {
			name = "m." + name
		}
		line += " " + name + "=" + escape(fmt.Sprint(pairs[i+1]))
	}
	if comment != "" {
		line += " # " + strings.Join(strings.Fields(comment), " ")
	}
	view.say(fmt.Sprintf("%.4000s", line))
}

// ---- Legal moves

// LegalMoves lists the legal moves of the seat in canonical order.
func (view *View) LegalMoves() []Move {
	var moves []Move
	for _, card := range view.Hand {
		captures := view.captures(card)
		for _, captured := range captures {
			moves = append(moves, Move{Card: card, Captured: captured})
		}
		if len(captures) == 0 {
			moves = append(moves, Move{Card: card})
		}
	}
	if view.Rules.Text("declare") == "ask" {
		moves = append(moves, view.declarations()...)
	}
	return moves
}

// captures lists the sets of which the card must take one; without any, the
// card is laid.  The steps are those of "Which capture" in protocol.md.
func (view *View) captures(card Card) [][]Card {
	rules, value := view.Rules, view.Value(card)
	both := rules.Text("capture") == "sum-or-fifteen"
	sweeps := value == 1 && view.aceSweeps()
	if sweeps && !(both && rules.Text("cirulla-ace") == "choice") {
		return [][]Card{view.Table}
	}

	sum := both || rules.Text("capture") == "sum"
	fifteen := both || rules.Text("capture") == "fifteen"
	equal := sum || rules.Text("equal-fifteen") == "yes"
	equalFirst := both && rules.Text("cirulla-equal") == "first" && view.onTable(value)
	most := value // the greatest total that can matter
	if fifteen && most < 15-value {
		most = 15 - value
	}
	size := rules.Number("max-captured")
	if size == 0 {
		size = len(view.Table)
	}
	var sets [][]Card
	smallest := size
	for _, set := range view.subsets(view.Table, most, size) {
		total, single := view.total(set), len(set) == 1
		if fifteen && total == 15-value ||
			single && equal && total == value ||
			!single && sum && total == value && !equalFirst {
			sets = append(sets, set)
			if len(set) < smallest {
				smallest = len(set)
			}
		}
	}
	if rules.Text("priority") == "fewest" ||
		rules.Text("priority") == "single" && smallest == 1 {
		sets = ofSize(sets, smallest)
	}
	if sweeps {
		sets = insertSet(sets, view.Table)
	}
	return sets
}

// subsets lists the sets of at most `size` of these cards that total at most
// `total`, in canonical order.
func (view *View) subsets(cards []Card, total, size int) [][]Card {
	var sets [][]Card
	for i, card := range cards {
		left := total - view.Value(card)
		if left < 0 || size == 0 {
			continue
		}
		sets = append(sets, []Card{card})
		for _, others := range view.subsets(cards[i+1:], left, size-1) {
			sets = append(sets, append([]Card{card}, others...))
		}
	}
	return sets
}

func (view *View) total(cards []Card) int {
	total := 0
	for _, card := range cards {
		total += view.Value(card)
	}
	return total
}

// onTable tells whether a card of this value lies on the table.
func (view *View) onTable(value int) bool {
	for _, card := range view.Table {
		if view.Value(card) == value {
			return true
		}
	}
	return false
}

// aceSweeps tells whether an ace that is played now can take the whole table.
func (view *View) aceSweeps() bool {
	switch view.Rules.Text("ace") {
	case "sweep":
		return len(view.Table) > 0
	case "sweep-unless-ace":
		return len(view.Table) > 0 && !view.onTable(1)
	case "sweep-traditional":
		return len(view.Table) > 0 && !view.onTable(1) && view.cardPlayed()
	}
	return false
}

// cardPlayed tells whether any card of the deal has been played.
func (view *View) cardPlayed() bool {
	for _, play := range view.Plays {
		if play.Move.Declaration == "" {
			return true
		}
	}
	return false
}

func ofSize(sets [][]Card, size int) [][]Card {
	var found [][]Card
	for _, set := range sets {
		if len(set) == size {
			found = append(found, set)
		}
	}
	return found
}

// insertSet adds a set at its place in the canonical order, if it is missing.
func insertSet(sets [][]Card, set []Card) [][]Card {
	at := sort.Search(len(sets), func(i int) bool {
		return compareSets(sets[i], set) >= 0
	})
	if at < len(sets) && compareSets(sets[at], set) == 0 {
		return sets
	}
	sets = append(sets, nil)
	copy(sets[at+1:], sets[at:])
	sets[at] = set
	return sets
}

// compareSets is negative where a comes before b, and 0 where they are equal.
func compareSets(a, b []Card) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return a[i].index() - b[i].index()
		}
	}
	return len(a) - len(b)
}

// declarations lists the declarations of an untouched hand of three cards.
func (view *View) declarations() []Move {
	_, shown := view.Shown[view.Seat]
	if len(view.Hand) != 3 || shown {
		return nil
	}
	others := Without(view.Hand, matta)
	wild := len(others) == 2
	value := others[0].Value()
	if countOf(others, value) == len(others) {
		// With two other sevens the 7 of cups needs no other value.
		if wild && value != matta.Value() {
			return []Move{{Declaration: "three", Rank: string(others[0].Rank)}}
		}
		return []Move{{Declaration: "three"}}
	}
	total := 0
	for _, card := range others {
		total += card.Value()
	}
	if !wild && total < 10 {
		return []Move{{Declaration: "low"}}
	}
	var moves []Move
	for value := 1; wild && total+value < 10; value++ {
		moves = append(moves, Move{Declaration: "low", Rank: ranks[value-1 : value]})
	}
	return moves
}

func countOf(cards []Card, value int) int {
	count := 0
	for _, card := range cards {
		if card.Value() == value {
			count++
		}
	}
	return count
}

// ---- The lines of the arena that change the view

// A lineError says what is wrong with a line of the arena.
type lineError string

// A message is a line of the arena: a verb, the positional tokens, and the pairs
// KEY=VALUE.
type message struct {
	text   string // the whole line, without a comment
	verb   string
	words  []string
	values map[string]string
}

// parseLine splits a line; a token that begins with # begins a comment.
func parseLine(line string) message {
	var tokens []string
	for _, token := range strings.Fields(line) {
		if token[0] == '#' {
			break
		}
		tokens = append(tokens, token)
	}
	if len(tokens) == 0 {
		return message{}
	}
	message := message{
		text:   strings.Join(tokens, " "),
		verb:   tokens[0],
		values: map[string]string{},
	}
	for _, token := range tokens[1:] {
		if key, value, isPair := strings.Cut(token, "="); isPair {
			message.values[key] = value
		} else {
			message.words = append(message.words, token)
		}
	}
	return message
}

// word returns the positional token of this number, from 0.
func (message message) word(i int) string {
	if i >= len(message.words) {
		panic(lineError(message.verb + ": words are missing"))
	}
	return message.words[i]
}

func (message message) seat() int { return number(message.word(0)) }

// number returns the value of a key, or `missing` where it does not stand in
// the line.
func (message message) number(key string, missing int) int {
	if value, found := message.values[key]; found {
		return number(value)
	}
	return missing
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(lineError("no number: " + text))
	}
	return value
}

// list splits the value of a key: "A:0,B:2" with "," into the pairs A 0 and
// B 2.  "-" is the empty list.
func (message message) list(key, separator string) [][2]string {
	var pairs [][2]string
	if text := message.values[key]; text != "" && text != "-" {
		for _, item := range strings.Split(text, separator) {
			name, value, _ := strings.Cut(item, ":")
			pairs = append(pairs, [2]string{name, value})
		}
	}
	return pairs
}

// points reads a list of numbers of teams, such as "A:0,B:2".
func (message message) points(key string) map[string]int {
	points := map[string]int{}
	for _, item := range message.list(key, ",") {
		points[item[0]] = number(item[1])
	}
	return points
}

// events are the lines that say what happens in a match.
var events = map[string]func(view *View, line message){
	"deal": (*View).startDeal,
	"table": func(view *View, line message) {
		view.Table = ParseCards(line.word(0))
		view.Deck = len(Pack()) - len(view.Table)
	},
	"give":    (*View).give,
	"sweep":   (*View).sweep,
	"declare": (*View).declare,
	"show": func(view *View, line message) {
		view.Shown[line.seat()] = ParseCards(line.word(1))
	},
	"play": (*View).play,
	"rest": func(view *View, line message) {
		view.capture(line.seat(), ParseCards(line.word(1)))
		view.Table = []Card{}
	},
	"score": func(view *View, line message) {
		view.Scores[line.word(0)] = line.number("total", 0)
	},
	"seat":    nil,
	"redeal":  nil,
	"enddeal": nil,
	"abort":   nil,
}

// emptyView returns the view outside of a match.
func emptyView() *View {
	view := &View{Scores: map[string]int{}}
	view.clear()
	return view
}

// newView returns the view at the start of a match.
func newView(line message) *View {
	seed, _ := strconv.ParseUint(line.values["seed"], 16, 64)
	view := emptyView()
	view.Deals = line.number("deals", 0)
	view.Seed = seed
	view.Random = rand.New(rand.NewSource(int64(seed)))
	view.readSeats(line)
	view.clear()
	return view
}

// readSeats reads what the lines `match` and `state` have in common.
func (view *View) readSeats(line message) {
	view.Teams = strings.Split(line.values["teams"], "")
	view.Seats = len(view.Teams)
	view.Seat = line.number("you", 0)
	view.Team = view.TeamOf(view.Seat)
	view.Target = line.number("target", 0)
}

// clear forgets the deal before.
func (view *View) clear() {
	view.Hand, view.Table, view.Plays = []Card{}, []Card{}, nil
	view.Deck, view.Last, view.Opening, view.Matta = len(Pack()), 0, 0, 0
	view.HandCounts, view.Shown = map[int]int{}, map[int][]Card{}
	view.Piles = map[string][]Card{}
	view.Scopas, view.Declared = map[string]int{}, map[string]int{}
	for i, team := range view.Teams {
		view.HandCounts[i+1] = 0
		view.Piles[team] = []Card{}
		view.Scopas[team] = 0
		view.Declared[team] = 0
	}
}

func (view *View) startDeal(line message) {
	view.clear()
	view.Deal = number(line.word(0))
	view.Dealer = line.number("dealer", 0)
	view.Scores = line.points("scores")
}

func (view *View) give(line message) {
	seat, cards := line.seat(), line.word(1)
	view.HandCounts[seat] = len(cards) / 2
	view.Deck -= len(cards) / 2
	if seat == view.Seat {
		view.Hand = ParseCards(cards)
	}
}

func (view *View) sweep(line message) {
	seat := line.seat()
	view.capture(seat, ParseCards(line.word(1)))
	view.Table = []Card{}
	view.Last = seat
	view.Opening = line.number("scopa", 0)
	view.Scopas[view.TeamOf(seat)] += view.Opening
}

func (view *View) declare(line message) {
	seat, move := line.seat(), ParseMove("!"+line.word(1))
	view.Plays = append(view.Plays, Play{seat, move})
	view.Declared[view.TeamOf(seat)] += line.number("points", 0)
	if move.Rank != "" && view.Rules.Text("matta") != "plain" {
		view.Matta = rankValue(move.Rank[0])
	}
}

func (view *View) play(line message) {
	seat, move := line.seat(), ParseMove(line.word(1))
	card, captured := move.Card, move.Captured
	view.Plays = append(view.Plays, Play{seat, move})
	view.Hand = Without(view.Hand, card)
	view.HandCounts[seat]--
	if shown := Without(view.Shown[seat], card); len(shown) > 0 {
		view.Shown[seat] = shown
	} else {
		delete(view.Shown, seat)
	}
	aceTaken := view.Rules.Text("ace-empty") == "take" && len(view.Table) == 0 &&
		view.Value(card) == 1
	if len(captured) > 0 || aceTaken {
		view.Table = Without(view.Table, captured...)
		view.capture(seat, append([]Card{card}, captured...))
		view.Last = seat
	} else {
		view.Table = union(view.Table, []Card{card})
	}
	view.Scopas[view.TeamOf(seat)] += line.number("scopa", 0)

	// The wild 7 of cups is a seven again, unless it lies on the table and
	// the rules say that it stays what it was.
	moved := card == matta || contains(captured, matta)
	if moved && !(view.Rules.Text("matta") == "table" && contains(view.Table, matta)) {
		view.Matta = 0
	}
}

// capture puts cards on the pile of the team of a seat.
func (view *View) capture(seat int, cards []Card) {
	team := view.TeamOf(seat)
	view.Piles[team] = union(view.Piles[team], cards)
}

// readState takes the deal from a line `state`.
func (view *View) readState(line message) {
	view.readSeats(line)
	view.clear()
	view.Hand = ParseCards(line.values["hand"])
	view.Table = ParseCards(line.values["table"])
	view.Deal = line.number("deal", 0)
	view.Dealer = line.number("dealer", 0)
	view.Deck = line.number("deck", 0)
	view.Scores = line.points("scores")
	view.Opening = line.number("opening", 0)
	for team, scopas := range line.points("scopas") {
		view.Scopas[team] = scopas
	}
	for team, points := range line.points("declared") {
		view.Declared[team] = points
	}
	for _, item := range line.list("hands", ",") {
		view.HandCounts[number(item[0])] = number(item[1])
	}
	for _, item := range line.list("pile", ",") {
		view.Piles[item[0]] = ParseCards(item[1])
	}
	for _, item := range line.list("shown", ",") {
		view.Shown[number(item[0])] = ParseCards(item[1])
	}
	for _, item := range line.list("plays", "/") {
		view.Plays = append(view.Plays, Play{number(item[0]), ParseMove(item[1])})
	}
	if last := line.values["last"]; last != "-" {
		view.Last = line.number("last", 0)
	}
	if rank := line.values["matta"]; rank != "" {
		view.Matta = rankValue(rank[0]) // 0 of "-"
	}
}

// ---- The conversation with the arena

// A Bot is what Run needs to know of a bot.
type Bot struct {
	Name    string
	Version string
	Author  string
	Options []Option
	Choose  func(view *View) Move
}

// An Option can be set by users.  IntOption and the like make options.
type Option struct {
	Name, Type, Default string
	Min, Max            int      // of an int
	Values              []string // of an enum
}

// IntOption makes an option that is a number from least to most.
func IntOption(name string, value, least, most int) Option {
	return Option{Name: name, Type: "int", Default: strconv.Itoa(value),
		Min: least, Max: most}
}

// BoolOption makes an option that is true or false.
func BoolOption(name string, value bool) Option {
	return Option{Name: name, Type: "bool", Default: strconv.FormatBool(value)}
}

// EnumOption makes an option that is one of several words.
func EnumOption(name, value string, values ...string) Option {
	return Option{Name: name, Type: "enum", Default: value, Values: values}
}

// StringOption makes an option that is a text.
func StringOption(name, value string) Option {
	return Option{Name: name, Type: "string", Default: value}
}

// ButtonOption makes an option that users can press: it is true from then on.
func ButtonOption(name string) Option {
	return Option{Name: name, Type: "button"}
}

// declaration returns the line that declares the option.
func (option Option) declaration() string {
	line := "option name=" + option.Name + " type=" + option.Type
	if option.Default != "" {
		line += " default=" + escape(option.Default)
	}
	switch option.Type {
	case "int":
		line += fmt.Sprintf(" min=%d max=%d", option.Min, option.Max)
	case "enum":
		line += " values=" + escape(strings.Join(option.Values, "|"))
	}
	return line
}

// check returns an error where the option cannot have this value.
func (option Option) check(value string) error {
	switch option.Type {
	case "int":
		number, err := strconv.Atoi(value)
		if err != nil || number < option.Min || number > option.Max {
			return fmt.Errorf("must be a whole number %d..%d", option.Min, option.Max)
		}
	case "bool":
		if value != "true" && value != "false" {
			return errors.New("must be true or false")
		}
	case "enum":
		if !contains(option.Values, value) {
			return errors.New("must be one of " + strings.Join(option.Values, ", "))
		}
	case "button":
		if value != "-" {
			return errors.New("is a button, which has the value -")
		}
	}
	return nil
}

// Options holds the values of the options of a bot.
type Options map[string]string

// Int returns the value of an int.
func (options Options) Int(name string) int { return number(options[name]) }

// Bool returns the value of a bool, or whether a button was pressed.
func (options Options) Bool(name string) bool {
	return options[name] == "true" || options[name] == "-"
}

// Text returns the value of an enum or a string.
func (options Options) Text(name string) string { return options[name] }

// escape writes a value without bytes that a line may not have.
func escape(value string) string {
	var text strings.Builder
	for i := 0; i < len(value); i++ {
		char := value[i]
		if char <= ' ' || char > '~' || char == '%' || char == '#' && i == 0 {
			fmt.Fprintf(&text, "%%%02X", char)
		} else {
			text.WriteByte(char)
		}
	}
	return text.String()
}

// unescape reads a value that escape wrote.
func unescape(value string) string {
	var text strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '%' && i+2 < len(value) {
			if char, err := strconv.ParseUint(value[i+1:i+3], 16, 8); err == nil {
				text.WriteByte(byte(char))
				i += 2
				continue
			}
		}
		text.WriteByte(value[i])
	}
	return text.String()
}

// Run plays until the arena says `quit` or closes the input, and ends the
// process.  A panic of Choose ends it with status 1, and the arena shows the
// stack.  What Choose prints goes to standard error.
func Run(bot Bot) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", reason, debug.Stack())
			os.Exit(1)
		}
	}()
	out := os.Stdout
	os.Stdout = os.Stderr
	serve(bot, os.Stdin, out)
	os.Exit(0)
}

// An arena ends a bot that says too much unasked.
const unknownVerbsMax = 16

// A session reads the lines of the arena and answers them.
type session struct {
	bot          Bot
	out          io.Writer
	options      Options
	view         *View
	rulesKnown   bool    // a line `rules` holds
	state        message // the last line `state`; its verb is "" where none came
	legal        []Move  // those of the last line `legal`
	unknownVerbs int
}

// serve answers the lines of `in` until one is `quit`.
func serve(bot Bot, in io.Reader, out io.Writer) {
	session := &session{bot: bot, out: out, options: Options{}, view: emptyView()}
	for _, option := range bot.Options {
		session.options[option.Name] = option.Default
	}
	lines := bufio.NewReader(in)
	for {
		text, _ := lines.ReadString('\n')
		if text == "" { // the end of the input
			return
		}
		line := parseLine(text)
		if line.verb == "quit" {
			return
		}
		session.handle(line)
	}
}

// say sends one line.  It has no bytes that the protocol does not allow, and is
// not buffered.
func (session *session) say(line string) {
	fmt.Fprintln(session.out, strings.Map(func(char rune) rune {
		if char < ' ' || char > '~' {
			return '?'
		}
		return char
	}, line))
}

// handle reads a line, and decides where the line asks for it.
func (session *session) handle(line message) {
	if session.read(line) && line.verb == "go" {
		session.decide(line)
	}
}

// read takes from a line what it says; it returns false where the line is wrong
// or leaves the kit without a legal move.
func (session *session) read(line message) (done bool) {
	defer func() {
		if reason := recover(); reason != nil {
			why, wrong := reason.(lineError)
			if !wrong {
				panic(reason)
			}
			session.say("error syntax # " + string(why))
		}
	}()
	switch line.verb {
	case "usp":
		session.greet()
	case "setoption":
		session.setOption(line)
	case "isready":
		session.say("readyok")
	case "match":
		session.view, session.rulesKnown = newView(line), false
	case "endmatch":
		session.view, session.rulesKnown = emptyView(), false
	case "rules":
		session.view.Rules, session.rulesKnown = line.values, true
	case "state":
		session.state = line
	case "legal":
		session.legal = nil
		for _, word := range line.words {
			if word != "..." { // the list was cut here
				session.legal = append(session.legal, ParseMove(word))
			}
		}
	case "go":
		return session.prepare(line)
	case "error", "illegal":
		// What the arena did not like helps the author.
		fmt.Fprintln(os.Stderr, "arena:", line.text)
	case "", "stop", "cards":
	default:
		session.event(line)
	}
	return true
}

// greet answers `usp`.
func (session *session) greet() {
	id := "id name=" + escape(session.bot.Name)
	if session.bot.Version != "" {
		id += " version=" + escape(session.bot.Version)
	}
	if session.bot.Author != "" {
		id += " author=" + escape(session.bot.Author)
	}
	session.say(id)
	for _, option := range session.bot.Options {
		session.say(option.declaration())
	}
	session.say("feature position=1")
	session.say("uspok 1")
}

func (session *session) setOption(line message) {
	for name, value := range line.values {
		err := errors.New("is no option")
		for _, option := range session.bot.Options {
			if option.Name == name {
				value = unescape(value)
				err = option.check(value)
			}
		}
		if err == nil {
			session.options[name] = value
		} else {
			session.say(fmt.Sprintf("error option # %.40s %v", name, err))
		}
	}
}

// event changes the view as the line says.
func (session *session) event(line message) {
	if change, known := events[line.verb]; !known {
		session.unknownVerbs++
		if session.unknownVerbs <= unknownVerbsMax {
			session.say(fmt.Sprintf("error unknown # no verb \"%.40s\"", line.verb))
		}
	} else if change != nil {
		change(session.view, line)
	}
}

// prepare completes the view for a decision; it returns false where no legal
// move is known.
func (session *session) prepare(line message) bool {
	view, state, legal := session.view, session.state, session.legal
	session.state, session.legal = message{}, nil
	if state.verb != "" {
		view.readState(state)
		if !session.rulesKnown {
			view.Rules = rulesOfState(state)
		}
	}
	if legal == nil {
		var err error
		if legal, err = session.ownMoves(); err != nil {
			session.say("error feature # " + err.Error())
			session.say("error fatal # no move can be chosen")
			return false
		}
	}
	view.Legal = legal
	view.TimeMS = line.number("time", -1)
	view.IncMS = line.number("inc", -1)
	view.MoveMS = line.number("move", -1)
	view.Options = session.options
	view.say = session.say
	if view.Random == nil { // outside of a match
		view.Random = rand.New(rand.NewSource(0))
	}
	return true
}

// ownMoves returns the legal moves where the arena does not send them.
func (session *session) ownMoves() ([]Move, error) {
	if len(session.view.Hand) == 0 {
		return nil, errors.New("go without a deal or a state line")
	}
	if !session.rulesKnown {
		return nil, errors.New("neither a rules nor a legal line has come")
	}
	if err := session.view.Rules.check(); err != nil {
		return nil, err
	}
	return session.view.LegalMoves(), nil
}

// rulesOfState returns what a line `state` says of the rules where no line
// `rules` has come.
func rulesOfState(state message) Rules {
	preset, overrides, _ := strings.Cut(state.values["rules"], ",")
	rules := Rules(parseLine("rules " + strings.ReplaceAll(overrides, ",", " ")).values)
	rules["preset"] = preset
	rules["target"] = state.values["target"]
	rules["players"] = state.values["seats"]
	rules["teams"] = state.values["teams"]
	return rules
}

// decide chooses a move and sends it.
func (session *session) decide(line message) {
	move := session.bot.Choose(session.view)
	if move.Declaration == "" && move.Card == (Card{}) {
		panic("Choose returned an empty Move")
	}
	answer := "move " + move.String()
	if turn := line.values["turn"]; turn != "" {
		answer += " turn=" + turn
	}
	session.say(answer)
}
