"""seat.py URL CASE [ARGUMENT...]: a browser, and a person who plays in it.

URL is the address of the first page.  CASE is a function below, which asserts the
behaviour that its comment states, or prints what it is sent.
"""
import http.client
import json
import random
import re
import signal
import socket
import struct
import sys
import urllib.parse

FORM = {"rules": "scopa", "seats": 2, "persons": "1", "bots": "0", "time": 0,
        "hints": 1}
lobby = urllib.parse.urlparse(sys.argv[1])
ORIGIN = f"http://{lobby.netloc}"


def request(method, path, body=None, **headers):
    """Returns status and text of the reply; a header that is None is not sent."""
    connection = http.client.HTTPConnection(lobby.netloc, timeout=300)
    headers = {"Origin": ORIGIN, **headers}
    connection.request(method, path, body=body, headers={
        key: value for key, value in headers.items() if value is not None})
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


def post(path, body="", expected=200):
    status, text = request("POST", path, body)
    assert status == expected, (path, body, status, text)
    return json.loads(text)


def begin(expected=200, **form):
    """Begins a game, and returns the paths of its seats."""
    body = " ".join(f"{key}={value}" for key, value in {**FORM, **form}.items())
    reply = post(lobby.path + "game", body, expected)
    return [seat["path"] for seat in reply.get("seats", [])]


def open_stream(path):
    connection = http.client.HTTPConnection(lobby.netloc, timeout=300)
    connection.request("GET", path)
    reply = connection.getresponse()
    assert reply.status == 200, reply.status
    reply.connection = connection  # without it the socket would be closed
    return reply


def events(reply):
    """Yields the events of a stream: name and lines of data."""
    name, lines = "message", []
    for line in reply:
        line = line.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            lines.append(line[6:])
        elif not line:
            yield name, lines
            name, lines = "message", []


def get(path):
    """Prints the status and the text of a page."""
    print(*request("GET", path), sep="\n")


def ask():
    """Prints which requests (STATUS METHOD PATH HEADER=VALUE...) have another
    status than expected."""
    for line in sys.stdin:
        status, method, path, *headers = line.split()
        headers = {"Origin": None, **dict(word.split("=", 1) for word in headers)}
        got = request(method, path, **headers)[0]
        if got != int(status):
            print(f"{line.strip()}: {got}")


def watch(path, wanted, expression):
    """Prints events until one of this name has a text that matches."""
    for name, lines in events(open_stream(path)):
        text = "\n".join(lines)
        print(name, text, flush=True)
        if name == wanted and re.search(expression, text):
            return
    sys.exit("the stream has ended")


class Seat:
    """The page of a seat: the lines that it gets, and the open question."""

    def __init__(self, path):
        self.path = path
        self.lines = []
        self.events = events(open_stream(path + "events"))

    def event(self):
        """Returns the name of the next event, or None at the end of the stream."""
        name, lines = next(self.events, (None, []))
        self.lines += filter(None, lines)
        return name

    def until(self, *verbs):
        """Waits for a line with one of these verbs after the last answer."""
        while True:
            for line in self.lines[getattr(self, "seen", 0):]:
                if line.split()[0] in verbs:
                    return line
            assert self.event(), f"no {verbs}: {self.lines[-3:]}"

    def question(self):
        """Returns the legal moves and the turn, or None if the game is over."""
        if self.until("go", "x-over").startswith("x-over"):
            return None
        moves = [line for line in self.lines if line.startswith("legal ")][-1]
        turn = [line for line in self.lines if line.startswith("go ")][-1]
        return moves.split()[1:], turn.split()[1]

    def answer(self, move, turn, expected=200):
        if expected == 200:
            self.seen = len(self.lines)
        return post(self.path + "move", f"move {move} {turn}", expected)

    def play(self, choose=lambda moves: moves[0]):
        while True:
            question = self.question()
            if question is None:
                return [line for line in self.lines
                        if line.startswith("x-over")][-1]
            self.answer(choose(question[0]), question[1])


