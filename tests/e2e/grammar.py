"""Reads lines and prints those that the grammar of the pages does not allow.

    grammar.py PROTOCOL.MD RECORDS.MD RULE < LINES

The grammar is ABNF (RFC 5234) without recursion, so each rule becomes one
regular expression.  A rule that is used and not defined is an error, and so is
one that no line can reach.
"""
import re
import sys

CORE = {
    "ALPHA": "[A-Za-z]",
    "CR": "\r",
    "DIGIT": "[0-9]",
    "HTAB": "\t",
    "LF": "\n",
    "SP": " ",
    "VCHAR": "[!-~]",
}
TOKEN = re.compile(
    r'"[^"]*"|%x[0-9A-F]{2}(?:-[0-9A-F]{2})?|[A-Za-z][A-Za-z0-9-]*'
    r"|[0-9]*\*[0-9]*|[0-9]+|[()\[\]/]"
)


def read_rules(page):
    """Returns the rules of the blocks ```abnf as lists of tokens."""
    rules, name = {}, None
    blocks = re.findall(r"```abnf\n(.*?)```", page, re.S)
    for line in "\n".join(blocks).splitlines():
        line = re.sub(r'^((?:[^";]|"[^"]*")*);.*', r"\1", line)
        start = re.match(r"([a-z][a-z0-9-]*) *= *", line)
        if start:
            name = start.group(1)
            if name in rules:
                sys.exit(f"the rule {name} stands there twice")
            rules[name] = []
            line = line[start.end() :]
        if line.strip():
            rules[name] += TOKEN.findall(line)
    return rules


class Grammar:
    def __init__(self, rules):
        self.rules = rules
        self.made = dict(CORE)
        self.used = set()

    def rule(self, name):
        """Returns the regular expression of a rule."""
        self.used.add(name)
        if name not in self.made:
            if name not in self.rules:
                sys.exit(f"the rule {name} is not defined")
            tokens = list(self.rules[name])
            self.made[name] = self.choice(tokens)
            if tokens:
                sys.exit(f"the rule {name} cannot be read at {tokens[0]}")
        return f"(?:{self.made[name]})"

    def choice(self, tokens):
        parts = [self.sequence(tokens)]
        while tokens and tokens[0] == "/":
            tokens.pop(0)
            parts.append(self.sequence(tokens))
        return "|".join(parts)

    def sequence(self, tokens):
        parts = []
        while tokens and tokens[0] not in "/)]":
            parts.append(self.repetition(tokens))
        return "".join(parts)

    def repetition(self, tokens):
        count = re.fullmatch(r"([0-9]*)(\*?)([0-9]*)", tokens[0])
        if not count:
            return self.element(tokens)
        tokens.pop(0)
        least, star, most = count.groups()
        most = most if star else least
        return self.element(tokens) + "{%s,%s}" % (least or 0, most)

    def element(self, tokens):
        token = tokens.pop(0)
        if token in "([":
            inner = self.choice(tokens)
            tokens.pop(0)
            return f"(?:{inner})" + ("?" if token == "[" else "")
        if token.startswith('"'):
            return "(?:" + re.escape(token[1:-1]) + ")"
        if token.startswith("%x"):
            ends = [re.escape(chr(int(end, 16))) for end in token[2:].split("-")]
            return "[" + "-".join(ends) + "]"
        return self.rule(token)


def main():
    *pages, start = sys.argv[1:]
    text = ""
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text += file.read()
    grammar = Grammar(read_rules(text))
    roots = [grammar.rule("line"), grammar.rule("file")]
    unused = sorted(set(grammar.rules) - grammar.used)
    if unused or not roots:
        sys.exit("no line can hold " + ", ".join(unused))
    allowed = re.compile(grammar.rule(start) + "[ \t]*(?:#[\t -~]*)?")
    wrong = 0
    for line in sys.stdin:
        if not allowed.fullmatch(line.rstrip("\n")):
            wrong += 1
            print(line, end="")
    sys.exit(1 if wrong else 0)


main()
