#!/bin/sh
# Tests of the bot and of its protocol side: ./test_bot.sh
#
# The last test plays real games of every rule set.  It needs the arena, which
# it looks for in the environment variable SCOPA_ARENA, then in PATH.  With an
# argument this script is a bot:
#
#	first	plays the first legal move, and has options
#	view	the same, and prints the view
#	none	chooses no move
#	checked	plays at random, and compares what it knows and its legal moves
#		with those of the arena
#	events	plays at random by the events alone
#
# shellcheck disable=SC1091,SC2154 # scopa_bot.sh sets the view.
# shellcheck disable=SC2086 # Lists are split into words on purpose.
# shellcheck disable=SC2034 # The view is set for the moves.
case $0 in
*/*) cd "${0%/*}" || exit ;;
esac
. ./scopa_bot.sh

# ---- The bots --------------------------------------------------------------

choose_first() {
	move=${legal%% *}
}

choose_random() {
	set -- $legal
	random $#
	shift $random
	move=$1
}

# Sets $view to all that is known, in the words of a `state` line.
describe() {
	view="you=$seat hand=$hand deal=$deal dealer=$dealer target=$target"
	view="$view table=$table deck=$deck last=$last plays=$plays"
	view="$view matta=$matta opening=$opening"
	for t in $teams; do
		eval "view=\"\$view team=$t pile=\$pile_$t scopas=\$scopas_$t\""
		eval "view=\"\$view score=\$score_$t declared=\$declared_$t\""
	done
	for s in $_seats; do
		eval "view=\"\$view seat=$s team=\$team_$s count=\$count_$s\""
		eval "view=\"\$view shown=\$shown_$s\""
	done
}

# Ends the bot with a message, which the arena shows.
disagree() { # WHAT OWN ARENA
	printf '%s:\n%s\nis not\n%s\n' "$1" "$2" "$3" >&2
	exit 1
}

choose_checked() {
	describe
	[ "$followed" = "$view" ] || disagree view "$followed" "$view"
	_list_moves
	[ "$_moves" = "$legal" ] || disagree moves "$_moves" "$legal"
	choose_random
}

case ${1-} in
first | view)
	option depth int 4 1 9
	option bold bool true
	option style enum calm 'calm|so wild'
	option book string 'a b\new'
	option forget button
	if [ $1 = first ]; then
		choose() { choose_first; }
	else
		choose() {
			describe
			info "# $view deals=$deals time=$time_ms inc=$inc_ms move=$move_ms"
			info "# $rule_capture $option_depth $option_bold" \
				"$option_style $option_book $legal"
			hidden_cards
			info "# $hidden"
			choose_first
		}
	fi
	run 'my bot' '' 'A%' ;;
none)
	choose() { :; }
	run none ;;
checked)
	_before_state() {
		describe
		followed=$view
	}
	choose() { choose_checked; }
	run checked ;;
events)
	_features='state=0 legal=0'
	choose() { choose_random; }
	run events ;;
esac

# ---- The protocol ----------------------------------------------------------

failures=0
newline='
'

# Counts a failure if two texts differ.
expect() { # WHAT FOUND EXPECTED
	[ "$2" != "$3" ] || return 0
	failures=$((failures + 1))
	printf 'FAILED %s: found\n%s\nexpected\n%s\n' "$1" "$2" "$3"
}

# Sets $said to what a bot answers to lines.
talk() { # BOT LINE...
	bot=$1
	shift
	said=$(printf '%s\n' "$@" | sh ./test_bot.sh $bot 2>&1)
}

# A deal for seat 1 without any `state` or `legal` line.
match='match m1 rules=scopa seats=2 teams=AB you=1 target=11 tc=none seed=5
rules players=2 teams=AB hand=3 capture=sum priority=single ace=plain
seat 1 team=A name=me
seat 2 team=B name=you'
deal='deal 1 dealer=2 first=1 scores=A:0,B:0
table 4B5S7DQD
give 1 AD3SJD
give 2 ??????'
state="state rules=scopa seats=2 teams=AB target=11 you=1 hand=3SJD deal=1 \
dealer=2 turn=1 table=AD2B4B5S7DQD hands=1:2,2:2 deck=30 pile=A:-,B:- \
scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=1:AD/2:2B"

test_handshake() {
	talk first 'usp 1 arena=x/1' isready quit isready
	expect greeting "$said" 'id name=my%20bot author=A%25
option name=depth type=int default=4 min=1 max=9
option name=bold type=bool default=true
option name=style type=enum default=calm values=calm|so%20wild
option name=book type=string default=a%20b\new
option name=forget type=button
feature position=1
uspok 1
readyok'
	# CR before LF, blanks at both ends, comments, no line end at the end.
	said=$(printf '\r\n  isready \t# usp 1\r\n# quit\nponder 3\nisready' |
		sh ./test_bot.sh first)
	expect 'liberal reading' "$said" 'readyok
error unknown # no verb "ponder"
readyok'
	talk first "$(printf '%05000d' 0)"
	expect 'a long unknown verb' "$said" \
		"error unknown # no verb \"$(printf '%040d' 0)\""
	lines=$(printf '%0100d' 0 | sed 's/0/x-a\n/g')
	talk first "$lines"
	expect 'unknown verbs' "$(echo "$said" | wc -l | tr -d ' ')" 16
}

test_options() {
	talk view 'setoption depth=9' 'setoption bold=false' \
		'setoption style=so%20wild' 'setoption book=%23x%20y%%C3%A8%5Cn' \
		'setoption forget=-' "$match" "$deal" 'go turn=1'
	expect 'typed options' "$(printf '%s\n' "$said" | sed -n 2p)" \
		'info # sum 9 false so wild #x y%??\n AD 3S JD'
	for setting in depth=0 depth=10 depth=x depth= depth=1x bold=1 \
		style=mild style= colour=red depth=99999999999999999999; do
		talk first "setoption $setting" isready
		expect "option $setting" "${said%% # *}" 'error option'
		expect "option $setting" "$(echo "$said" | sed 1d)" readyok
	done
}

test_events() {
	talk first "$match" "$deal" 'go turn=a move=10000 x-new=1' 'play 1 AD' \
		'play 2 2B' 'go turn=b time=9 inc=1'
	expect 'events alone' "$said" 'move AD turn=a
move 3SxAD2B turn=b'
	talk view "$match" "$deal" 'go turn=a time=9 inc=1'
	expect view "${said%%"$newline"*}" "info # you=1 hand=AD3SJD deal=1 \
dealer=2 target=11 table=4B5S7DQD deck=30 last= plays= matta= opening=0 \
team=A pile= scopas=0 score=0 declared=0 \
team=B pile= scopas=0 score=0 declared=0 \
seat=1 team=A count=3 shown= seat=2 team=B count=3 shown= \
deals= time=9 inc=1 move="
	expect hidden "$(echo "$said" | sed -n 's/^info # \(AC.*\)/\1/p' |
		tr -d '\n' | wc -c | tr -d ' ')" $((2 * (40 - 7)))
	talk first "$match" "$deal" 'play 1 AD' 'play 2 2B' \
		'abort deal reason=x' "$deal" 'go turn=a' \
		'abort match reason=x' 'endmatch m1 winner=- reason=abort' \
		isready "$match" "$deal" 'redeal reason=kings' 'table 2S' \
		'go turn=b'
	expect 'aborted games' "$said" 'move AD turn=a
readyok
move AD turn=b'
}

test_positions() {
	talk first "$state" 'legal JDxAD7D' 'go turn=a'
	expect 'a position' "$said" 'move JDxAD7D turn=a'
	talk view 'match m1 teams=AB you=1 target=11 deals=3' 'endmatch m1' \
		"$state" 'legal JDxAD7D' 'go turn=a'
	expect 'deals after the match' "$(echo "$said" |
		sed -n 's/.* deals=\(.*\) time=.*/\1/p')" ''
	talk first 'play x AD' 'play 1 A' isready
	expect 'malformed lines' "$said" 'error syntax # play: no seat