def declares_first(moves):
    return next((move for move in moves if move[0] == "!"),
                random.choice(moves))


def game():
    """Plays a whole game; another page of the seat is sent the same lines."""
    seat = Seat(begin()[0])
    assert seat.play() == "x-over done"
    assert any(line.startswith("endmatch") for line in seat.lines)
    assert all(re.fullmatch(r"give 2 [?]+", line)
               for line in seat.lines if line.startswith("give 2"))
    events = ("deal", "give", "table", "play", "rest", "score", "endmatch")
    told = [line for line in seat.lines if line.split()[0] in events]
    again = Seat(seat.path)
    again.until("x-over")
    assert told == [line for line in again.lines if line.split()[0] in events]
    # In the next game all players move on by one seat.
    following = post(seat.path + "again")["seats"]
    assert [place["seat"] for place in following] == [2]
    Seat(following[0]["path"]).until("go")
    post(following[0]["path"] + "stop")


def variants(count):
    """Plays games of all rules and numbers of seats, or some of them."""
    status, page = request("GET", lobby.path)
    assert status == 200
    text = re.search(r'<script[^>]*id="document"[^>]*>(.*?)</script>', page,
                     re.S).group(1)
    kinds = [(rule["name"], seats) for rule in json.loads(text)["rules"]
             for seats in rule["seats"]]
    assert len(kinds) > 20
    wanted = {"cirulla", "scopone"}
    picked = [kind for kind in kinds if kind[0] in wanted]
    rest = [kind for kind in kinds if kind not in picked]
    picked += random.sample(rest, min(int(count), len(rest)))
    for rules, seats in picked:
        persons = random.randint(1, seats)
        paths = begin(rules=rules, seats=seats, persons=persons)
        end = Seat(paths[0]).play(declares_first)
        assert end == "x-over done", (rules, seats, end)


def refusals():
    """A wrong answer is refused, and the game continues."""
    seat = Seat(begin()[0])
    moves, turn = seat.question()
    seat.answer("7Dx7D", turn, 409)
    seat.answer(moves[0], "turn=0123456789abcdef", 409)
    seat.answer("...", turn, 409)
    for body in ("", "move", f"move {moves[0]}", "quit", "readyok",
                 f"move {moves[0]} {turn} {turn}",
                 f"info x=1\nmove {moves[0]} {turn}"):
        post(seat.path + "move", body, 409)
    seat.answer(moves[0], turn)
    post(seat.path + "move", f"move {moves[0]} {turn}", 409)
    post(seat.path + "again", "", 409)
    assert seat.play() == "x-over done"


def intruders():
    """Requests without the token of the seat are refused, and show nothing."""
    form = " ".join(f"{key}={value}" for key, value in FORM.items())
    mine, other = begin(persons="1,2", bots="0", seats=3, rules="scopa")
    seats = [Seat(mine), Seat(other)]
    moves, turn = seats[0].question()
    answer = f"move {moves[0]} {turn}"
    hidden = [line for line in seats[1].lines if line.startswith("give 1 ")]
    assert all(re.fullmatch(r"give 1 [?]+", line) for line in hidden), hidden
    wrong = [mine[:-2] + ("0" if mine[-2] != "0" else "1") + "/",
             mine[:-2] + "/", "/seat/" + "0" * 32 + "/", "/seat/x/",
             "/seat/" + "0" * 200 + "/", lobby.path.replace("play", "seat")]
    unknown = request("GET", "/nowhere")
    assert unknown[0] == 404, unknown
    for path in wrong:
        for page in ("", "events"):
            assert request("GET", path + page) == unknown, (path, page)
        for page in ("move", "hint", "stop", "again"):
            assert request("POST", path + page, answer) == unknown, (path, page)
    for path in ("/play/", "/play/x/", "/play/" + "0" * 32 + "/",
                 mine.replace("seat", "play")):
        assert request("GET", path) == unknown, path
        assert request("POST", path + "game", form) == unknown, path
    # The other person cannot answer for this seat.
    status, _ = request("POST", other + "move", answer)
    assert status == 409, status
    # The address alone is not enough for a page of another server.
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"},
                    {"Origin": None, "Sec-Fetch-Site": "cross-site"},
                    {"Sec-Fetch-Site": "cross-site"},
                    {"Sec-Fetch-Site": "same-site"},
                    {"Origin": "http://127.0.0.1:1"}):
        status, _ = request("POST", mine + "move", answer, **headers)
        assert status == 403, (headers, status)
    for host in ("evil.example", "evil.example:80"):
        status, text = request("GET", mine, Host=host)
        assert status in (400, 403, 421) and mine not in text, (host, status)
    for method, path in (("GET", "move"), ("GET", "stop"), ("PUT", "move"),
                         ("DELETE", ""), ("POST", "events"), ("OPTIONS", "")):
        status, _ = request(method, mine + path)
        assert status in (404, 405), (method, path, status)
    status, _ = request("POST", mine + "move", answer + " " * 100000)
    assert status == 413, status
    # After all this the question is still open.
    seats[0].answer(moves[0], turn)
    post(mine + "stop")


