"""The protocol side of a bot for card games of the Scopa family (USP/1).

A bot needs one function.  It gets a view of the game and returns a move:

    import scopa_bot

    def choose(view):
        return view.legal[0]

    scopa_bot.run(choose, name="my-bot")

This module reads the lines of the arena, follows the game, lists the legal
moves and answers.  It plays every rule set.  `View` says what choose() can look
at.  Seats are numbered from 1, teams are letters from A, and all sets of cards
are in canonical order (by value, then coins, cups, swords, clubs).

The file has five parts: cards and moves; the view; the legal moves; the game as
the events tell it; options and the session with the arena.
"""
import re
import sys
from dataclasses import dataclass, field
from random import Random
from typing import Callable, NamedTuple, Optional

# ---- Cards and moves -------------------------------------------------------

RANKS = "A234567JQK"
SUITS = "DCSB"  # coins (denari), cups (coppe), swords (spade), clubs (bastoni)


class Card(NamedTuple):
    """A card.  Cards are compared and sorted in canonical order."""

    order: int  # place in the canonical order, from 0
    rank: str  # A 2 3 4 5 6 7 J Q K
    suit: str  # D C S B
    value: int  # 1 to 10
    text: str  # rank and suit, as in the protocol

    def __str__(self):
        return self.text

    __repr__ = __str__


