#!/usr/bin/env python3
"""my-bot: an example that captures what is worth most.

Change choose().  `scopa_bot.View` says what it can look at.
"""
import scopa_bot

OPTIONS = [
    scopa_bot.Option("weight-of-coins", "int", default=10, min=0, max=100),
]


def weight(card, coins):
    """What a captured card is worth; the 7 of coins is worth most."""
    return (1 + 30 * (card.rank == "7") + coins * (card.suit == "D")
            + 100 * (card.text == "7D"))


def choose(view):
    """Declares; else sweeps; else captures most weight, or lays the least."""
    coins = view.options["weight-of-coins"]

    def merit(move):
        if move.declaration:
            return 2, 0
        if not move.captured:
            return 0, -weight(move.card, coins)
        scopa = len(move.captured) == len(view.table)
        return int(scopa), sum(weight(card, coins)
                               for card in (move.card, *move.captured))

    # Where points are bad (aim=least), the worst move is the best one.
    pick = min if view.rules.get("aim") == "least" else max
    return pick(view.legal, key=merit)


def main():
    scopa_bot.run(choose, name="my-bot", version="1.0", options=OPTIONS)


if __name__ == "__main__":
    main()