def together():
    """Two persons and a bot: each person gets the address of the next game.

    Two persons need no bot.
    """
    pages = [Seat(path) for path in begin(persons="1,3", seats=3)]
    post(pages[0].path + "stop")
    for page in pages:
        assert page.until("x-over") == "x-over stopped"
    games = [post(page.path + "again") for page in pages]
    assert games[0]["number"] == games[1]["number"]
    assert [[(seat["seat"], seat["name"]) for seat in game["seats"]]
            for game in games] == [[(2, "anna")], [(1, "bruno")]]
    following = [Seat(game["seats"][0]["path"]) for game in games]
    moves, turn = following[1].question()
    following[1].answer(moves[0], turn)
    following[0].question()
    post(following[0].path + "stop")
    pages = [Seat(path) for path in begin(persons="1,2", bots="")]
    for page in pages:
        moves, turn = page.question()
        page.answer(moves[0], turn)
    post(pages[0].path + "stop")


def crowd():
    """A game that is continued keeps its pages, however many games are newer."""
    first = begin(persons="1,2", bots="")
    post(first[0] + "stop")
    for _ in range(7):
        post(begin(persons="1,2", bots="")[0] + "stop")
    games = [post(path + "again") for path in first]
    assert games[0]["number"] == games[1]["number"]
    post(games[0]["seats"][0]["path"] + "stop")


def takeover():
    """A seat has one page: a new page replaces the old one."""
    first = Seat(begin()[0])
    moves, turn = first.question()
    second = Seat(first.path)
    while first.event() not in ("replaced", None):
        pass
    assert first.event() is None
    assert second.question() == (moves, turn)
    second.answer(moves[0], turn)
    second.question()
    post(second.path + "stop")
    assert second.until("x-over") == "x-over stopped"


def hints():
    """A hint is a legal move; a game without hints gives none."""
    seat = Seat(begin()[0])
    moves, _ = seat.question()
    post(seat.path + "hint")
    assert seat.until("x-hint").split()[1] in moves
    post(seat.path + "stop")
    seat = Seat(begin(hints=0)[0])
    seat.question()
    post(seat.path + "hint", "", 409)
    post(seat.path + "stop")


def clock():
    """A person with a clock is sent the remaining time, and loses on time."""
    seat = Seat(begin(time=1)[0])
    assert 0 <= int(seat.until("x-left").split()[1]) <= 1000
    assert seat.until("x-over") == "x-over done"
    assert "x-fault 1 timeout TIMEOUT" in seat.lines
    # If the arena moves for late players, the person plays on.
    seat = Seat(begin(time=1, seats=3, rules="scopa")[0])
    seat.until("play")
    late = seat.until("play")
    assert "by=arena cause=timeout" in " ".join(seat.lines), late
    # On a busy machine this program may be late itself: then it tries again.
    status = 409
    while status == 409:
        seat.seen = len(seat.lines)
        moves, turn = seat.question()
        status, text = request("POST", seat.path + "move",
                               f"move {moves[0]} {turn}")
    assert status == 200, text
    post(seat.path + "stop")


