#!/usr/bin/env python3
"""Tests of the bot and of its protocol side: ./test_bot.py

The last tests follow real games of every rule set, and play some.  They need the
arena, which they look for in the environment variable SCOPA_ARENA, then in PATH.
"""
import copy
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import bot
import scopa_bot
from scopa_bot import Option, View, legal_moves, parse_cards, parse_move

HERE = os.path.dirname(os.path.abspath(__file__))

# A deal for seat 1 without any `state` or `legal` line.
MATCH = """\
match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 tc=none seed=5
rules players=2 teams=AB hand=3 capture=sum priority=single ace=plain
seat 1 team=A name=me
seat 2 team=B name=you
"""
DEAL = """\
deal 1 dealer=2 first=1 scores=A:0,B:0
table 4B5S7DQD
give 1 AD3SJD
give 2 ??????
"""
STATE = ("state rules=scopa seats=2 teams=AB target=11 you=1 hand=3SJD deal=1 "
         "dealer=2 turn=1 table=AD2B4B5S7DQD hands=1:2,2:2 deck=30 "
         "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- "
         "plays=1:AD/2:2B\n")

OPTIONS = [
    Option("depth", "int", default=4, min=1, max=9),
    Option("bold", "bool", default=True),
    Option("style", "enum", default="calm", values=("calm", "wild")),
    Option("book", "string", default="a b"),
    Option("forget", "button"),
]


def talk(text, choose=None):
    """Returns what a bot answers to these lines, and the last view."""
    views = []

    def first(view):
        views.append(view)
        return view.legal[0]

    output = io.StringIO()
    identity = {"name": "my bot", "version": "", "author": "A%"}
    session = scopa_bot.Session(choose or first, identity, OPTIONS, output)
    session.run(io.BytesIO(text.encode()))
    return output.getvalue().splitlines(), views[-1] if views else None


class HandshakeTest(unittest.TestCase):
    def test_greeting(self):
        said, _ = talk("usp 1 arena=x/1\nisready\nquit\nisready\n")
        self.assertEqual(said, [
            "id name=my%20bot author=A%25",
            "option name=depth type=int default=4 min=1 max=9",
            "option name=bold type=bool default=true",
            "option name=style type=enum default=calm values=calm|wild",
            "option name=book type=string default=a%20b",
            "option name=forget type=button",
            "feature position=1", "uspok 1", "readyok"])

    def test_options_are_typed(self):
        said, view = talk(
            "setoption depth=9\nsetoption bold=false\nsetoption style=wild\n"
            "setoption book=%23x%20y\nsetoption forget=-\n"
            + MATCH + DEAL + "go turn=1\n")
        self.assertEqual(said, ["move AD turn=1"])
        self.assertEqual(view.options, {
            "depth": 9, "bold": False, "style": "wild", "book": "#x y",
            "forget": True})

    def test_options_are_refused(self):
        for setting in ("depth=0", "depth=10", "depth=x", "depth=", "bold=1",
                        "style=mild", "colour=red"):
            with self.subTest(setting):
                said, _ = talk(f"setoption {setting}\nisready\n")
                self.assertRegex(said[0], "^error option # ")
                self.assertEqual(said[1:], ["readyok"])

    def test_lines_are_read_liberally(self):
        said, _ = talk("\r\n  isready \t# usp 1\r\n# quit\nponder 3\nisready")
        self.assertEqual(said, ["readyok", 'error unknown # no verb "ponder"',
                                "readyok"])

    def test_unknown_verbs_are_reported_some_times_only(self):
        said, _ = talk("x-a\n" * 1000)
        self.assertLess(len(said), 64)