readyok'
	talk first 'rules capture=sum priority=single' "$state" 'go turn=a'
	expect 'a position with rules' "$said" 'move 3SxAD2B turn=a'
	talk first "$state" 'go turn=a'
	expect 'a position without rules' "${said%%"$newline"*}" \
		'error feature # neither a rules nor a legal line has come'
	talk first "$match" "$deal" 'legal 3S ...' 'go turn=a' 'go turn=b'
	expect 'a list of the arena' "$said" 'move 3S turn=a
move AD turn=b'
	said=$(printf 'legal 7D ... x-new=1\ngo turn=a\n' | sh ./bot.sh)
	expect 'an unknown key after a list' "$said" 'move 7D turn=a'
	talk first 'rules capture=odd' "$state" 'go turn=a'
	expect 'unknown rules' "$said" \
		'error feature # rules capture=odd is unknown
error fatal # no move can be chosen'
	talk none "$match" "$deal" 'go turn=a' isready
	expect 'no move' "$said" 'choose() has set no move'
}

# ---- The legal moves -------------------------------------------------------

# Expects these moves under the rules, with more settings of the view.
expect_moves() { # RULES TABLE HAND MOVES [SETTING]
	seat=1
	_set_teams AB
	_clear_deal
	_on_rules $1
	table=$2 hand=$3
	eval "${5-}"
	_list_moves
	expect "$1, table $2, hand $3" "$_moves" "$4"
}