def limit(count):
    """At most COUNT games run at once; another one begins when one is over."""
    paths = [begin()[0] for _ in range(int(count))]
    assert begin(503) == []
    seat = Seat(paths[1])
    post(seat.path + "stop")
    assert seat.until("x-over") == "x-over stopped"
    paths[1] = begin()[0]
    for path in paths:
        post(path + "stop")


def linger(count):
    """Games that are over do not count, even if their bots have not ended."""
    for _ in range(int(count) + 1):
        assert Seat(begin()[0]).play() == "x-over done"


def refused(state, at):
    """In each move one call for memory is refused: the person plays on, or is
    told that the game has failed.

    The library counts calls in the file STATE, and refuses the call of number AT.
    """
    def count_from(count):
        with open(state, "r+b") as file:
            file.write(struct.pack("=q", count))

    signal.alarm(600)
    path = begin()[0]
    while True:
        try:
            seat = Seat(path)
            question = seat.question()
            if question is None and seat.lines[-1] == "x-over failed":
                return
            if question is None:
                count_from(0)
                path = begin()[0]
                continue
            moves, turn = question
            count_from(int(at) - random.randint(1, 120))
            request("POST", path + "move", f"move {moves[0]} {turn}")
        except (OSError, http.client.HTTPException, AssertionError):
            pass  # a browser tries again, too


def forms():
    """Values that the form does not offer are refused with a reason."""
    for form in ({"rules": "poker"}, {"rules": "scopa,target=99"},
                 {"seats": 7}, {"seats": 5}, {"persons": "3"}, {"bots": "99"},
                 {"bots": ""}, {"bots": "0,1"}, {"time": 9}, {"hints": 2},
                 {"persons": "1,1"}, {"persons": ""}):
        body = " ".join(f"{key}={value}"
                        for key, value in {**FORM, **form}.items())
        status, text = request("POST", lobby.path + "game", body)
        assert status == 400 and json.loads(text)["error"], (form, text)
    for body in ("", "x", "=" * 3000, "rules=" + "%00" * 100, "\n" * 100):
        assert request("POST", lobby.path + "game", body)[0] == 400, body


def leave():
    """A game whose seat has no open page is stopped after some time."""
    path = begin()[0]
    seat = None
    while seat is None or "x-over stopped" not in seat.lines:
        # A page that is closed at once does not prevent that.
        with socket.create_connection((lobby.hostname, lobby.port)) as other:
            other.sendall(b"GET / HTTP/1.0\r\n\r\n")
        status, text = request("GET", lobby.path)
        assert status == 200
        if '"over":true' in text:
            seat = Seat(path)
            seat.until("x-over")


def crash():
    """The bot crashes: the person has won, and is sent the reason."""
    seat = Seat(begin()[0])
    assert seat.play() == "x-over done"
    assert "x-fault 2 crash EXIT(3)" in seat.lines, seat.lines[-3:]
    assert " you=win " in seat.until("endmatch")


def spied():
    """Makes a few plays against a bot that spies, with a hint."""
    seat = Seat(begin()[0])
    for _ in range(2):
        moves, turn = seat.question()
        post(seat.path + "hint")
        seat.answer(moves[0], turn)
    seat.question()
    post(seat.path + "stop")


def wait():
    """Begins a game, prints that, and waits until the game is stopped."""
    seat = Seat(begin()[0])
    moves, turn = seat.question()
    seat.answer(moves[0], turn)
    seat.question()
    print("ready", flush=True)
    assert seat.until("x-over") == "x-over stopped"


globals()[sys.argv[2]](*sys.argv[3:])
