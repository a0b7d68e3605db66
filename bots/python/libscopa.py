"""The rules of the Scopa family, from the library libscopa.

    from libscopa import Deal, Rules

    deal = Deal.random(Rules("cirulla"), seed=1)
    while not deal.over:
        deal.play(deal.legal_moves()[0])
    print(deal.score().totals)

Cards, moves, rule sets and positions are texts in the notation of the protocol
(protocol.md, sections 3 and 7): `7D`, `7Dx3C4S`, `scopa,priority=fewest`.
Seats count from 1, and teams are letters from `A`.

The library is the file that $SCOPA_LIBRARY names, or else libscopa.so.0 as the
system finds it.  This module knows no layout of any struct of the library: it
reserves as many bytes as the library wants, and asks it for everything.
"""
import ctypes
import os
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import Dict, List, Optional, Sequence, Tuple, Union

LIBRARY = "libscopa.so.0"
TEXT_SIZE = 65536
PACK_SIZE = 40
RANKS = "A234567JQK"
SUITS = "DCSB"

#: The forty cards; the library numbers them in this order.
CARDS: Tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)


class ScopaError(Exception):
    """Whatever the library refuses."""


class LibraryError(ScopaError):
    """The library is not there, or is too old."""


class RulesError(ScopaError, ValueError):
    """A text that is no rule set; the message says why."""


class CardsError(ScopaError, ValueError):
    """Cards that are no pack, or a seat or team that the rules do not have."""


class StateError(ScopaError, ValueError):
    """A text that is no `state` line; the message says why."""


