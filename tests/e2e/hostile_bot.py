#!/usr/bin/env python3
"""A bot whose texts would harm a page, a terminal or a spreadsheet.

hostile_bot.py NUMBER: the index of its name.  The bot plays the first legal move;
it loses each third game by an offence that quotes its text: an illegal move, a
line that is not of the protocol, an error, or an exit.  Each time it writes the
text to standard error, too.
"""
import os
import sys

NAMES = [
    "<script>canary=1</script>",
    "\"><img src=x onerror=canary=1>",
    "</script><svg/onload=canary=1>",
    "=cmd|' /C calc'!A0",
    "|`*_[x](javascript:canary=1)|",
    "right\u202eleft\u2066\u200f\u061c\u009b",
    "]]>--><!--&lt;\x1b[31mred\x07",
    "'+canary=1;//\\u003cscript\\u003e",
]
TEXT = "".join(NAMES) + "\t@SUM(1)\x00\x9b\x1b]0;title\x07"


def escaped(text):
    """Returns the text as a value of the protocol."""
    return "".join(chr(b) if 0x21 <= b <= 0x7e and chr(b) not in "%#" else f"%{b:02x}"
                   for b in text.encode())


def say(text):
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


# The text with those bytes escaped that a line of the protocol may not have.
LINE = "".join(sign if " " <= sign <= "~" else escaped(sign) for sign in TEXT)
number = int(sys.argv[1])
games = turns = 0
for line in sys.stdin:
    verb, *words = line.split()
    if verb == "usp":
        sys.stderr.buffer.write(TEXT.encode() + b"\xff\xfe\n")
        sys.stderr.flush()
        say(f"id name={escaped(NAMES[number])} version={escaped('<b>1</b>|=1')} "
            f"author={escaped(NAMES[0])} url={escaped('javascript:canary=1')}")
        say("uspok 1")
    elif verb == "isready":
        say("readyok")
    elif verb == "match":
        games += 1
        turns = 0
    elif verb == "legal":
        move = words[0]
    elif verb == "go":
        turns += 1
        if games % 3 == 0 and turns == 3:
            kind = number % 4
            if kind == 0:
                say(f"move {escaped(TEXT)} {words[0]}")
            elif kind == 1:
                say(TEXT)
            elif kind == 2:
                say(f"error {LINE}")
            sys.stderr.buffer.write(b"last words: " + TEXT.encode() + b"\n")
            sys.stderr.flush()
            os._exit(3)
        say(f"info value=0.5 m.<script>canary</script>=1 # {LINE}")
        say(f"info m.x=1 depth=2 # {LINE}")
        say(f"move {move} {words[0]}")
    elif verb == "quit":
        break
