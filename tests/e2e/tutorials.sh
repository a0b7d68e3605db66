# Goal: the tutorials work: every command of docs/first-bot.md and docs/ci.md
# runs unchanged and in order, and the resulting bot beats @greedy.
# Release: it plays some hundred games.
# Full: it takes long: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/lib.sh"

# page_blocks.py PAGE FOLDER: writes the blocks of code of a page.  A block that
# names a file becomes that file below FOLDER/files; each command of other
# blocks in sh is FOLDER/NUMBER.sh.
cat >page_blocks.py <<'PY'
import os
import re
import sys

page, folder = sys.argv[1:]
number = 0
with open(page, encoding="utf-8") as file:
    text = file.read()
for info, code in re.findall(r"^```(\w.*?)\n(.*?)^```$", text, re.S | re.M):
    language, _, name = info.partition(" ")
    path = os.path.join(folder, "files", name)
    if not name and language != "sh":
        continue
    if not name:
        number += 1
        path = os.path.join(folder, f"{number:02}.sh")
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
PY

# yaml_steps.py FILE FOLDER: writes the commands of each `run:` of a workflow to
# FOLDER/NUMBER.sh, with the name of its step as a comment in front.
cat >yaml_steps.py <<'PY'
import re
import sys

path, folder = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
steps = re.split(r"^      - ", text, flags=re.M)[1:]
for number, step in enumerate(steps):
    name = re.match(r"name: (.*)", step)
    run = re.search(r"^        run: (?:\|\n((?:          .*\n)+)|(.*)\n)",
                    step, re.M)
    if run is None:
        continue
    code = re.sub(r"^          ", "", run[1] or run[2] + "\n", flags=re.M)
    with open(f"{folder}/{number:02}.sh", "w", encoding="utf-8") as file:
        file.write(f"# {name[1]}\n{code}")
PY

mkdir bin first ci steps
ln -s "$SCOPA_ARENA" bin/scopa-arena
export PATH=$PWD/bin:$PATH PYTHONDONTWRITEBYTECODE=1
python3 page_blocks.py "$SRC/docs/first-bot.md" first
python3 page_blocks.py "$SRC/docs/ci.md" ci
work=$PWD

# Runs the commands of a block of a page.
block() { # STATUS FILE
	expect_run "$1" sh -e "$work/$2"
}

# Expects that the interval of the printed margin is above 0, or contains 0.
expect_margin() { # above|around
	# shellcheck disable=SC2016 # for awk
	expect [ "$(awk '$1 == "margin" {
		sub(/^\+-/, "", $4)
		print($3 - $4 > 0 ? "above" : $3 + $4 < 0 ? "below" : "around")
	}' "$out")" = "$1" ]
}

scenario 'the starter bot is made, checked, and as strong as @greedy'
block 0 first/01.sh
expect_file mybot/bot.py
block 0 first/02.sh
expect_out '^result  mybot/bot\.py, mybot: level 3 is reached; [0-9]+ steps passed, 0 failed$'
# With fewer rounds the interval is wider, and contains 0 as well.
sed -i "s/--rounds 150/--rounds $(few_or_all 40 150)/" first/03.sh
block 0 first/03.sh
expect_margin around
cp -r mybot starter

scenario 'ask and --trace show a move of the bot and its lines'
block 0 first/04.sh
expect_out '^answer   move 3S '
block 0 first/05.sh
expect_line '<- move 3S turn=' wire.txt
expect_line ' -> state rules=scopa .* hand=AD3SJD .* table=4B5S7DQD ' wire.txt

scenario 'the bot of the page plays another move, and beats @greedy'
cp first/files/mybot/bot.py mybot/bot.py
expect_run 0 mybot/test_bot.py BotTest
block 0 first/06.sh
expect_out '^answer   move JD '
# The output on the page is that of all rounds.
sed -i "s/--rounds 150/--rounds $(few_or_all 60 150)/" first/07.sh
block 0 first/07.sh
expect_margin above
[ -z "$TEST_FULL" ] || expect_line \
	"$(grep -o '^margin .*' "$out" | sed 's/[^A-Za-z0-9 ]/./g')" \
	"$SRC/docs/first-bot.md"
block 0 first/08.sh
expect_out '^verdict   pass, mybot against greedy: '
expect_file runs/greedy/config.ini
# With fewer rounds than on the page the interval contains 0.
read -r code verdict < <(few_or_all '3 inconclusive' '0 pass')
sed -i "s/--rounds 150/--rounds $(few_or_all 8 150)/" first/09.sh
block "$code" first/09.sh
expect_out "^verdict   $verdict, careful against bold: the 95% interval "
expect_no_file first/10.sh

scenario 'the workflow of a pull request that makes the bot stronger passes'
git_as() { # ARGUMENT...
	git -c user.name=author -c user.email=author@example.org \
		-c init.defaultBranch=main "$@"
}
git_as init -q --bare origin.git
git_as clone -q origin.git repository 2>/dev/null
cp -r starter repository/mybot
# The base is so weak that the gate ends early.
cat >weak.py <<'END'
#!/usr/bin/env python3
import scopa_bot
scopa_bot.run(lambda view: view.legal[0], name="mybot")
END
chmod +x weak.py
cp weak.py repository/mybot/bot.py
cp ci/files/gate.sh repository
cd repository || exit 1
git_as checkout -q -b main
git_as add -A
git_as commit -q -m 'a bot'
git_as push -q origin main
cp "$work/starter/bot.py" mybot/bot.py
python3 "$work/yaml_steps.py" "$work/ci/files/.github/workflows/gate.yml" \
	"$work/steps"
export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$work/summary GATE_MAX=400
expect [ "$(head -qn 1 "$work"/steps/*.sh | tr '\n' ,)" = \
	'# Build the arena,# The bot of the base,# Gate,# Summary,' ]
# The arena of this test has been built already.
for step in "$work"/steps/*.sh; do
	grep -q '^# Build' "$step" || expect_run 0 sh -e "$step"
done
expect_line '^verdict   pass, candidate against base: ' "$work/summary"
for file in gate.json gate.jsonl gate.html gate/records.scopa gate/config.ini \
	gate/log.txt; do
	expect_file "runs/$file"
done
expect python3 -c 'import json
assert json.load(open("runs/gate.json"))["gate"]["verdict"] == "pass"'

scenario 'the gate of the page fails a regression, also when called by hand'
git_as worktree remove base
git_as commit -q -a -m 'a better bot'
git_as push -q origin main
cp "$work/weak.py" mybot/bot.py
expect_run 1 sh -e "$work/ci/01.sh"
expect_out '^verdict   regression, candidate against base: '
# shellcheck disable=SC2016 # for the shell
expect_run 0 env verdict=3 sh -c '. "$0"; exit 1' "$work/ci/02.sh"
# shellcheck disable=SC2016 # for the shell
expect_run 1 env verdict=1 sh -c '. "$0"; exit 1' "$work/ci/02.sh"
expect_run 0 sh -e "$work/ci/03.sh"
expect_out '^[0-9]+ records: [0-9]+ good, 0 bad$'
expect_no_file "$work/ci/04.sh"

scenario 'if check fails no game is played, and no later step fails'
printf '#!/bin/sh\n' >mybot/bot.py
expect_run 1 sh gate.sh mybot/bot.py base/mybot/bot.py
expect_out '^result  mybot/bot\.py: no level is reached'
expect_no_file runs/gate.json
expect_run 0 sh -e "$(grep -l '^# Summary' "$work"/steps/*.sh)"
finish