class Redeal(ScopaError):
    """By the rules, the opening table of this pack must be dealt again."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the cards are dealt again: {reason}")
        #: `kings`, `aces` or `ace`.
        self.reason = reason


class IllegalMove(ScopaError, ValueError):
    """A move that the rules refuse."""

    def __init__(self, move: str, reason: str, sentence: str) -> None:
        super().__init__(f"{move}: {sentence}")
        self.move = move
        #: As in the protocol: `must-capture`; `syntax`, `duplicate`.
        self.reason = reason


def _open() -> ctypes.CDLL:
    path = os.environ.get("SCOPA_LIBRARY") or LIBRARY
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise LibraryError(
            f"libscopa cannot be loaded: {error}; install it, or set "
            "SCOPA_LIBRARY to the path of libscopa.so") from None


# Results and arguments of the functions that are called here.
_POINTER, _INT, _TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
_SET, _SIZE = ctypes.c_uint64, ctypes.c_size_t
_FUNCTIONS = {
    "scopa_struct_size": (_SIZE, [_TEXT]),
    "scopa_text_init": (None, [_POINTER, _POINTER, _SIZE]),
    "scopa_preset_name": (_TEXT, [_INT]),
    "scopa_preset_find": (_POINTER, [_TEXT]),
    "scopa_rules_parse": (ctypes.c_bool, [_POINTER, _TEXT, _POINTER]),
    "scopa_rules_format": (None, [_POINTER, _POINTER]),
    "scopa_rules_players": (_INT, [_POINTER]),
    "scopa_rules_teams": (_INT, [_POINTER]),
    "scopa_rules_team": (_INT, [_POINTER, _INT]),
    "scopa_deal_start": (_INT, [_POINTER, _POINTER, _INT, _POINTER]),
    "scopa_start_name": (_TEXT, [_INT]),
    "scopa_deal_turn": (_INT, [_POINTER]),
    "scopa_deal_dealer": (_INT, [_POINTER]),
    "scopa_deal_last": (_INT, [_POINTER]),
    "scopa_deal_deck_count": (_INT, [_POINTER]),
    "scopa_deal_table": (_SET, [_POINTER]),
    "scopa_deal_hand": (_SET, [_POINTER, _INT]),
    "scopa_deal_pile": (_SET, [_POINTER, _INT]),
    "scopa_deal_sweeps": (_INT, [_POINTER, _INT]),
    "scopa_deal_history_count": (_INT, [_POINTER]),
    "scopa_deal_history": (_POINTER, [_POINTER, _INT]),
    "scopa_deal_play": (_INT, [_POINTER, _POINTER, _TEXT]),
    "scopa_moves": (_INT, [_POINTER, _POINTER, _POINTER, _INT]),
    "scopa_move_format": (None, [_POINTER, _POINTER]),
    "scopa_move_seat": (_INT, [_POINTER]),
    "scopa_refusal_name": (_TEXT, [_INT]),
    "scopa_refusal_sentence": (_TEXT, [_INT]),
    "scopa_score_count": (None, [_POINTER, _POINTER, _POINTER]),
    "scopa_score_item_count": (_INT, []),
    "scopa_item_name": (_TEXT, [_INT]),
    "scopa_item_counts": (ctypes.c_bool, [_POINTER, _INT]),
    "scopa_score_quantity": (_INT, [_POINTER, _INT, _INT]),
    "scopa_score_points": (_INT, [_POINTER, _INT, _INT]),
    "scopa_score_total": (_INT, [_POINTER, _INT]),
    "scopa_score_winner": (_INT, [_POINTER]),
    "scopa_tally_init": (None, [_POINTER, _INT, _INT]),
    "scopa_tally_add": (None, [_POINTER, _POINTER, _POINTER]),
    "scopa_tally_score": (_INT, [_POINTER, _INT]),
    "scopa_tally_deal_count": (_INT, [_POINTER]),
    "scopa_tally_dealer": (_INT, [_POINTER]),
    "scopa_tally_state": (_INT, [_POINTER]),
    "scopa_tally_winner": (_INT, [_POINTER]),
    "scopa_view_make": (
        None, [_POINTER, _POINTER, _POINTER, _INT, _POINTER]),
    "scopa_view_unseen": (_SET, [_POINTER]),
    "scopa_view_deal": (None, [_POINTER, _POINTER, _POINTER, _POINTER]),
    "scopa_state_format": (None, [_POINTER, _POINTER, _POINTER, _POINTER]),
    "scopa_state_parse": (
        ctypes.c_bool, [_TEXT, _POINTER, _POINTER, _POINTER]),
}


def _bind(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise LibraryError(
                f"libscopa is too old: it has no {name}") from None
        function.restype, function.argtypes = result, arguments
    return library


_lib = _bind(_open())


def _reserve(size: int) -> ctypes.Array:
    """Zeroed memory, whose address is a multiple of 8."""
    return (ctypes.c_uint64 * ((size + 7) // 8))()


def _sizes() -> Dict[str, int]:
    names = ("rules", "deal", "move", "score", "tally", "text", "view")
    return {name: _lib.scopa_struct_size(name.encode()) for name in names}


_SIZES = _sizes()


def _struct(name: str, count: int = 1) -> ctypes.Array:
    return _reserve(_SIZES[name] * count)


class _Text:
    """A text that the library writes."""

    def __init__(self, size: int = TEXT_SIZE) -> None:
        self._bytes = ctypes.create_string_buffer(size)
        self.memory = _struct("text")
        self.clear()

    def clear(self) -> None:
        _lib.scopa_text_init(self.memory, self._bytes, len(self._bytes))

    def __str__(self) -> str:
        return self._bytes.value.decode("ascii")


def _encode(text: str) -> bytes:
    """What is not ASCII is `?`, which is no part of any notation."""
    return text.encode("ascii", "replace").replace(b"\0", b"?")


def _cards_of(bits: int) -> List[str]:
    return [CARDS[i] for i in range(PACK_SIZE) if bits >> i & 1]


def _numbers_of(cards: Union[str, Sequence[str]], what: str) -> List[int]:
    """The numbers of cards, each of which may stand once."""
    if isinstance(cards, str):
        cards = [cards[i:i + 2] for i in range(0, len(cards), 2)]
    numbers = []
    for card in cards:
        if card not in CARDS:
            raise CardsError(f"{what}: not a card: {card}")
        numbers.append(CARDS.index(card))
    if len(set(numbers)) != len(numbers):
        raise CardsError(f"{what}: a card stands there twice")
    return numbers


def presets() -> List[str]:
    """The names of all presets."""
    names: List[str] = []
    while True:
        name = _lib.scopa_preset_name(len(names))
        if name is None:
            return names
        names.append(name.decode())


class Rules:
    """A rule set: `PRESET[,KEY=VALUE...]`."""

    def __init__(self, spec: str = "scopa") -> None:
        why = _Text()
        self.memory = _struct("rules")
        if not _lib.scopa_rules_parse(self.memory, _encode(spec), why.memory):
            raise RulesError(f"rules \"{spec}\": {why}")
        self.spec = spec

    @property
    def preset(self) -> str:
        """The name before the first comma."""
        return self.spec.split(",")[0]

    @property
    def players(self) -> int:
        """The number of seats."""
        return _lib.scopa_rules_players(self.memory)

    @property
    def teams(self) -> str:
        """The letters of the teams: `AB`."""
        return "ABCDEF"[:_lib.scopa_rules_teams(self.memory)]

    def team_of(self, seat: int) -> str:
        """The team of a seat."""
        return self.teams[
            _lib.scopa_rules_team(self.memory, self._seat(seat))]

    @property
    def parameters(self) -> Dict[str, str]:
        """The value of every key, as in the `rules` line."""
        text = _Text()
        _lib.scopa_rules_format(self.memory, text.memory)
        return dict(pair.split("=") for pair in str(text).split())

    def _seat(self, seat: int) -> int:
        if not 1 <= seat <= self.players:
            raise CardsError(f"there is no seat {seat}")
        return seat - 1

    def _team(self, team: str) -> int:
        if team not in list(self.teams):
            raise CardsError(f"there is no team {team}")
        return self.teams.index(team)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and \
            bytes(self.memory) == bytes(other.memory)

    def __hash__(self) -> int:
        return hash(bytes(self.memory))

    def __repr__(self) -> str:
        return f"Rules({self.spec!r})"


@dataclass(frozen=True)
class Score:
    """The points of a deal, by team."""

    totals: Dict[str, int]
    #: Of each item that the rules count, what each team has.
    quantities: Dict[str, Dict[str, int]]
    #: The points for it.
    points: Dict[str, Dict[str, int]]
    #: The team that has won the match at once.
    winner: Optional[str]


class Deal:
    """A deal at one moment."""

    def __init__(self, rules: Rules, pack: Union[str, Sequence[str]],
                 dealer: Optional[int] = None) -> None:
        """Deals a pack of forty cards, in this order.

        Without `dealer` the last seat deals, so that seat 1 begins.  Raises
        Redeal where the opening table is thrown in.
        """
        numbers = _numbers_of(pack, "pack")
        if len(numbers) != PACK_SIZE:
            raise CardsError(f"pack: {len(numbers)} cards are not forty")
        seat = rules.players if dealer is None else dealer
        self.rules = rules
        self.memory = _struct("deal")
        start = _lib.scopa_deal_start(
            rules.memory, (ctypes.c_uint8 * PACK_SIZE)(*numbers),
            rules._seat(seat), self.memory)
        if start:
            raise Redeal(_lib.scopa_start_name(start).decode())

    @classmethod
    def random(cls, rules: Rules,
               seed: Union[int, str, Random, None] = None,
               dealer: Optional[int] = None) -> "Deal":
        """A deal of a random pack that is not thrown in.

        A number or text gives the same pack again; a generator goes on.
        """
        generator = seed if isinstance(seed, Random) \
            else Random(seed)
        while True:
            pack = list(CARDS)
            generator.shuffle(pack)
            try:
                return cls(rules, pack, dealer)
            except Redeal:
                pass

    @classmethod
    def from_state(cls, line: str,
                   unseen: Union[str, Sequence[str], Random, None] = None
                   ) -> "Deal":
        """A deal that fits a `state` line of the protocol.

        `unseen` are the cards that the line does not show: the hands, seat by
        seat, then the deck in order of dealing.  A generator, or without it a
        new one, chooses them.
        """
        rules, view, why = Rules(), _struct("view"), _Text()
        if not _lib.scopa_state_parse(
                _encode(line), rules.memory, view, why.memory):
            raise StateError(str(why))
        words = takewhile(lambda word: word[0] != "#", line.split())
        keys = dict(word.split("=", 1) for word in words if "=" in word)
        rules.spec = "{},teams={},target={}".format(
            keys["rules"], keys["teams"],
            keys.get("target", rules.parameters["target"]))
        hidden = _cards_of(_lib.scopa_view_unseen(view))
        if unseen is None or isinstance(unseen, Random):
            cards = list(hidden)
            (unseen or Random()).shuffle(cards)
            numbers = _numbers_of(cards, "unseen")
        else:
            numbers = _numbers_of(unseen, "unseen")
        if sorted(numbers) != sorted(_numbers_of(hidden, "unseen")):
            raise CardsError("unseen: these are not the unseen cards")
        deal = cls.__new__(cls)
        deal.rules = rules
        deal.memory = _struct("deal")
        _lib.scopa_view_deal(
            rules.memory, view,
            (ctypes.c_uint8 * PACK_SIZE)(*numbers), deal.memory)
        return deal

    def copy(self) -> "Deal":
        """The same deal, which goes on by itself."""
        deal = Deal.__new__(Deal)
        deal.rules = self.rules
        deal.memory = _struct("deal")
        ctypes.memmove(deal.memory, self.memory, ctypes.sizeof(self.memory))
        return deal

    @property
    def over(self) -> bool:
        """Whether nobody is to move any more."""
        return _lib.scopa_deal_turn(self.memory) < 0

    @property
    def turn(self) -> Optional[int]:
        """The seat to move."""
        return None if self.over else _lib.scopa_deal_turn(self.memory) + 1

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return _lib.scopa_deal_dealer(self.memory) + 1

    @property
    def last(self) -> Optional[int]:
        """The seat that has captured last."""
        seat = _lib.scopa_deal_last(self.memory)
        return None if seat < 0 else seat + 1

    @property
    def deck_count(self) -> int:
        """How many cards are not dealt yet."""
        return _lib.scopa_deal_deck_count(self.memory)

    @property
    def table(self) -> List[str]:
        """The cards on the table, in canonical order."""
        return _cards_of(_lib.scopa_deal_table(self.memory))

    def hand(self, seat: int) -> List[str]:
        """The cards in the hand of a seat."""
        return _cards_of(_lib.scopa_deal_hand(
            self.memory, self.rules._seat(seat)))

    def pile(self, team: str) -> List[str]:
        """The cards that a team has captured."""
        return _cards_of(_lib.scopa_deal_pile(
            self.memory, self.rules._team(team)))

    def sweeps(self, team: str) -> int:
        """The sweeps of a team that score."""
        return _lib.scopa_deal_sweeps(self.memory, self.rules._team(team))

    @property
    def history(self) -> List[Tuple[int, str]]:
        """The plays and declarations so far: seat and move."""
        moves = []
        text = _Text(256)
        for i in range(_lib.scopa_deal_history_count(self.memory)):
            move = _lib.scopa_deal_history(self.memory, i)
            text.clear()
            _lib.scopa_move_format(move, text.memory)
            moves.append((_lib.scopa_move_seat(move) + 1, str(text)))
        return moves

    def move_count(self) -> int:
        """The number of legal moves; 0 when the deal is over."""
        return _lib.scopa_moves(self.rules.memory, self.memory, None, 0)

    def legal_moves(self) -> List[str]:
        """The legal moves in canonical order; none when the deal is over."""
        count = self.move_count()
        moves = _struct("move", count)
        text = _Text(256)
        found = []
        _lib.scopa_moves(self.rules.memory, self.memory, moves, count)
        for i in range(count):
            text.clear()
            _lib.scopa_move_format(
                ctypes.addressof(moves) + i * _SIZES["move"], text.memory)
            found.append(str(text))
        return found

    def play(self, move: str) -> None:
        """Makes a move of the seat to move, or raises IllegalMove."""
        refusal = _lib.scopa_deal_play(
            self.rules.memory, self.memory, _encode(move))
        if refusal > 0:
            raise IllegalMove(
                move, _lib.scopa_refusal_name(refusal).decode(),
                _lib.scopa_refusal_sentence(refusal).decode())
        if refusal == -2:
            raise IllegalMove(move, "duplicate", "a card stands there twice")
        if refusal < 0:
            raise IllegalMove(move, "syntax", "this is not a move")

    def score(self) -> Score:
        """The points of a deal that is over."""
        if not self.over:
            raise ScopaError("the deal is not over: it has no score yet")
        memory = self._score_memory()
        rules, teams = self.rules.memory, list(enumerate(self.rules.teams))
        items = {
            _lib.scopa_item_name(i).decode(): i
            for i in range(_lib.scopa_score_item_count())
            if _lib.scopa_item_counts(rules, i)}
        winner = _lib.scopa_score_winner(memory)
        return Score(
            {team: _lib.scopa_score_total(memory, i) for i, team in teams},
            {name: {team: _lib.scopa_score_quantity(memory, i, item)
                    for i, team in teams} for name, item in items.items()},
            {name: {team: _lib.scopa_score_points(memory, i, item)
                    for i, team in teams} for name, item in items.items()},
            None if winner < 0 else self.rules.teams[winner])

    def _score_memory(self) -> ctypes.Array:
        memory = _struct("score")
        _lib.scopa_score_count(self.rules.memory, self.memory, memory)
        return memory

    def state(self, seat: int, match: Optional["Match"] = None) -> str:
        """The `state` line of a seat: all that it may know.

        `match` gives the number of the deal and the points before it.
        """
        if match is None:
            match = Match(self.rules)
        view, text = _struct("view"), _Text()
        _lib.scopa_view_make(
            self.rules.memory, self.memory, match.memory,
            self.rules._seat(seat), view)
        _lib.scopa_state_format(
            self.rules.memory,
            _lib.scopa_preset_find(_encode(self.rules.preset)), view,
            text.memory)
        return str(text)

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly `depth` moves from here.

        Sequences that the end of the deal cuts short do not count.
        """
        if depth <= 0:
            return 1
        if depth == 1:
            return self.move_count()
        total = 0
        for move in self.legal_moves():
            deal = self.copy()
            deal.play(move)
            total += deal.perft(depth - 1)
        return total

    def __repr__(self) -> str:
        return f"Deal({self.rules.spec}, turn={self.turn}, " \
            f"table={''.join(self.table) or '-'})"


