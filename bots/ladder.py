#!/usr/bin/env python3
"""Measures the ladder of built-in bots, and prints it as Markdown.

In each game all rungs meet all others in duplicate deals; those that answer at
once, and neighbours of which one searches, meet again in more of them.  Runs are
kept in a folder: what was cut off goes on when the same command is given again.
The same seed gives the same cards.

Exit status: 0, or 1 where a rung does not beat the one below it with an interval
clear of zero; 2 usage; 5 where a run could not be played; 130 interrupted.
"""
import argparse
import configparser
import json
import os
import signal
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

# Neighbours that are nearly as strong: so many times the blocks of others.
CLOSE = {("scopa", "maestro"): 3,
         ("escoba", "ismcts"): 14, ("escoba", "maestro"): 3,
         ("scopa,players=3", "ismcts"): 13,
         ("scopa,players=3", "maestro"): 13}

EXIT_USAGE, EXIT_FAILED, EXIT_INTERRUPTED = 2, 5, 130

# Ctrl-C, as often as it came.
interrupted = []


def stop(status, *lines):
    """Ends the program; the first line says why, others what to do."""
    print(*lines, sep="\n", file=sys.stderr)
    sys.exit(status)


def arena(arguments, words):
    """Runs the arena, whose messages are seen; returns what it printed."""
    try:
        done = subprocess.run([arguments.arena, *words], check=False,
                              stdout=subprocess.PIPE)
    except OSError as error:
        stop(EXIT_FAILED, f"error: {arguments.arena}: {error.strerror}",
             "  hint    : build it by `make`, or name it with --arena")
    if interrupted or done.returncode == EXIT_INTERRUPTED:
        stop(EXIT_INTERRUPTED, "interrupted: the same command goes on")
    return done.returncode, done.stdout


def bot_words(arguments, bot):
    words = ["--bot", f"cmd=@{bot}"]
    if bot in SEARCHERS:
        words.append(f"option.ms={arguments.ms}")
        if bot == "ismcts":
            words.append("option.iterations=0")
    return words


def check_same(arguments, config, folder, rounds):
    """A run that was begun with other options would tell of those."""
    wanted = {("tournament", "rounds"): str(rounds)}
    for bot in SEARCHERS:
        wanted[f"bot {bot}", "option.ms"] = str(arguments.ms)
    begun = configparser.ConfigParser(interpolation=None)
    begun.read(config)
    for (section, key), value in wanted.items():
        was = begun.get(section, key, fallback=value)
        if was != value:
            stop(EXIT_USAGE, f"error: {folder} was begun with {key} = {was}, "
                 f"not {value}",
                 "  hint    : name another folder with --out, or remove it")


def play(arguments, game, bots, rounds):
    """Plays a run, or goes on with it; returns its report."""
    name = "-".join([game.replace(",", "-")] + bots)
    folder = os.path.join(arguments.out, name)
    config = os.path.join(folder, "config.ini")
    if os.path.exists(config):
        check_same(arguments, config, folder, rounds)
        words = ["resume", folder]
    else:
        words = ["tournament", "--rules", game, "--deals", "1", "--seed",
                 arguments.seed, "--rounds", str(rounds), "--run", folder]
        for bot in bots:
            words += bot_words(arguments, bot)
    words += ["--concurrency", str(arguments.concurrency), "--quiet", "--json"]
    status, report = arena(arguments, words)
    if status != 0:
        stop(EXIT_FAILED, f"error: {folder}: the arena ended with {status}")
    return json.loads(report)


def measure(arguments, game):
    """{(bot, other): (points a deal, half of the interval, blocks)}."""
    three = "players=3" in game
    # A block has three times as many games there, a pair four times the blocks.
    share = 12 if three else 1
    runs = [(BOTS, arguments.rounds), (QUICK, arguments.quick_rounds)]
    for below, bot in zip(RUNGS, RUNGS[1:]):
        if bot in SEARCHERS:
            times = CLOSE.get((game, bot), 1)
            runs.append(([bot, below] + [THIRD] * three,
                         arguments.neighbour_rounds * times))
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


def number(text):
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text}")
    return int(text)


def arguments_read():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="RULES",
                        help="rule sets; without one: " + " ".join(GAMES))
    parser.add_argument("--arena", default="build/scopa-arena", metavar="FILE",
                        help="the program (%(default)s)")
    parser.add_argument("--out", default="runs/ladder", metavar="FOLDER",
                        help="folder of the runs (%(default)s)")
    parser.add_argument("--rounds", type=number, default=40, metavar="N",
                        help="blocks of each pair (%(default)s); for three "
                        "players a twelfth of each of these numbers")
    parser.add_argument("--neighbour-rounds", type=number, default=350,
                        metavar="N",
                        help="those of neighbours of which one searches "
                        "(%(default)s), more where they are known to be close")
    parser.add_argument("--quick-rounds", type=number, default=2000,
                        metavar="N",
                        help="those of pairs that answer at once "
                        "(%(default)s)")
    parser.add_argument("--ms", type=number, default=10, metavar="N",
                        help="milliseconds a move of those that search "
                        "(%(default)s)")
    parser.add_argument("--concurrency", type=number, metavar="N",
                        default=len(os.sched_getaffinity(0)),
                        help="games at once (one a core)")
    parser.add_argument("--seed", default="2026", metavar="HEX",
                        help="secret of the packs (%(default)s)")
    return parser.parse_args()


def main():
    arguments = arguments_read()
    # What is wrong with the last game is said before the first is played.
    for game in arguments.games:
        status, _ = arena(arguments, ["rules", game])
        if status != 0:
            return status
    fallen = []
    for game in arguments.games:
        margins = measure(arguments, game)
        print(table(game, margins), flush=True)
        fallen += falls(game, margins)
    for line in fallen:
        print(f"not clear of zero: {line}", file=sys.stderr)
    return 1 if fallen else 0


if __name__ == "__main__":
    # The arena hears of it, too, and is waited for: it ends its games.
    signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    sys.exit(main())
