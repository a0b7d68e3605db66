#!/usr/bin/env python3
"""Measures the ladder of built-in bots, and prints it as Markdown.

In each game all rungs meet all others in duplicate deals; those that answer at
once, and neighbours of which one searches, meet again in more of them.  Runs are
kept in a folder, so that what was cut off goes on; the same seed gives the same
cards.  The exit status is 1 where a rung does not beat the one below it with an
interval clear of zero.
"""
import argparse
import json
import os
import subprocess
import sys

GAMES = ["scopone", "scientifico", "scopa", "escoba", "cirulla",
         "scopa,players=3"]

# From the lowest to the highest; those that search think so long a move.
QUICK = ["random", "first", "greedy", "chitarrella"]
SEARCHERS = ["ismcts", "maestro"]
BOTS = QUICK + SEARCHERS

# Has no thought of its own: beside the ladder, and no rung of it.
RUNGS = [bot for bot in BOTS if bot != "first"]

# Where each plays for itself a third one must be at the table.
THIRD = "greedy"


def bot_words(arguments, bot):
    words = ["--bot", f"cmd=@{bot}"]
    if bot in SEARCHERS:
        words.append(f"option.ms={arguments.ms}")
        if bot == "ismcts":
            words.append("option.iterations=0")
    return words


def play(arguments, game, bots, rounds):
    """Plays a run, or goes on with it; returns its report."""
    name = "-".join([game.replace(",", "-")] + bots)
    folder = os.path.join(arguments.out, name)
    if os.path.exists(os.path.join(folder, "config.ini")):
        words = ["resume", folder]
    else:
        words = ["tournament", "--rules", game, "--deals", "1", "--seed",
                 arguments.seed, "--concurrency", str(arguments.concurrency),
                 "--rounds", str(rounds), "--run", folder]
        for bot in bots:
            words += bot_words(arguments, bot)
    done = subprocess.run([arguments.arena, *words, "--quiet", "--json"],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(words)}: exit status {done.returncode}")
    return json.loads(done.stdout)


def measure(arguments, game):
    """{(bot, other): (points a deal, half of the interval, blocks)}."""
    three = "players=3" in game
    # A block has three times as many games there, a pair four times the blocks.
    share = 12 if three else 1
    runs = [(BOTS, arguments.rounds), (QUICK, arguments.quick_rounds)]
    for below, bot in zip(RUNGS, RUNGS[1:]):
        if bot in SEARCHERS:
            runs.append(([bot, below] + [THIRD] * three,
                         arguments.neighbour_rounds))
    margins = {}
    for bots, rounds in runs:
        report = play(arguments, game, bots, max(1, rounds // share))
        for pair in report["encounters"]:
            margin = pair["margin"]
            value, blocks = margin["value"], pair["blocks"]
            half = (margin["high"] - margin["low"]) / 2
            a, b = pair["name"], pair["against"]
            if (a, b) in margins and margins[a, b][2] >= blocks:
                continue
            margins[a, b] = value, half, blocks
            margins[b, a] = -value, half, blocks
    return margins


def table(game, margins):
    lines = [f"`{game}`", "",
             "| points a deal | " + " | ".join(f"`@{b}`" for b in BOTS) + " |",
             "| --- |" + " --- |" * len(BOTS)]
    for bot in reversed(BOTS):
        cells = []
        for other in BOTS:
            if bot == other:
                cells.append("")
                continue
            value, half, _ = margins[bot, other]
            cells.append(f"{value:+.2f} ±{half:.2f}")
        lines.append(f"| `@{bot}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def falls(game, margins):
    """Where a rung is not clear of the one below it."""
    for below, bot in zip(RUNGS, RUNGS[1:]):
        value, half, blocks = margins[bot, below]
        if value - half <= 0:
            yield (f"{game}: @{bot} against @{below}: {value:+.3f} "
                   f"+-{half:.3f} in {blocks} blocks")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="RULES",
                        help="rule sets; without one: " + " ".join(GAMES))
    parser.add_argument("--arena", default="build/scopa-arena",
                        help="the program (%(default)s)")
    parser.add_argument("--out", default="runs/ladder",
                        help="folder of the runs (%(default)s)")
    parser.add_argument("--rounds", type=int, default=100,
                        help="blocks of each pair (%(default)s)")
    parser.add_argument("--neighbour-rounds", type=int, default=600,
                        help="those of neighbours that search (%(default)s)")
    parser.add_argument("--quick-rounds", type=int, default=4000,
                        help="those of pairs that answer at once "
                        "(%(default)s)")
    parser.add_argument("--ms", type=int, default=10,
                        help="milliseconds a move of those that search "
                        "(%(default)s)")
    parser.add_argument("--concurrency", type=int,
                        default=len(os.sched_getaffinity(0)),
                        help="games at once (one a core)")
    parser.add_argument("--seed", default="2026",
                        help="secret of the packs (%(default)s)")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    fallen = []
    for game in arguments.games:
        margins = measure(arguments, game)
        print(table(game, margins), flush=True)
        fallen += falls(game, margins)
    for line in fallen:
        print(f"not clear of zero: {line}", file=sys.stderr)
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