class GameTest(unittest.TestCase):
    def test_events_alone(self):
        said, view = talk(MATCH + DEAL + "go turn=a move=10000 x-new=1\n"
                          "play 1 AD\nplay 2 2B\ngo turn=b time=9 inc=1\n")
        self.assertEqual(said, ["move AD turn=a", "move 3SxAD2B turn=b"])
        self.assertEqual([move.text for move in view.legal],
                         ["3SxAD2B", "JDxAD2B5S", "JDxAD7D"])
        self.assertEqual((view.time_ms, view.inc_ms, view.move_ms),
                         (9, 1, None))
        self.assertEqual((view.seats, view.team), (2, "A"))
        self.assertEqual(view.rules["capture"], "sum")
        self.assertEqual(len(view.hidden()), 40 - 2 - 6)
        self.assertEqual(view.plays, [(1, parse_move("AD")),
                                      (2, parse_move("2B"))])

    def test_a_position_without_a_match(self):
        said, view = talk(STATE + "legal JDxAD7D\ngo turn=a\n")
        self.assertEqual(said, ["move JDxAD7D turn=a"])
        self.assertEqual(view.rules["preset"], "scopa")
        said, view = talk(MATCH.splitlines(True)[1] + STATE + "go turn=a\n")
        self.assertEqual(said, ["move 3SxAD2B turn=a"])

    def test_the_list_of_the_arena_goes_before_the_own(self):
        said, _ = talk(MATCH + DEAL + "legal 3S ... x-new=1\n"
                       "go turn=a\ngo turn=b\n")
        self.assertEqual(said, ["move 3S turn=a", "move AD turn=b"])

    def test_unknown_rules_need_the_list_of_the_arena(self):
        match = MATCH.replace("=sum", "=odd") + DEAL
        said, _ = talk(match + "legal 3S\ngo turn=a\n")
        self.assertEqual(said, ["move 3S turn=a"])
        said, _ = talk(match + "go turn=a\n")
        self.assertEqual(said[0],
                         "error feature # rules capture=odd is unknown")
        self.assertRegex(said[1], "^error fatal")

    def test_a_game_that_is_aborted_is_forgotten(self):
        said, view = talk(
            MATCH + DEAL + "play 1 AD\nplay 2 2B\nabort deal reason=x\n"
            + DEAL + "go turn=a\nabort match reason=x\n"
            "endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort\n"
            "isready\n" + MATCH + DEAL + "redeal reason=kings\ntable 2S\n"
            "go turn=b\n")
        self.assertEqual(said, ["move AD turn=a", "readyok", "move AD turn=b"])
        self.assertEqual(view.plays, [])
        self.assertEqual(view.table, parse_cards("2S"))

    def test_malformed_lines_are_skipped(self):
        for line in ("match m2", "play 1", "play 1 ZZ", "play 1 !low",
                     "give x 7D", "state you=1\ngo turn=b", "legal ZZ",
                     "go turn=b time=x"):
            with self.subTest(line):
                said, _ = talk(MATCH + DEAL + line + "\n" + MATCH + DEAL
                               + "go turn=a\n")
                self.assertRegex(said[0], "^error syntax # ")
                self.assertEqual(said[1:], ["move AD turn=a"])

    def test_info(self):
        def choose(view):
            view.info(depth=2, value=0.5, worlds=64, pv=view.legal[:2],
                      comment="so\nso \x1b")
            return view.legal[0]
        said, _ = talk(MATCH + DEAL + "go turn=a\n", choose)
        self.assertEqual(said[0], "info depth=2 value=0.5 m.worlds=64 "
                         "pv=AD,3S # so so ?")

    def test_an_exception_ends_the_program(self):
        def choose(view):
            raise KeyError("lost")
        with self.assertRaises(KeyError):
            talk(MATCH + DEAL + "go turn=a\n", choose)
        with self.assertRaisesRegex(TypeError, "returned None"):
            talk(MATCH + DEAL + "go turn=a\n", lambda view: None)
        with self.assertRaisesRegex(TypeError, "returned AD, a Card"):
            talk(MATCH + DEAL + "go turn=a\n", lambda view: view.hand[0])


def rules_of(text):
    """Returns the rules of a text such as capture=fifteen,ace=sweep."""
    pairs = scopa_bot.parse_pairs(text.split(","))
    return {key: scopa_bot.typed(value) for key, value in pairs.items()}