PACK = tuple(
    Card(order, RANKS[order // 4], SUITS[order % 4], order // 4 + 1,
         RANKS[order // 4] + SUITS[order % 4])
    for order in range(40))
CARDS = {card.text: card for card in PACK}  # by text: CARDS["7D"]
MATTA = CARDS["7C"]  # the wild card of Cirulla


class Move(NamedTuple):
    """A play of a card, with or without a capture, or a declaration."""

    card: Optional[Card]  # None: a declaration
    captured: tuple = ()  # cards
    declaration: Optional[str] = None  # "low" or "three"
    rank: Optional[str] = None  # which the declaration gives to the 7 of cups

    @property
    def text(self):
        """The move as in the protocol: 7D, 7Dx3C4S, !low, !low:A."""
        if self.declaration:
            return f"!{self.declaration}" + (f":{self.rank}" if self.rank
                                             else "")
        return f"{self.card}" + ("x" if self.captured else "") + "".join(
            map(str, self.captured))

    def __str__(self):
        return self.text

    __repr__ = __str__


def parse_cards(text):
    """Returns the cards of a text such as 3C4S; `-` is the empty set."""
    if text == "-":
        return ()
    return tuple(sorted(CARDS[text[i:i + 2]] for i in range(0, len(text), 2)))


def parse_move(text):
    """Returns the move of a text such as 7Dx3C4S."""
    if text.startswith("!"):
        declaration, _, rank = text[1:].partition(":")
        return Move(None, (), declaration, rank or None)
    card, _, captured = text.partition("x")
    return Move(CARDS[card], parse_cards(captured))


def parse_pairs(tokens, sign="="):
    """Returns the tokens KEY=VALUE as a dictionary of texts."""
    pairs = (token.partition(sign) for token in tokens)
    return {key: value for key, found, value in pairs if found}


def parse_list(text):
    """Returns a list such as A:0,B:3 as a dictionary; `-` is the empty one."""
    return parse_pairs(text.split(","), ":")


def parse_numbers(text):
    """Returns the same where the values are numbers."""
    return {key: int(value) for key, value in parse_list(text).items()}


# ---- The view --------------------------------------------------------------


def typed(text):
    """Returns the value of a rule: yes and no as bool, digits as int."""
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if text.isdigit() else text


@dataclass
class View:
    """All that a seat may know when it has to choose a move.

    Do not change it: the next decision builds on it.
    """

    seat: int = 0  # your seat, from 1
    teams: tuple = ()  # team of each seat: ("A", "B")
    hand: tuple = ()  # your cards
    table: tuple = ()
    piles: dict = field(default_factory=dict)  # team: cards taken
    scopas: dict = field(default_factory=dict)  # team: sweeps of this deal
    scores: dict = field(default_factory=dict)  # team: points before it
    hand_counts: dict = field(default_factory=dict)  # seat: number of cards
    deck: int = 0  # number of cards not yet dealt
    last: Optional[int] = None  # the seat that captured last
    shown: dict = field(default_factory=dict)  # seat: cards of a declared hand
    plays: list = field(default_factory=list)  # (seat, Move) of this deal
    declared: dict = field(default_factory=dict)  # team: points of declarations
    matta: Optional[int] = None  # value that the wild 7 of cups holds
    opening: int = 0  # sweeps that the dealer made of the opening table
    deal: int = 0  # number of the deal, from 1
    dealer: int = 0  # seat
    target: int = 0  # points to reach
    deals: Optional[int] = None  # number of deals, where it is fixed
    rules: dict = field(default_factory=dict)  # key: bool, int or text
    legal: list = field(default_factory=list)  # the legal moves
    time_ms: Optional[int] = None  # milliseconds left in the bank
    inc_ms: Optional[int] = None  # what each decision adds to the bank
    move_ms: Optional[int] = None  # milliseconds for this decision
    seed: str = ""  # of the match, for your own random numbers
    random: Random = field(default_factory=Random)
    options: dict = field(default_factory=dict)  # name: typed value
    send: Optional[Callable] = field(default=None, repr=False)

    @property
    def seats(self):
        """The number of seats."""
        return len(self.teams)

    @property
    def team(self):
        """Your team."""
        return self.team_of(self.seat)

    def team_of(self, seat):
        return self.teams[seat - 1]

    def hidden(self):
        """Returns the cards that you cannot see: other hands and the deck."""
        seen = {*self.hand, *self.table}
        for cards in (*self.piles.values(), *self.shown.values()):
            seen.update(cards)
        return tuple(card for card in PACK if card not in seen)

    def info(self, comment="", pv=(), **numbers):
        """Says what you think of this decision, for records and charts.

        depth, nodes (whole numbers), value (expected points), time
        (milliseconds) and cut (1: the clock ended the search) have these names
        in the protocol; any other name is a number of your own.  `pv` is a list
        of moves.
        """
        words = []
        for name, number in numbers.items():
            known = name in ("depth", "nodes", "value", "time", "cut")
            words.append(f"{'' if known else 'm.'}{name}={number}")
        if pv:
            words.append("pv=" + ",".join(map(str, pv)))
        if comment:
            words.append("# " + " ".join(str(comment).split()))
        self.send("info " + " ".join(words)[:4000])

    def read_state(self, keys):
        """Takes everything over from the keys of a `state` line."""
        self.seat = int(keys["you"])
        self.teams = tuple(keys["teams"])
        self.hand = parse_cards(keys["hand"])
        self.table = parse_cards(keys["table"])
        self.piles = {team: parse_cards(cards)
                      for team, cards in parse_list(keys["pile"]).items()}
        self.scopas = parse_numbers(keys["scopas"])
        self.scores = parse_numbers(keys["scores"])
        self.hand_counts = {int(seat): count for seat, count
                            in parse_numbers(keys["hands"]).items()}
        self.deck = int(keys["deck"])
        self.last = None if keys["last"] == "-" else int(keys["last"])
        self.shown = {int(seat): parse_cards(cards)
                      for seat, cards in parse_list(keys["shown"]).items()}
        self.plays = []
        if keys["plays"] != "-":
            for play in keys["plays"].split("/"):
                seat, _, move = play.partition(":")
                self.plays.append((int(seat), parse_move(move)))
        self.declared = dict.fromkeys(self.piles, 0)
        self.declared.update(parse_numbers(keys.get("declared", "-")))
        matta = keys.get("matta", "-")
        self.matta = None if matta == "-" else RANKS.index(matta) + 1
        self.opening = int(keys.get("opening", "0"))
        self.deal = int(keys["deal"])
        self.dealer = int(keys["dealer"])
        self.target = int(keys["target"])


# ---- The legal moves -------------------------------------------------------

# The rules that decide what is legal, with the values that are known here.  The
# first value holds where the `rules` line leaves the key out.
MOVE_RULES = {
    "capture": ("sum", "fifteen", "sum-or-fifteen"),
    "equal-fifteen": (False, True),
    "priority": ("single", "fewest", "any"),
    "max-captured": (0, 2),
    "ace": ("plain", "sweep", "sweep-unless-ace", "sweep-traditional"),
    "ace-empty": ("stay", "take"),
    "cirulla-ace": ("choice", "sweep"),
    "cirulla-equal": ("choice", "first"),
    "declare": ("off", "auto", "ask"),
    "matta": ("hand", "plain", "table"),
}


class UnknownRule(Exception):
    """The rules have a value that this module does not know."""


def legal_moves(view):
    """Returns the legal moves of a view in canonical order.

    Raises UnknownRule where the rules of the view have unknown values.
    """
    for key, values in MOVE_RULES.items():
        value = view.rules.get(key, values[0])
        if value not in values:
            raise UnknownRule(f"rules {key}={value} is unknown")
    moves = []
    for card in view.hand:
        captures = captures_of(view, card)
        moves += [Move(card, cards) for cards in captures] or [Move(card)]
    return moves + declarations_of(view)


def rule(view, key):
    return view.rules.get(key, MOVE_RULES[key][0])


def table_value(view, card):
    """Returns the value of a card on the table."""
    if card == MATTA and view.matta and rule(view, "matta") == "table":
        return view.matta
    return card.value


def hand_value(view, card):
    """Returns the value with which a card of the hand captures."""
    return view.matta if card == MATTA and view.matta else card.value


def captures_of(view, card):
    """Returns the sets of cards that a card may take, in canonical order.

    The steps are those of protocol.md, "Which capture".
    """
    value = hand_value(view, card)
    capture = rule(view, "capture")
    totals = {"sum": {value}, "fifteen": {15 - value},
              "sum-or-fifteen": {value, 15 - value}}[capture]
    equal = [(other,) for other in view.table
             if table_value(view, other) == value]

    # 1. What adds up.
    found = sets_that_total(view, totals)
    if rule(view, "equal-fifteen") and capture == "fifteen":
        found += equal
    # 2. How many cards.
    if rule(view, "max-captured"):
        found = [cards for cards in found
                 if len(cards) <= rule(view, "max-captured")]
    # 3. What comes first.
    if (rule(view, "cirulla-equal") == "first" and equal
            and capture == "sum-or-fifteen"):
        found = [cards for cards in found
                 if len(cards) == 1 or total_of(view, cards) != value]
    sizes = [len(cards) for cards in found]
    if rule(view, "priority") == "fewest" or (
            rule(view, "priority") == "single" and 1 in sizes):
        found = [cards for cards in found if len(cards) == min(sizes)]
    # 4. The ace.
    if value == 1 and ace_sweeps(view):
        if capture != "sum-or-fifteen" or rule(view, "cirulla-ace") == "sweep":
            found = []
        found.append(view.table)
    return sorted(set(found))


def total_of(view, cards):
    return sum(table_value(view, card) for card in cards)


def sets_that_total(view, totals):
    """Returns all sets of cards of the table with one of these totals."""
    found = []
    largest = max(totals)
    values = [table_value(view, card) for card in view.table]

    def extend(cards, total, first):
        if total in totals:
            found.append(cards)
        for i in range(first, len(values)):
            larger = total + values[i]
            if larger <= largest:
                extend(cards + (view.table[i],), larger, i + 1)

    extend((), 0, 0)
    return found


def ace_sweeps(view):
    """Whether an ace that is played now takes the whole table."""
    ace = rule(view, "ace")
    ace_lies = any(table_value(view, card) == 1 for card in view.table)
    first_play = all(move.declaration for _, move in view.plays)
    return bool(view.table) and (
        ace == "sweep"
        or ace == "sweep-unless-ace" and not ace_lies
        or ace == "sweep-traditional" and not ace_lies and not first_play)


def declarations_of(view):
    """Returns the declarations that an untouched hand of three cards allows."""
    if (rule(view, "declare") != "ask" or len(view.hand) != 3
            or view.seat in view.shown):
        return []
    others = [card for card in view.hand if card != MATTA]
    wild = len(others) == 2
    if len({card.rank for card in others}) == 1:
        # With two more sevens the 7 of cups needs no other value.
        needed = wild and others[0].rank != "7"
        return [Move(None, (), "three", others[0].rank if needed else None)]
    rest = 9 - sum(card.value for card in others)
    if wild:
        return [Move(None, (), "low", RANKS[i]) for i in range(rest)]
    return [Move(None, (), "low")] if rest >= 0 else []


# ---- The game as the events tell it ----------------------------------------


class Game:
    """Follows the events of the arena; `view` is what they have said so far.

    Each event is a method with the words and the keys of its line.
    """

    EVENTS = ("match", "seat", "rules", "deal", "redeal", "table", "give",
              "sweep", "declare", "show", "play", "rest", "score", "enddeal",
              "abort", "endmatch")

    def __init__(self):
        self.view = View()
        self.rules_known = False  # a `rules` line holds

    def hear(self, verb, words, keys):
        getattr(self, verb)(words, keys)

    def match(self, _, keys):
        seed = keys.get("seed", "")
        self.view = View(
            seat=int(keys["you"]), teams=tuple(keys["teams"]),
            target=int(keys["target"]),
            deals=int(keys["deals"]) if "deals" in keys else None,
            seed=seed, random=Random(seed))
        self.rules_known = False

    def seat(self, words, keys):
        """Teams are in the `match` line, and names are not needed."""

    def rules(self, _, keys):
        self.view.rules = {key: typed(text) for key, text in keys.items()}
        self.rules_known = True

    def deal(self, words, keys):
        view = self.view
        teams = sorted(set(view.teams))
        view.deal = int(words[0])
        view.dealer = int(keys["dealer"])
        view.scores = parse_numbers(keys["scores"])
        view.hand = view.table = ()
        view.piles = dict.fromkeys(teams, ())
        view.scopas = dict.fromkeys(teams, 0)
        view.declared = dict.fromkeys(teams, 0)
        view.hand_counts = dict.fromkeys(range(1, view.seats + 1), 0)
        view.shown = {}
        view.plays = []
        view.deck = len(PACK)
        view.last = view.matta = None
        view.opening = 0

    def table(self, words, _):
        self.view.table = parse_cards(words[0])
        self.view.deck = len(PACK) - len(self.view.table)

    def redeal(self, words, keys):
        """Another `table` line follows and sets everything."""

    def give(self, words, _):
        seat, count = int(words[0]), len(words[1]) // 2
        if seat == self.view.seat:
            self.view.hand = parse_cards(words[1])
        self.view.hand_counts[seat] = count
        self.view.deck -= count

    def sweep(self, words, keys):
        seat = int(words[0])
        self.add_to_pile(seat, parse_cards(words[1]))
        self.view.opening = int(keys.get("scopa", "0"))
        self.view.scopas[self.view.team_of(seat)] += self.view.opening
        self.view.last = seat
        self.view.table = ()

    def declare(self, words, keys):
        view, seat = self.view, int(words[0])
        move = parse_move("!" + words[1])
        view.plays.append((seat, move))
        view.declared[view.team_of(seat)] += int(keys["points"])
        if move.rank and rule(view, "matta") != "plain":
            view.matta = RANKS.index(move.rank) + 1

    def show(self, words, _):
        self.view.shown[int(words[0])] = parse_cards(words[1])

    def play(self, words, keys):
        view, seat = self.view, int(words[0])
        move = parse_move(words[1])
        view.plays.append((seat, move))
        view.scopas[view.team_of(seat)] += int(keys.get("scopa", "0"))
        self.take_from_hand(seat, move.card)
        if move.captured or self.takes_itself(move.card):
            view.table = tuple(card for card in view.table
                               if card not in move.captured)
            self.add_to_pile(seat, (move.card, *move.captured))
            view.last = seat
        else:
            view.table = tuple(sorted((*view.table, move.card)))
        # A 7 of cups that has left the hand holds its value only on the table.
        if MATTA in (move.card, *move.captured) and not (
                MATTA in view.table and rule(view, "matta") == "table"):
            view.matta = None

    def take_from_hand(self, seat, card):
        view = self.view
        view.hand_counts[seat] -= 1
        view.hand = tuple(other for other in view.hand if other != card)
        if seat in view.shown:
            view.shown[seat] = tuple(other for other in view.shown[seat]
                                     if other != card)
            if not view.shown[seat]:
                del view.shown[seat]

    def takes_itself(self, card):
        """Whether an ace on an empty table goes to the pile at once."""
        return (not self.view.table and hand_value(self.view, card) == 1
                and rule(self.view, "ace-empty") == "take")

    def add_to_pile(self, seat, cards):
        team = self.view.team_of(seat)
        self.view.piles[team] = tuple(sorted((*self.view.piles[team], *cards)))

    def rest(self, words, _):
        self.add_to_pile(int(words[0]), self.view.table)
        self.view.table = ()

    def score(self, words, keys):
        """The next `deal` line has the totals."""

    def enddeal(self, words, keys):
        """The next `deal` line begins again."""

    def abort(self, words, keys):
        """The next `deal` or `endmatch` line begins again."""

    def endmatch(self, words, keys):
        self.view = View()
        self.rules_known = False


# ---- Options and the session -----------------------------------------------


@dataclass(frozen=True)
class Option:
    """An option that users may set: int, bool, enum, string or button."""

    name: str
    type: str
    default: object = None
    min: Optional[int] = None  # of an int
    max: Optional[int] = None
    values: tuple = ()  # of an enum

    def line(self):
        """Returns the line that declares the option."""
        words = [f"option name={self.name} type={self.type}"]
        if self.type != "button":
            default = str(self.default)
            if self.type == "bool":
                default = default.lower()
            words.append(f"default={escape(default)}")
        if self.min is not None:
            words.append(f"min={self.min}")
        if self.max is not None:
            words.append(f"max={self.max}")
        if self.values:
            words.append("values=" + "|".join(map(escape, self.values)))
        return " ".join(words)

    def read(self, text):
        """Returns the typed value; raises ValueError with what is allowed."""
        if self.type == "int":
            if re.fullmatch("-?[0-9]+", text):
                number = int(text)
                if ((self.min is None or self.min <= number)
                        and (self.max is None or number <= self.max)):
                    return number
            raise ValueError(
                "must be a whole number"
                + (f" from {self.min}" if self.min is not None else "")
                + (f" to {self.max}" if self.max is not None else ""))
        if self.type == "bool":
            if text in ("true", "false"):
                return text == "true"
            raise ValueError("must be true or false")
        if self.type == "enum" and text not in self.values:
            raise ValueError("must be one of " + ", ".join(self.values))
        return True if self.type == "button" else text


def escape(text):
    """Writes a value so that it is one token: a blank becomes %20."""
    bytes_ = str(text).encode()
    return "".join(
        f"%{byte:02X}" if byte < 0x21 or byte > 0x7E or byte == ord("%")
        or (byte == ord("#") and i == 0) else chr(byte)
        for i, byte in enumerate(bytes_))


def unescape(text):
    escaped = text.encode("ascii", "replace")
    return re.sub(rb"%([0-9A-Fa-f]{2})",
                  lambda hex_: bytes.fromhex(hex_[1].decode()),
                  escaped).decode(errors="replace")


class Session:
    """Reads the lines of the arena and answers them."""

    features = {"position": 1}

    # An arena ends a bot that says too much unasked.
    unknown_verbs_max = 16

    def __init__(self, choose, identity, options, output):
        self.choose = choose
        self.identity = identity  # keys and values of the `id` line
        self.declared = {option.name: option for option in options}
        self.options = {option.name: option.default for option in options}
        self.output = output
        self.game = Game()
        self.unknown_verbs = 0
        self.state = None  # keys of the last `state` line
        self.legal = []  # moves of the last `legal` line

    def say(self, line):
        line = re.sub("[^ -~]", "?", line)
        print(line, file=self.output, flush=True)

    def run(self, lines):
        """Answers lines of bytes until `quit` or the end of the input."""
        for line in lines:
            tokens = line.decode("ascii", "replace").split()
            for i, token in enumerate(tokens):
                if token.startswith("#"):
                    del tokens[i:]
                    break
            if tokens[:1] == ["quit"]:
                return
            if tokens:
                self.hear(tokens[0], tokens[1:])

    def hear(self, verb, tokens):
        """Answers a line; one that is malformed is reported and skipped."""
        keys = parse_pairs(tokens)
        try:
            asked = self.read(verb, tokens, keys)
        except (AttributeError, LookupError, TypeError, ValueError) as why:
            self.say(f"error syntax # {verb}: {why!r}")
            asked = False
        if asked:
            self.answer(keys)
        if verb == "go":
            self.state = None
            self.legal = []

    def read(self, verb, tokens, keys):
        """Does what a line says; returns whether it asks for a move."""
        if verb in Game.EVENTS:
            self.game.hear(verb, tokens, keys)
        elif verb == "state":
            self.state = keys
        elif verb == "legal":
            # The token `...` says that the list was cut.
            self.legal = [parse_move(move) for move in tokens
                          if move != "..." and "=" not in move]
        elif verb == "go":
            return self.update_view(keys)
        elif verb == "usp":
            self.greet()
        elif verb == "setoption":
            self.set_option(" ".join(tokens))
        elif verb == "isready":
            self.say("readyok")
        elif verb in ("error", "illegal"):
            # What the arena did not like helps the author.
            print("arena:", verb, *tokens, file=sys.stderr, flush=True)
        elif verb not in ("stop", "cards"):
            self.unknown_verbs += 1
            if self.unknown_verbs <= self.unknown_verbs_max:
                self.say(f'error unknown # no verb "{verb[:40]}"')
        return False

    def greet(self):
        self.say("id " + " ".join(
            f"{key}={escape(text)}" for key, text in self.identity.items()
            if text))
        for option in self.declared.values():
            self.say(option.line())
        self.say("feature " + " ".join(
            f"{key}={value}" for key, value in self.features.items()))
        self.say("uspok 1")

    def set_option(self, token):
        name, _, text = token.partition("=")
        if name not in self.declared:
            self.say(f"error option # there is no option {name[:40]}")
            return
        try:
            self.options[name] = self.declared[name].read(unescape(text))
        except ValueError as why:
            self.say(f"error option # {name} {why}")

    def answer(self, keys):
        """Chooses a move and sends it."""
        move = self.choose(self.game.view)
        if not isinstance(move, (Move, str)):
            raise TypeError(f"choose() returned {move!r}, "
                            f"a {type(move).__name__}, which is no move")
        turn = f" turn={keys['turn']}" if "turn" in keys else ""
        self.say(f"move {move}{turn}")

    def update_view(self, keys):
        """Completes the view for a decision; says whether one is possible."""
        game, view = self.game, self.game.view
        if self.state:
            view.read_state(self.state)
            if not game.rules_known:
                view.rules = self.rules_of_state()
        view.legal = self.legal or self.own_moves()
        if not view.legal:
            return False
        view.time_ms, view.inc_ms, view.move_ms = (
            int(keys[key]) if key in keys else None
            for key in ("time", "inc", "move"))
        view.options = self.options
        view.send = self.say
        return True

    def rules_of_state(self):
        """Returns what a `state` line without a `rules` line says of them."""
        preset, *overrides = self.state["rules"].split(",")
        rules = {"preset": preset, "target": int(self.state["target"]),
                 "players": len(self.state["teams"]),
                 "teams": self.state["teams"]}
        rules.update((key, typed(text)) for key, text
                     in parse_pairs(overrides).items())
        return rules

    def own_moves(self):
        """Returns the legal moves where the arena does not send them."""
        try:
            if not self.game.view.hand:
                raise UnknownRule("go without a deal or a state line")
            if not self.game.rules_known:
                raise UnknownRule("neither a rules nor a legal line has come")
            return legal_moves(self.game.view)
        except UnknownRule as why:
            self.say(f"error feature # {why}")
            self.say("error fatal # no move can be chosen")
            return []


def run(choose, name, version="", author="", options=()):
    """Plays until the arena says `quit`; choose(view) returns the moves.

    An exception in choose() ends the program with status 1, and the arena shows
    the traceback.  What choose() prints goes to standard error.
    """
    output, sys.stdout = sys.stdout, sys.stderr
    identity = {"name": name, "version": version, "author": author}
    Session(choose, identity, options, output).run(sys.stdin.buffer)
