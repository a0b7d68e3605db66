#!/usr/bin/env python3
"""Bots with one defect each, for the test of `check`.

The bot is the kit's example with the defect that is named; `--list` prints the
defects with the step that must find each.
"""
import sys
import threading
import time
from types import SimpleNamespace

import bot
import scopa_bot

# For each defect, the step of `check` that must find it first.
DEFECTS = {
    "mute": "start",
    "exits": "start",
    "unflushed": "start",
    "no-id": "id",
    "no-uspok": "uspok",
    "uci": "uspok",
    "chatters": "handshake-lines",
    "no-readyok": "readyok",
    "ready-once": "isready-again",
    "talks": "quiet",
    "version-9": "newer-usp",
    "strict-lines": "loose-lines",
    "strict-verbs": "unknown-verb",
    "status-1": "quit",
    "ignores-quit": "quit",
    "quit-needs-isready": "quit-early",
    "ignores-end": "end-of-input",
    "waits-for-usp": "end-at-once",
    "bestmove": "first-move",
    "illegal": "first-move",
    "slow": "first-move",
    "crashes": "first-move",
    "stale-list": "deal",
    "one-deal": "match",
    "ready-again": "match",
    "one-match": "next-match",
    "strict-keys": "unknown-keys",
    "no-comments": "comments",
    "single-blanks": "blanks",
    "strict-match": "unknown-lines",
    "needs-move-time": "clock",
    "needs-time": "no-clock",
    "no-escoba": "escoba",
    "not-three": "seats-3",
    "no-teams": "seats-4",
    "four-seats": "seats-6",
    "no-redeal": "redeal",
    "no-sweep": "opening",
    "no-declarations": "declarations",
    "short-lines": "long-list",
    "raw-names": "names",
    "no-abort": "abort",
    "needs-events": "no-events",
    "needs-order": "random-states",
    "needs-legal": "events-only",
    "sums-only": "events-only-presets",
    "forgets-rules": "events-only-parameters",
    "forgets-redeal": "events-only-redeal",
    "forgets-sweep": "events-only-opening",
    "forgets-abort": "events-only-abort",
    "no-turn": "turn-ids",
    "wrong-limits": "options",
    "fails-at-limit": "options",
    "ponders": "idle",
}


LINE_MAX = 4096
KNOWN = {*scopa_bot.Game.EVENTS, "usp", "setoption", "isready", "quit", "state",
         "legal", "go", "error", "illegal"}

# Lines of the bot that are not sent, by their verb.
UNSAID = {"no-id": "id", "no-uspok": "uspok", "no-readyok": "readyok"}

# Lines of the bot that are changed: their verb, and what is sent instead.
SAID = {
    "uci": ("uspok", lambda line: "uciok"),
    "chatters": ("id", lambda line: "Hello, I am a bot!\n" + line),
    "wrong-limits": ("option", lambda line: line.replace("max=100", "max=200")),
    "bestmove": ("move", lambda line: "best" + line),
    "illegal": ("move", lambda line: line.replace(line.split()[1], "7Dx7D")),
    "no-turn": ("move", lambda line: line.split(" turn=")[0]),
}

# Bytes at which the bot ends.
UNREADABLE = {
    "strict-lines": lambda line: not line.strip() or line.endswith(b"\r\n"),
    "short-lines": lambda line: len(line) > LINE_MAX,
    "single-blanks": lambda line: b"legal \t" in line,
    "no-comments": lambda line: line.startswith(b"legal") and b"#" in line,
}

# Messages at which the bot ends.
REFUSED = {
    "version-9": lambda m: m.verb == "usp" and m.tokens[0] != "1",
    "strict-verbs": lambda m: m.verb not in KNOWN,
    "strict-match": lambda m: m.verb not in KNOWN and m.bot.deal_count,
    "strict-keys": lambda m: "x-check" in m.keys and m.bot.deal_count,
    "raw-names": lambda m: m.verb == "seat" and "%" in m.keys["name"],
    "one-deal": lambda m: m.verb == "deal" and m.tokens[0] == "2",
    # The first games of the check are aborted, or have one deal.
    "one-match": lambda m: (
        m.verb == "endmatch" and m.keys["reason"] == "target"),
    "no-escoba": lambda m: m.verb == "match" and m.keys["rules"] == "escoba",
    "not-three": lambda m: m.verb == "match" and len(m.keys["teams"]) == 3,
    "four-seats": lambda m: m.verb == "match" and len(m.keys["teams"]) == 6,
    "no-teams": lambda m: m.verb == "match" and (
        m.keys["teams"] == "ABAB" and m.keys["rules"] == "scopa"),
    "no-redeal": lambda m: m.verb == "redeal",
    "no-sweep": lambda m: m.verb == "sweep",
    "no-abort": lambda m: m.verb == "abort",
    "no-declarations": lambda m: m.verb == "legal" and any(
        token.startswith("!low:") for token in m.tokens),
    "needs-move-time": lambda m: m.verb == "go" and "time" in m.keys,
    "needs-time": lambda m: m.verb == "go" and not {"time", "move"} & {*m.keys},
    "needs-events": lambda m: m.verb == "go" and not m.bot.game.rules_known,
    "needs-legal": lambda m: m.verb == "go" and not m.bot.legal,
    "fails-at-limit": lambda m: (
        m.verb == "go" and m.bot.options["weight-of-coins"] == 100),
}

