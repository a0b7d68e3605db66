# Goal: the pages stay true: their links lead to something, the files that they
# name and the functions that the pages for developers name exist, and README
# remains a quick start.
# Release: it reads pages.
. "$SRC/tests/e2e/lib.sh"

cat >pages.py <<'END'
"""pages.py SRC CHECK: prints what is wrong, a line each."""
import glob
import os
import re
import sys

root, check = sys.argv[1:]
os.chdir(root)
PAGES = ["README.md", "protocol.md", "CONTRIBUTING.md", "SECURITY.md",
         "bots/README.md", *sorted(glob.glob("docs/*.md"))]
# Pages that name functions of the arena and the engine.
FOR_DEVELOPERS = ["docs/architecture.md", "CONTRIBUTING.md"]
SOURCES = ["arena", "engine", "bots", "tests"]


def text_of(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def prose_of(page):
    """Without blocks of code."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)


def anchors_of(page):
    found = set()
    for title in re.findall(r"^#+ (.*)$", prose_of(page), re.M):
        word = re.sub(r"[^\w\- ]", "", title.lower().strip())
        found.add(word.replace(" ", "-"))
    return found


def links():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = os.path.normpath(
                os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(file):
                print(f"{page}: no such file: {target}")
            elif anchor and anchor not in anchors_of(file):
                print(f"{page}: no such heading: {target}")


def files():
    """`tests/x.sh`, `arena/` and the like; from the root, or from the page."""
    for page in PAGES:
        for name in re.findall(r"`([\w.*{}/-]+)`", text_of(page)):
            if not re.match(r"(arena|engine|tests|docs)/", name):
                continue
            beside = os.path.join(os.path.dirname(page), name)
            # A program has the name of its source without the suffix.
            if not any(glob.glob(path)
                       for path in (name, name + ".c", beside)):
                print(f"{page}: no such file: {name}")


def folders():
    """The first words of each line of the map; the indented ones are inside."""
    above = ""
    page = "docs/architecture.md"
    source_map = re.search(r"```text map\n(.*?)```", text_of(page), re.S)[1]
    for line in source_map.splitlines():
        names = re.split(r" {2,}", line.strip())[0].split()
        for name in names:
            path = above + name if line.startswith(" ") else name
            if not os.path.exists(path):
                print(f"{page}: not in the sources: {path}")
        if not line.startswith(" "):
            above = names[-1]


def words_of_sources():
    words = set()
    for folder in SOURCES:
        for place, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".c", ".h")):
                    words.update(re.findall(
                        r"\w+", text_of(os.path.join(place, name))))
    return words


def places():
    """Each function of a row is in the file that the row names next; elsewhere,
    in the file in brackets after it."""
    page = "docs/architecture.md"
    text = prose_of(page)
    pairs = re.findall(r"`(\w+_\w+)`\s\(`([\w/.]+)`\)", text)
    for name, file in pairs:
        if os.path.exists(file) and not re.search(rf"\b{name}\b", text_of(file)):
            print(f"{page}: {name} is not in {file}")
    for row in re.findall(r"^\|[^|]*\|([^|]*)\|$", text, re.M):
        waiting = []
        for name in re.findall(r"`(\w+_\w+|[\w/]+/\w+\.\w+)`", row):
            if "/" not in name:
                waiting.append(name)
                continue
            held = text_of(name) if os.path.exists(name) else ""
            for function in waiting:
                if not re.search(rf"^{function}\(", held, re.M):
                    print(f"{page}: {function} is not in {name}")
            waiting = []
        for function in waiting:
            print(f"{page}: no file is named after {function}")


def names():
    """`match_on_line`, `struct match`, `SCOPA_ITEM_COUNT`; `x_*` is a start."""
    words = words_of_sources()
    for page in FOR_DEVELOPERS:
        for code in re.findall(r"`([^`\n]+)`", prose_of(page)):
            name = re.sub(r"^struct |^enum |\(\)$|\[.*\]$", "", code)
            if not re.fullmatch(r"[A-Za-z]\w*_\w*\*?", name):
                continue
            if name.endswith("*"):
                if not any(word.startswith(name[:-1]) for word in words):
                    print(f"{page}: nothing begins with {name[:-1]}")
            elif name not in words:
                print(f"{page}: not in the sources: {name}")


{"links": links, "files": files, "folders": folders, "names": names,
 "places": places}[check]()
END

for check in links files folders names places; do
	scenario "$check of the pages are there"
	expect_run 0 python3 pages.py "$SRC" "$check"
	expect_out_empty
done

scenario 'the guide and the manual have every exit code'
exit_codes() { grep -oE '[0-9]+' | sort -nu | paste -sd ' '; }
codes=$(grep -oE 'STATUS_[A-Z]+ = [0-9]+' "$SRC/arena/report/report.h" | exit_codes)
expect [ "$(sed -n '/^## Exit codes/,/^## /s/^| \([0-9, ]*\) |.*/\1/p' \
	"$SRC/docs/guide.md" | exit_codes)" = "$codes" ]
expect [ "$("$SCOPA_ARENA" help --man | grep '^\.It [0-9]*$' | exit_codes)" = "$codes" ]

scenario 'README is a quick start'
expect [ "$(wc -l <"$SRC/README.md")" -le 200 ]

finish