class Match:
    """The points of a match, deal by deal."""

    STATES = ("open", "target", "deals", "instant")

    def __init__(self, rules: Rules, dealer: Optional[int] = None,
                 deals: int = 0) -> None:
        """`deals`: a fixed number of deals; 0: to the target of the rules."""
        if not 0 <= deals < 1 << 31:
            raise ScopaError(f"{deals} deals are not possible")
        seat = rules.players if dealer is None else dealer
        self.rules = rules
        self.memory = _struct("tally")
        _lib.scopa_tally_init(self.memory, rules._seat(seat), deals)

    def add(self, deal: Deal) -> None:
        """Adds the points of a deal that is over, while the match is open."""
        if self.state != "open":
            raise ScopaError("the match is over")
        if not deal.over:
            raise ScopaError("the deal is not over: it has no score yet")
        if deal.rules != self.rules:
            raise ScopaError("the deal has other rules than the match")
        _lib.scopa_tally_add(
            self.rules.memory, self.memory, deal._score_memory())

    @property
    def state(self) -> str:
        """`open`, or why the match is over: `target`, `deals`, `instant`."""
        return self.STATES[_lib.scopa_tally_state(self.memory)]

    @property
    def winner(self) -> Optional[str]:
        """The team that has won; None while the match is open, or drawn."""
        team = _lib.scopa_tally_winner(self.memory)
        return None if team < 0 else self.rules.teams[team]

    @property
    def dealer(self) -> int:
        """The seat that deals next."""
        return _lib.scopa_tally_dealer(self.memory) + 1

    @property
    def deal_count(self) -> int:
        """How many deals have been played."""
        return _lib.scopa_tally_deal_count(self.memory)

    @property
    def scores(self) -> Dict[str, int]:
        """The points of each team."""
        return {team: _lib.scopa_tally_score(self.memory, i)
                for i, team in enumerate(self.rules.teams)}
