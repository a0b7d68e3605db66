#!/usr/bin/env python3
"""Bots with one defect each, for the test of `check`.

Without an argument the bot is the kit's example, which has no defect; `--list`
prints the defects with the step that must find each.
"""
import sys
import threading
import time

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
    "ponders": "idle",
}


class Defective(scopa_bot.Session):
    """The bot of the kit with the defect in the program's argument."""

    defect = None
    held = []  # lines that are sent only at the end
    stale = []  # the legal moves of the decision before
    ready_count = 0
    deal_count = 0
    decision_count = 0
    play_count = 0
    hears_deals = False
    was_ready = False
    redealt = False
    aborted = False
    thinks = False

    def say(self, line):
        defect = self.defect
        verb = line.split()[0]
        if defect == "mute":
            return
        if defect == "unflushed":
            self.held.append(line)
            return
        if defect == "no-id" and verb == "id":
            return
        if defect == "no-uspok" and verb == "uspok":
            return
        if defect == "uci" and verb == "uspok":
            line = "uciok"
        if defect == "chatters" and verb == "id":
            super().say("Hello, I am a bot!")
        if verb == "readyok":
            self.ready_count += 1
            self.was_ready = True
            if defect == "no-readyok":
                return
            if defect == "ready-once" and self.ready_count > 1:
                return
        if defect == "wrong-limits" and verb == "option":
            line = line.replace("max=100", "max=200")
        if verb == "move":
            line = self.change_answer(line)
        super().say(line)
        if defect == "talks" and verb == "readyok":
            super().say("info depth=1")

    def change_answer(self, line):
        """Returns the answer, changed by the defect."""
        defect = self.defect
        self.decision_count += 1
        if defect == "bestmove":
            return "best" + line
        if defect == "illegal":
            return line.replace(line.split()[1], "7Dx7D")
        if defect == "slow":
            time.sleep(3)
        if defect == "no-turn":
            return line.split(" turn=")[0]
        return line

    def run(self, lines):
        defect = self.defect
        if defect == "ponders":
            threading.Thread(target=self.ponder, daemon=True).start()
        if defect == "exits":
            sys.exit(3)
        super().run(self.checked(lines))
        for line in self.held:
            super().say(line)
        if defect == "status-1":
            sys.exit(1)
        if defect == "quit-needs-isready" and not self.was_ready:
            sys.exit(1)

    def checked(self, lines):
        """Yields the lines of the arena as the defective bot reads them."""
        defect = self.defect
        first = True
        for line in lines:
            first = False
            if defect == "strict-lines" and (
                    not line.strip() or line.endswith(b"\r\n")):
                sys.exit("what line is this?")
            if defect == "short-lines" and len(line) > LINE_MAX:
                sys.exit(f"the buffer is full: {len(line)} bytes")
            if defect == "single-blanks" and b"legal \t" in line:
                sys.exit("what move is this?")
            if defect == "no-comments" and (
                    line.startswith(b"legal") and b"#" in line):
                sys.exit("what move is this?")
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
        known = verb in scopa_bot.Game.EVENTS or verb in (
            "usp", "setoption", "isready", "quit", "state", "legal", "go",
            "error", "illegal")
        if defect == "version-9" and verb == "usp" and tokens[0] != "1":
            sys.exit("unknown version")
        if defect == "strict-verbs" and not known:
            sys.exit(f"unknown verb {verb}")
        if defect == "strict-match" and not known and self.deal_count:
            sys.exit(f"unknown verb {verb}")
        if defect == "strict-keys" and self.deal_count and "x-check" in keys:
            sys.exit("unknown key")
        if defect == "raw-names" and verb == "seat" and "%" in keys["name"]:
            sys.exit("what name is this?")
        if verb == "deal":
            self.deal_count += 1
        if verb in ("deal", "isready"):
            self.hears_deals = verb == "deal"
        if defect == "one-deal" and verb == "deal" and tokens[0] == "2":
            sys.exit("no second deal")
        if defect == "ready-again" and verb == "deal" and tokens[0] == "2":
            super().say("readyok")
        if defect == "one-match" and verb == "endmatch":
            # The first games of the check are aborted, or have one deal.
            if keys["reason"] == "target":
                sys.exit(0)
        if defect == "no-escoba" and verb == "match" and (
                keys["rules"] == "escoba"):
            sys.exit("no such rules")
        if verb == "match" and len(keys["teams"]) == {
                "not-three": 3, "four-seats": 6}.get(defect):
            sys.exit("too many seats")
        if defect == "no-teams" and verb == "match" and (
                keys["teams"] == "ABAB" and keys["rules"] == "scopa"):
            sys.exit("what teams are these?")
        if defect == "no-redeal" and verb == "redeal":
            sys.exit("no redeal")
        if defect == "no-sweep" and verb == "sweep":
            sys.exit("no sweep")
        if defect == "no-declarations" and verb == "legal" and any(
                token.startswith("!low:") for token in tokens):
            sys.exit("no declarations")
        if defect == "no-abort" and verb == "abort":
            sys.exit("no abort")
        if defect == "forgets-redeal" and verb == "redeal":
            self.redealt = True
        if defect == "forgets-redeal" and verb == "table" and self.redealt:
            self.redealt = False
            return
        if defect == "forgets-sweep" and verb == "sweep":
            return
        key = {"forgets-rules": "max-captured=0",
               "sums-only": "capture=sum"}.get(defect)
        if key and verb == "rules":
            tokens = [token for token in tokens
                      if token.split("=")[0] != key.split("=")[0]] + [key]
        if defect == "forgets-abort" and verb == "abort":
            self.aborted = True
        if defect == "forgets-abort" and verb == "table" and self.aborted:
            self.aborted = False
            return
        if defect == "needs-order" and verb == "state":
            count = keys["plays"].count("/")
            last = count if self.hears_deals else self.play_count
            if last > count > 6 or count > last + 6:
                sys.exit("these plays do not follow the last ones")
            self.play_count = count
        super().hear(verb, tokens)

    def go(self, keys):
        defect = self.defect
        self.thinks = True
        if defect == "crashes":
            raise ValueError("a bug")
        if defect == "needs-move-time" and "time" in keys:
            sys.exit("what bank?")
        if defect == "needs-time" and not {"time", "move"} & set(keys):
            sys.exit("how long?")
        if defect == "needs-events" and not self.game.rules_known:
            sys.exit("no events")
        if defect == "needs-legal" and not self.legal:
            sys.exit("no legal moves")
        if defect == "stale-list":
            self.legal, self.stale = self.stale or self.legal, self.legal
        super().go(keys)
        self.thinks = False


LINE_MAX = 4096


def main():
    if sys.argv[1:] == ["--list"]:
        for defect, step in DEFECTS.items():
            print(defect, step)
        return
    Defective.defect = sys.argv[1] if len(sys.argv) > 1 else None
    scopa_bot.Session = Defective
    scopa_bot.run(bot.choose, name="defective", options=bot.OPTIONS)


if __name__ == "__main__":
    main()