class LegalMovesTest(unittest.TestCase):
    ESCOBA = "capture=fifteen,priority=any"
    CIRULLA = ("capture=sum-or-fifteen,priority=any,ace=sweep-unless-ace,"
               "declare=ask")

    def moves(self, rules, table, hand, **more):
        view = View(seat=1, teams=("A", "B"), rules=rules_of(rules),
                    hand=parse_cards(hand), table=parse_cards(table), **more)
        return " ".join(move.text for move in legal_moves(view))

    def test_what_a_card_may_take(self):
        equal = ",equal-fifteen=yes"
        for rules, table, hand, moves in (
                ("", "2C4S6S", "6D", "6Dx6S"),
                ("priority=fewest", "AD2C3C4S", "6D", "6Dx2C4S"),
                ("priority=any,max-captured=2", "AD2C3C", "6D", "6D"),
                (self.ESCOBA, "2D3C5S6B", "KC", "KCx2D3C KCx5S"),
                ("capture=fifteen", "2D3C5S6B", "KC", "KCx5S"),
                ("capture=fifteen", "4C5C6SKC", "5D", "5DxKC"),
                ("capture=fifteen" + equal, "4C5C6SKC", "5D", "5Dx5C 5DxKC"),
                (self.ESCOBA + equal, "4C5C6SKC", "5D",
                 "5Dx4C6S 5Dx5C 5DxKC"),
                (self.ESCOBA + equal, "2C3CKC", "5D", "5DxKC"),
                (self.CIRULLA + ",cirulla-equal=first", "2B3D4S5C6B", "5S",
                 "5Sx2B3D5C 5Sx4S6B 5Sx5C"),
                (self.CIRULLA + ",cirulla-equal=first", "AC4SKC", "AD",
                 "ADxAC ADx4SKC"),
                (self.CIRULLA + ",priority=single", "2B3D4S5C6B", "5S",
                 "5Sx5C"),
                (self.CIRULLA, "2B4S", "AD", "ADx2B4S"),
                ("ace=sweep", "AC7S", "AD", "ADxAC7S"),
                ("ace=sweep-traditional", "2C7S", "AD", "AD")):
            with self.subTest(rules=rules, table=table, hand=hand):
                self.assertEqual(self.moves(rules, table, hand), moves)

    def test_declarations(self):
        table = "4S5D6DKD"
        for hand, declarations in (
                ("2B4C7C", "!low:A !low:2 !low:3"), ("7C7D7S", "!three"),
                ("4C4D7C", "!three:4"), ("KBKCKS", "!three"),
                ("2B3C4C", "!low"), ("2B3C5C", ""), ("2B7C", "")):
            with self.subTest(hand):
                moves = self.moves(self.CIRULLA, table, hand)
                self.assertEqual(" ".join(re.findall("!.*", moves)),
                                 declarations)
        self.assertNotIn("!", self.moves(self.CIRULLA, table, "2B3C4C",
                                         shown={1: parse_cards("2B3C4C")}))

    def test_a_wild_seven_has_its_value(self):
        self.assertEqual(
            self.moves(self.CIRULLA, "4S5D6DKD", "2B4C7C", matta=1,
                       shown={1: parse_cards("2B4C7C")}),
            "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD")
        self.assertEqual(
            self.moves(self.CIRULLA + ",matta=table", "4S5D6D7CKD", "3C7SQS",
                       matta=3),
            "3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C")


class BotTest(unittest.TestCase):
    def choice(self, table, hand, rules=""):
        cards = parse_cards(hand)
        view = View(seat=1, teams=("A", "B"), rules=rules_of(rules),
                    hand=cards, table=parse_cards(table),
                    hand_counts={1: len(cards), 2: len(cards)},
                    options={option.name: option.default
                             for option in bot.OPTIONS})
        view.legal = legal_moves(view)
        return bot.choose(view).text

    def test_choose(self):
        self.assertEqual(self.choice("4C7DQS", "4D7SKB"), "7Sx7D")
        self.assertEqual(self.choice("4C", "4D7D"), "4Dx4C")
        self.assertEqual(self.choice("KC", "7D4D4C"), "4C")
        self.assertEqual(self.choice("KC", "7D4D4C", "aim=least"), "7D")
        self.assertEqual(self.choice("4CKS", "2B3C4S", "declare=ask"), "!low")


# ---- Real games ------------------------------------------------------------

ARENA = os.environ.get("SCOPA_ARENA") or shutil.which("scopa-arena")

LAYOUTS = ("AB", "ABC", "ABCD", "ABAB", "ABABAB", "ABCABC", "ABCDEF")