# Keys of the rules that the bot takes for others.
MISREAD = {"forgets-rules": "max-captured=0", "sums-only": "capture=sum"}

# A line after which the bot does not hear the next table.
FORGETS_TABLE = {"forgets-redeal": "redeal", "forgets-abort": "abort"}


class Defective(scopa_bot.Session):
    """The bot of the kit with the defect in the program's argument."""

    defect = None
    held = []  # lines that are sent only at the end
    stale = []  # the legal moves of the decision before
    ready_count = 0
    deal_count = 0
    play_count = 0
    hears_deals = False
    forgetful = False
    thinks = False

    def say(self, line):
        defect = self.defect
        verb = line.split()[0]
        if defect == "unflushed":
            self.held.append(line)
            return
        self.ready_count += verb == "readyok"
        if defect == "mute" or UNSAID.get(defect) == verb or (
                defect == "ready-once" and verb == "readyok" and
                self.ready_count > 1):
            return
        if defect == "slow" and verb == "move":
            time.sleep(3)
        if defect in SAID and SAID[defect][0] == verb:
            line = SAID[defect][1](line)
        super().say(line)
        if defect == "talks" and verb == "readyok":
            time.sleep(0.05)
            super().say("info depth=1")

    def run(self, lines):
        defect = self.defect
        if defect == "ponders":
            threading.Thread(target=self.ponder, daemon=True).start()
        if defect == "exits":
            sys.exit(3)
        super().run(self.checked(lines))
        for line in self.held:
            super().say(line)
        if defect == "status-1" or (
                defect == "quit-needs-isready" and not self.ready_count):
            sys.exit(1)

    def checked(self, lines):
        """Yields the lines of the arena as the defective bot reads them."""
        defect = self.defect
        first = True
        for line in lines:
            first = False
            if defect in UNREADABLE and UNREADABLE[defect](line):
                sys.exit("what line is this?")
            if line.split()[:1] == [b"quit"] and defect == "ignores-quit":
                continue
            yield line
        while defect == "ignores-end" or (defect == "waits-for-usp" and first):
            time.sleep(1)

    def ponder(self):
        """Computes all the time, and less while the bot is to move."""
        while True:
            sum(range(1000))
            if self.thinks:
                time.sleep(0.001)

    def hear(self, verb, tokens):
        defect = self.defect
        keys = scopa_bot.parse_pairs(tokens)
        if verb == "deal":
            self.deal_count += 1
        if verb in ("deal", "isready"):
            self.hears_deals = verb == "deal"
        if defect in REFUSED and REFUSED[defect](
                SimpleNamespace(bot=self, verb=verb, tokens=tokens, keys=keys)):
            sys.exit("what message is this?")
        if defect == "ready-again" and verb == "deal" and tokens[0] == "2":
            super().say("readyok")
        # The deals of the presets may have a sweep of thirty.
        if defect == "forgets-sweep" and verb == "sweep" and (
                keys["reason"] == "fifteen"):
            return
        if FORGETS_TABLE.get(defect) == verb:
            self.forgetful = True
        if verb == "table" and self.forgetful:
            self.forgetful = False
            return
        if defect in MISREAD and verb == "rules":
            key = MISREAD[defect]
            tokens = [token for token in tokens
                      if token.split("=")[0] != key.split("=")[0]] + [key]
        if defect == "needs-order" and verb == "state":
            count = keys["plays"].count("/")
            last = count if self.hears_deals else self.play_count
            if last > count > 6 or count > last + 6:
                sys.exit("these plays do not follow the last ones")
            self.play_count = count
        super().hear(verb, tokens)

    def update_view(self, keys):
        if self.defect == "stale-list":
            self.legal, self.stale = self.stale or self.legal, self.legal
        return super().update_view(keys)

    def answer(self, keys):
        self.thinks = True
        if self.defect == "crashes":
            raise ValueError("a bug")
        super().answer(keys)
        self.thinks = False


def main():
    if sys.argv[1:] == ["--list"]:
        for defect, step in DEFECTS.items():
            print(defect, step)
        return
    Defective.defect = sys.argv[1]
    scopa_bot.Session = Defective
    style = scopa_bot.Option("style", "enum", default="calm",
                             values=("calm", "very wild"))
    scopa_bot.run(bot.choose, name="defective", options=[*bot.OPTIONS, style])


if __name__ == "__main__":
    main()
