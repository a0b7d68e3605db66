// A bot for the arena: the author writes choose, and scopa_bot.go does the rest.
// The type View in scopa_bot.go says what choose can look at.
//
//	go build -o bot . && scopa-arena match ./bot @greedy
package main

// weight returns what a captured card is worth; the 7 of coins is worth most.
func weight(view *View, card Card) int {
	weight := 1
	if card.Rank == '7' {
		weight += 30
	}
	if card.Suit == 'D' {
		weight += view.Options.Int("weight-of-coins")
	}
	if card.String() == "7D" {
		weight += 100
	}
	return weight
}

// merit returns how good a move is: best is a declaration, then a scopa, then
// the capture of most weight, then to lay the card of least weight.
func merit(view *View, move Move) int {
	if move.Declaration != "" {
		return 20000
	}
	if len(move.Captured) == 0 {
		return -weight(view, move.Card)
	}
	merit := weight(view, move.Card)
	for _, card := range move.Captured {
		merit += weight(view, card)
	}
	if len(move.Captured) == len(view.Table) {
		merit += 10000
	}
	return merit
}

func choose(view *View) Move {
	sign := 1
	if view.Rules.Text("aim") == "least" { // points are bad
		sign = -1
	}
	best := view.Legal[0]
	for _, move := range view.Legal {
		if sign*merit(view, move) > sign*merit(view, best) {
			best = move
		}
	}
	return best
}

// bot is what the arena gets to know.
var bot = Bot{
	Name:    "my-bot",
	Version: "1.0",
	Options: []Option{IntOption("weight-of-coins", 10, 0, 100)},
	Choose:  choose,
}

func main() { Run(bot) }