# Values of rule parameters that no preset has.
MORE_RULES = (
    "scopa,priority=any,max-captured=2,redeal=ace",
    "scopa-bga,ace-empty=take,ace=sweep", "escoba,equal-fifteen=yes",
    "escoba,priority=single,equal-fifteen=yes",
    "cirulla,matta=table", "cirulla,matta=plain", "cirulla,declare=auto",
    "cirulla,declare=auto,matta=table,players=6", "cirulla,priority=fewest",
    "cirulla,cirulla-equal=first,cirulla-ace=sweep,leftovers=dealer")


class CheckedSession(scopa_bot.Session):
    """Compares the view and the moves of the kit with those of the arena."""

    def update_view(self, keys):
        view = self.game.view
        stated = copy.copy(view)
        stated.read_state(self.state)
        for key, value in vars(stated).items():
            own = getattr(view, key)
            assert own == value, f"{key} is {value}, but in the view {own}"
        own, legal = legal_moves(view), self.legal
        assert own == legal, f"{own} are not the moves {legal}"
        return super().update_view(keys)


class EventsSession(scopa_bot.Session):
    """Plays by the events alone."""

    features = {"state": 0, "legal": 0}


def play_as(session_class):
    """Plays at random, so that many positions are compared."""
    session_class(lambda view: view.random.choice(view.legal),
                  {"name": session_class.__name__}, [],
                  sys.stdout).run(sys.stdin.buffer)


@unittest.skipUnless(ARENA, "no scopa-arena in SCOPA_ARENA or PATH")
class RealGamesTest(unittest.TestCase):
    def arena(self, *words):
        return subprocess.run([ARENA, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)

    def match(self, rules, deals, *words):
        done = self.arena("match", "--rules", rules, "--deals", str(deals),
                          "--quiet", "--seed", "1", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "(?m)^result ")
        self.assertNotRegex(done.stdout, "(?m)^faults ")

    def follow(self, rules, seats, deals):
        """Compares what bots hear, each in its seat, as they play at random."""
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace.txt")
            self.match(rules, deals, "--sandbox", "off", "--trace", trace,
                       *["@random"] * seats)
            with open(trace, "rb") as file:
                # match, seat, bot, milliseconds, direction, line
                lines = [line.split(None, 5) for line in file]
        for seat in range(1, seats + 1):
            heard = [line[5] for line in lines
                     if line[1] == b"%d" % seat and line[4] == b"->"]
            events = [line for line in heard
                      if not line.startswith((b"state ", b"legal "))]
            said = self.said(CheckedSession, heard)
            self.assertEqual(self.said(EventsSession, events), said)
            self.assertGreaterEqual(len(said), deals)

    def said(self, session_class, lines):
        """Returns the moves that a session says to lines of bytes."""
        output = io.StringIO()
        session_class(lambda view: view.legal[-1], {}, [], output).run(lines)
        self.assertNotIn("error", output.getvalue())
        return re.findall("^move .*", output.getvalue(), re.M)

    def test_every_rule_set_with_all_numbers_of_seats(self):
        presets = re.findall(r"^(\S+) \(", self.arena("rules").stdout, re.M)
        self.assertGreaterEqual(len(presets), 20)
        followed = set()
        for number, preset in enumerate(presets):
            layouts = [layout for layout in LAYOUTS if self.arena(
                "rules", preset, f"teams={layout}").returncode == 0]
            for layout in {layouts[0], layouts[number % len(layouts)]}:
                with self.subTest(preset, layout=layout):
                    self.follow(f"{preset},teams={layout}", len(layout), 2)
                followed.add(layout)
        self.assertEqual(followed, set(LAYOUTS))

    def test_other_values_of_rules(self):
        for rules in MORE_RULES:
            with self.subTest(rules):
                self.follow(rules, 6 if "players=6" in rules else 2, 10)

    def test_games_in_programs_of_their_own(self):
        command = shlex.join([sys.executable, os.path.abspath(__file__)])
        players = [f"{command} CheckedSession", f"{command} EventsSession"]
        for rules, seats in (("scopa", 2), ("cirulla", 2),
                             ("cirulla,teams=ABCDEF", 6)):
            with self.subTest(rules):
                self.match(rules, 3, *players, *["@random"] * (seats - 2))


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].endswith("Session"):
        play_as(globals()[sys.argv[1]])
    else:
        unittest.main()