test_moves() {
	escoba='capture=fifteen priority=any'
	cirulla='capture=sum-or-fifteen priority=any ace=sweep-unless-ace'
	equal='equal-fifteen=yes'
	first='cirulla-equal=first'
	expect_moves '' 2C4S6S 6D 6Dx6S
	expect_moves priority=fewest AD2C3C4S 6D 6Dx2C4S
	expect_moves 'priority=any max-captured=2' AD2C3C 6D 6D
	expect_moves "$escoba" 2D3C5S6B KC 'KCx2D3C KCx5S'
	expect_moves capture=fifteen 2D3C5S6B KC KCx5S
	expect_moves capture=fifteen 4C5C6SKC 5D 5DxKC
	expect_moves "capture=fifteen $equal" 4C5C6SKC 5D '5Dx5C 5DxKC'
	expect_moves "$escoba $equal" 4C5C6SKC 5D '5Dx4C6S 5Dx5C 5DxKC'
	expect_moves "$escoba $equal" 2C3CKC 5D 5DxKC
	expect_moves "$cirulla $first" 2B3D4S5C6B 5S '5Sx2B3D5C 5Sx4S6B 5Sx5C'
	expect_moves "$cirulla $first" AC4SKC AD 'ADxAC ADx4SKC'
	expect_moves 'capture=sum-or-fifteen' 2B3D4S5C6B 5S 5Sx5C
	expect_moves "$cirulla" 2B4S AD ADx2B4S
	expect_moves ace=sweep AC7S AD ADxAC7S
	expect_moves ace=sweep-traditional 2C7S AD AD
	expect_moves ace=sweep-traditional 2C7S AD ADx2C7S 'plays=1:2C'
	expect_moves declare=ask '' 2B4C7C '2B 4C 7C !low:A !low:2 !low:3'
	expect_moves declare=ask '' 7D7C7S '7D 7C 7S !three'
	expect_moves declare=ask '' 4D4C7C '4D 4C 7C !three:4'
	expect_moves declare=ask '' KCKSKB 'KC KS KB !three'
	expect_moves declare=ask '' 2B3C4C '2B 3C 4C !low'
	expect_moves declare=ask '' 2B3C5C '2B 3C 5C'
	expect_moves declare=ask '' 2B7C '2B 7C'
	expect_moves declare=ask '' 2B3C4C '2B 3C 4C' 'shown_1=2B3C4C'
	expect_moves "$cirulla declare=ask" 4S5D6DKD 2B4C7C \
		'2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD' 'matta=1 shown_1=x'
	expect_moves "$cirulla matta=table" 4S5D6D7CKD 3C7SQS \
		'3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C' matta=3
}

# ---- The example -----------------------------------------------------------

# Expects that the example plays this move.
expect_choice() { # RULES TABLE HAND MOVE
	said=$(printf '%s\n' "rules $1" "state rules=scopa seats=2 teams=AB \
you=1 hand=$3 table=$2" 'go turn=a' | ./bot.sh | sed -n 's/^move //p')
	expect "choice of $3" "$said" "$4 turn=a"
}

test_choose() {
	expect_choice '' 4C7DQS 4D7SKB 7Sx7D
	expect_choice '' 4C 4D7D 4Dx4C
	expect_choice '' KC 4D4C7D 4C
	expect_choice aim=least KC 4D4C7D 7D
	expect_choice declare=ask 4CKS 2B3C4S !low
}

# ---- Real games ------------------------------------------------------------

# Plays a deal; nobody may commit an offence.
play() { # RULES SEATS
	others=''
	[ $2 -le 2 ] || others=$(printf '%0*d' $(($2 - 2)) 0 | sed 's/0/ @random/g')
	said=$("$arena" match --rules "$1" --deals 1 --seed 1 --json \
		--sandbox off './test_bot.sh checked' \
		'./test_bot.sh events' $others 2>&1)
	fair=$(echo "$said" | grep '"end":"done"' | grep -vE \
		'"(illegal|timeout|crash|protocol|startup)":[1-9]')
	expect "a deal of $1" "$said" "$fair"
}

test_real_games() {
	arena=${SCOPA_ARENA:-scopa-arena}
	command -v "$arena" >/dev/null || {
		echo 'skipped: real games (no scopa-arena in SCOPA_ARENA or PATH)'
		return
	}
	presets=$("$arena" rules | sed -n 's/^\([a-z0-9-]*\) (.*/\1/p')
	number=0
	for preset in $presets; do
		layouts=''
		for layout in AB ABC ABCD ABAB ABABAB ABCABC ABCDEF; do
			! "$arena" rules $preset teams=$layout >/dev/null 2>&1 ||
				layouts="$layouts $layout"
		done
		set -- $layouts
		play $preset,teams=$1 ${#1}
		shift $((number % $#))
		[ $((number % 7)) -eq 0 ] || play $preset,teams=$1 ${#1}
		number=$((number + 1))
	done
	expect 'number of presets' "$((number >= 20))" 1
	# Values of rule parameters that no preset has.
	for rules in scopa,priority=any,max-captured=2 \
		scopa-bga,ace-empty=take,ace=sweep \
		escoba,priority=single,equal-fifteen=yes \
		escoba,equal-fifteen=yes cirulla,matta=table \
		cirulla,matta=plain cirulla,declare=auto \
		cirulla,priority=fewest \
		cirulla,cirulla-equal=first,cirulla-ace=sweep; do
		play $rules 2
	done
	play cirulla,declare=auto,matta=table,players=6 6
}

test_handshake
test_options
test_events
test_positions
test_moves
test_choose
test_real_games
[ $failures -eq 0 ] || exit 1
echo 'all tests passed'
