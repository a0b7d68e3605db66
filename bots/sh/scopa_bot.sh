# shellcheck shell=sh
# The protocol USP/1 and the rules of the Scopa family, for a bot in sh.
#
# A bot sources this file, defines a function choose(), which sets $move to one
# of the moves in $legal, and calls `run NAME [VERSION [AUTHOR]]`.  run() reads
# the lines of the arena, follows the game, lists the legal moves and answers.
# It needs no other program, so dash is fast enough.
#
# What choose() can look at, the view, is in variables.  Sets of cards have no
# separators (3C4S), are in canonical order (by value, then D, C, S, B), and the
# empty set is an empty text.
#
#	seat team		one's own seat, from 1, and team, from A
#	seats teams		how many seats; all teams: `A B`
#	team_N			the team of seat N
#	hand table		cards
#	pile_T scopas_T		of team T: cards taken; sweeps of this deal
#	score_T			points of team T before this deal
#	count_N shown_N		of seat N: number of cards; cards that it showed
#	deck			how many cards are not dealt yet
#	last			the seat that captured last, or nothing
#	plays			of this deal: `1:AD/2:2B`
#	declared_T		points of declarations of team T
#	matta			value that the wild 7 of cups has, or nothing
#	opening			sweeps that the dealer made of the opening table
#	deal dealer target	number of the deal; its dealer; points to reach
#	deals			number of deals, if it is fixed
#	legal			the legal moves, with blanks between them
#	time_ms inc_ms move_ms	milliseconds, as in the line `go`, or nothing
#	seed			of the match, 16 hex digits
#	rule_KEY option_NAME	values, with _ in place of - in their names
#
# Functions for choose(): value_of, captured_by, hidden_cards, random, info.
# All other names begin with _.
#
# shellcheck disable=SC2086 # Lines are split into words on purpose.
# shellcheck disable=SC2034 # The view is for the bot.
# shellcheck disable=SC2154 # Variables for seats and teams are set by eval.
set -f # the arena writes a hidden card as ??, which is no file name
LC_ALL=C # a byte above 7E is no letter

_features='position=1'
_pack='AD AC AS AB 2D 2C 2S 2B 3D 3C 3S 3B 4D 4C 4S 4B 5D 5C 5S 5B
6D 6C 6S 6B 7D 7C 7S 7B JD JC JS JB QD QC QS QB KD KC KS KB'
_option_names=''
_unknown_verbs=0
_rules_known='' # a `rules` line holds
_rule_keys=''

# ---- Functions for choose() ------------------------------------------------

# Sets $value of a card, 1 to 10.
value_of() { # CARD
	case $1 in
	A*) value=1 ;;
	J*) value=8 ;;
	Q*) value=9 ;;
	K*) value=10 ;;
	*) value=${1%?} ;;
	esac
}

# Sets $captured to the cards that a move takes.
captured_by() { # MOVE
	case $1 in
	*x*) captured=${1#*x} ;;
	*) captured='' ;;
	esac
}

# Sets $hidden to the cards that one cannot see: other hands and the deck.
hidden_cards() {
	_seen=$hand$table
	for _team in $teams; do
		eval "_seen=\$_seen\$pile_$_team"
	done
	for _seat in $_seats; do
		eval "_seen=\$_seen\$shown_$_seat"
	done
	hidden=''
	for _card in $_pack; do
		case $_seen in
		*"$_card"*) ;;
		*) hidden=$hidden$_card ;;
		esac
	done
}

# Sets $random to 0..N-1; a match with the same seed gives the same numbers.
random() { # N
	_random=$(((_random * 1103515245 + 12345) & 0x7FFFFFFF))
	random=$((_random / 65536 % $1))
}

# Says something about the decision: `info depth=2 value=0.5 m.mine=3 '# close'`.
info() { # WORD...
	_text=$*
	while :; do
		case $_text in
		*[!\ -~]*) _text=${_text%%[!\ -~]*}"?"${_text#*[!\ -~]} ;;
		*) break ;;
		esac
	done
	printf 'info %.4000s\n' "$_text"
}

# ---- Cards and moves -------------------------------------------------------

# Sets $_set to some cards in canonical order.
_sort() { # CARDS
	_set=''
	for _card in $_pack; do
		case $1 in *"$_card"*) _set=$_set$_card ;; esac
	done
}

# Sets $_set to CARDS without those of REMOVED.
_remove() { # CARDS REMOVED
	_set=$1
	_rest=$2
	while [ ${#_rest} -gt 1 ]; do
		_card=${_rest%"${_rest#??}"}
		_rest=${_rest#??}
		case $_set in
		*"$_card"*) _set=${_set%%"$_card"*}${_set#*"$_card"} ;;
		esac
	done
}

# Sets $_set to the cards of a text in which `-` is the empty set.
_read_cards() { # TEXT
	_set=${1#-}
}

# ---- Rules -----------------------------------------------------------------

# Stores a rule as the variable rule_KEY.
_set_rule() { # KEY VALUE
	case $1 in '' | *[!a-z0-9-]*) return ;; esac
	_name $1
	_rule_keys="$_rule_keys $_name"
	eval "rule_$_name=\$2"
}

# Sets $_name to a name with _ in place of bytes that no variable may have.
_name() { # NAME
	_name=$1
	while :; do
		case $_name in
		*[!A-Za-z0-9_]*)
			_name=${_name%%[!A-Za-z0-9_]*}_${_name#*[!A-Za-z0-9_]}
			;;
		*) return ;;
		esac
	done
}

_clear_rules() {
	for _key in $_rule_keys; do
		unset "rule_$_key"
	done
	_rule_keys=''
	_rules_known=''
}

# Sets the rules that decide which moves are legal.  Each has its first value
# here if the arena does not name it.  A value that is not known is in $_flaw.
_prepare_rules() {
	_flaw=''
	_prepare_rule capture sum fifteen sum-or-fifteen
	_prepare_rule equal-fifteen no yes
	_prepare_rule priority single fewest any
	_prepare_rule max-captured 0 2
	_prepare_rule ace plain sweep sweep-unless-ace sweep-traditional
	_prepare_rule ace-empty stay take
	_prepare_rule cirulla-ace choice sweep
	_prepare_rule cirulla-equal choice first
	_prepare_rule declare off auto ask
	_prepare_rule matta hand plain table
}

_prepare_rule() { # KEY VALUE...
	_key=$1
	_name $1
	shift
	eval "_value=\${rule_$_name-$1}"
	eval "_$_name=\$_value"
	case " $* " in
	*" $_value "*) ;;
	*) _flaw="rules $_key=$_value is unknown" ;;
	esac
}

# ---- The legal moves -------------------------------------------------------

# Sets $value of a card with which it captures from the hand.
_hand_value() { # CARD
	if [ "$1" = 7C ] && [ -n "$matta" ]; then
		value=$matta
	else
		value_of $1
	fi
}

_table_value() { # CARD
	if [ "$_matta" = table ]; then
		_hand_value $1
	else
		value_of $1
	fi
}

# Whether a card of this value lies on the table.
_table_has() { # VALUE
	_rest=$table
	while [ ${#_rest} -gt 1 ]; do
		_table_value ${_rest%"${_rest#??}"}
		[ $value -ne $1 ] || return 0
		_rest=${_rest#??}
	done
	return 1
}

# Adds to $_captures each set that captures: cards taken so far with some of the
# rest of the table.  The order of the search is the canonical one.  The
# arguments are the only variables that a deeper search leaves alone.
_search() { # REST TAKEN TOTAL SIZE
	while [ ${#1} -gt 1 ]; do
		_card=${1%"${1#??}"}
		_table_value $_card
		_total=$(($3 + value))
		if [ $_total -eq $_first ] || [ $_total -eq $_second ]; then
			if [ $4 -eq 0 ] || [ $_total -ne $_barred ]; then
				_captures="$_captures $2$_card"
			fi
		elif [ $4 -eq 0 ] && [ $_total -eq $_equal ]; then
			_captures="$_captures $_card"
		fi
		if [ $_total -lt $_highest ] && [ $(($4 + 1)) -lt $_size_max ]; then
			_search "${1#??}" "$2$_card" $_total $(($4 + 1))
		fi
		set -- "${1#??}" "$2" $3 $4
	done
}

# Sets $_captures to those sets that have the fewest cards, or to all of them if
# $1 is `single` and that is more than one.
_keep_smallest() { # PRIORITY
	_smallest=80
	for _set in $_captures; do
		[ ${#_set} -ge $_smallest ] || _smallest=${#_set}
	done
	[ "$1" = fewest ] || [ $_smallest -eq 2 ] || return
	_all=$_captures
	_captures=''
	for _set in $_all; do
		[ ${#_set} -ne $_smallest ] || _captures="$_captures $_set"
	done
}

# Whether an ace that is played now takes the whole table.
_ace_sweeps() {
	[ -n "$table" ] || return 1
	case $_ace in
	plain) return 1 ;;
	sweep) return 0 ;;
	sweep-traditional)
		# Plays are written 1:7D, declarations 1:!low.
		case $plays in *[1-6]:[!!]*) ;; *) return 1 ;; esac ;;
	esac
	! _table_has 1
}

# Adds the whole table to $_captures.  In canonical order only its beginnings
# come before it.
_add_sweep() {
	_all=$_captures
	_captures=''
	_sweep=$table
	for _set in $_all; do
		case $table in
		"$_set") _sweep='' ;;
		"$_set"*) ;;
		*)
			_captures="$_captures $_sweep"
			_sweep=''
			;;
		esac
		_captures="$_captures $_set"
	done
	_captures="$_captures $_sweep"
}

# Sets $_captures to the sets that a card may take, in the four steps of
# protocol.md, "Which capture".
_captures_of() { # CARD
	_hand_value $1
	_own=$value
	_captures=''
	# Totals that capture; of one card; of one card alone.  0 is none.
	_first=$_own _second=0 _equal=0 _barred=0
	case $_capture in
	fifteen)
		_first=$((15 - _own))
		[ $_equal_fifteen = no ] || _equal=$_own ;;
	sum-or-fifteen)
		_second=$((15 - _own))
		if [ $_cirulla_equal = first ] && _table_has $_own; then
			_barred=$_own
		fi ;;
	esac
	_highest=$((_first > _second ? _first : _second))
	_size_max=$((_max_captured > 0 ? _max_captured : 40))
	_sweeps=no
	if [ $_own -eq 1 ] && _ace_sweeps; then
		_sweeps=yes
	fi
	if [ $_sweeps = no ] || [ $_capture$_cirulla_ace = \
		sum-or-fifteenchoice ]; then
		_search "$table" '' 0 0
		[ $_priority = any ] || _keep_smallest $_priority
	fi
	[ $_sweeps = no ] || _add_sweep
}

# Adds to $_moves the declarations that an untouched hand of three cards allows.
_add_declarations() {
	eval "_shown=\$shown_$seat"
	[ $_declare = ask ] && [ ${#hand} -eq 6 ] && [ -z "$_shown" ] || return 0
	_remove $hand 7C
	_others=$_set
	_total=0 _alike=yes
	while [ ${#_set} -gt 1 ]; do
		value_of ${_set%"${_set#??}"}
		_total=$((_total + value))
		case $_set in "${_others%"${_others#?}"}"*) ;; *) _alike=no ;; esac
		_set=${_set#??}
	done
	if [ $_alike = yes ]; then
		# With two more sevens the 7 of cups needs no other value.
		case $_others in
		7* | ??????) _moves="$_moves !three" ;;
		*) _moves="$_moves !three:${_others%"${_others#?}"}" ;;
		esac
	elif [ ${#_others} -eq 6 ]; then
		[ $_total -gt 9 ] || _moves="$_moves !low"
	else
		for _rank in A 2 3 4 5 6 7; do
			value_of ${_rank}C
			[ $((_total + value)) -gt 9 ] ||
				_moves="$_moves !low:$_rank"
		done
	fi
}

# Sets $_moves to the legal moves in canonical order.
_list_moves() {
	_moves=''
	_left=$hand
	while [ ${#_left} -gt 1 ]; do
		_played=${_left%"${_left#??}"}
		_left=${_left#??}
		_captures_of $_played
		_lays=yes
		for _set in $_captures; do
			_moves="$_moves ${_played}x$_set"
			_lays=no
		done
		[ $_lays = no ] || _moves="$_moves $_played"
	done
	_add_declarations
	_moves=${_moves# }
}

# ---- The game as the events tell it ----------------------------------------

# Sets $_value to the value of KEY=VALUE among the words.  False: there is none.
_key() { # KEY WORD...
	_wanted=$1
	shift
	for _word; do
		case $_word in
		"$_wanted"=*)
			_value=${_word#*=}
			return 0
			;;
		esac
	done
	_value=''
	return 1
}

# Sets $seats, $teams and team_N from `AB` or the like.
_set_teams() { # TEAMS
	_rest=$1
	seats=0 teams='' _seats=''
	while [ -n "$_rest" ] && [ $seats -lt 6 ]; do
		_team=${_rest%"${_rest#?}"}
		_rest=${_rest#?}
		case $_team in [A-F]) ;; *) continue ;; esac
		seats=$((seats + 1))
		_seats="$_seats $seats"
		eval "team_$seats=$_team"
		case $teams in *$_team*) ;; *) teams="$teams $_team" ;; esac
	done
	teams=${teams# }
	eval "team=\$team_$seat"
}

# Forgets all that concerns one deal.
_clear_deal() {
	hand='' table='' deck=40 last='' plays='' matta='' opening=0
	for _team in $teams; do
		eval "pile_$_team='' scopas_$_team=0 declared_$_team=0"
	done
	for _seat in $_seats; do
		eval "count_$_seat=0 shown_$_seat=''"
	done
}

# Sets a variable for each item of a list such as A:0,B:3; `-` is the empty list
# and the empty set.
_read_list() { # VARIABLE LIST
	_rest=$2,
	while [ -n "$_rest" ]; do
		_item=${_rest%%,*}
		_rest=${_rest#*,}
		case $_item in
		[1-6A-F]:*)
			_value=${_item#*:}
			eval "$1_${_item%%:*}=\${_value#-}"
			;;
		esac
	done
}

# Sets $_team to the team of a seat.
_team_of() { # SEAT
	eval "_team=\$team_$1"
}

_add_to_pile() { # SEAT CARDS
	_team_of $1
	eval "_set=\$pile_$_team"
	_sort "$_set$2"
	eval "pile_$_team=\$_set"
}

_add_play() { # SEAT MOVE
	plays=$plays${plays:+/}$1:$2
}

_on_match() { # ID WORD...
	_key you "$@"
	case $_value in [1-6]) seat=$_value ;; *) seat=1 ;; esac
	_key teams "$@"
	_set_teams "$_value"
	_key target "$@"
	target=$_value
	_key deals "$@"
	deals=$_value
	_key seed "$@"
	seed=$_value
	# The random numbers begin with the last 28 bits.
	case $seed in
	'' | *[!0-9a-f]*) _random=1 ;;
	*) _random=$((0x0${seed#?????????})) ;;
	esac
	_clear_rules
	_prepare_rules
	_clear_deal
}

_on_rules() { # WORD...
	_clear_rules
	for _word; do
		case $_word in *=*) _set_rule "${_word%%=*}" "${_word#*=}" ;; esac
	done
	_prepare_rules
	_rules_known=yes
}

_on_deal() { # NUMBER WORD...
	_clear_deal
	deal=$1
	_key dealer "$@"
	dealer=$_value
	_key scores "$@"
	_read_list score "$_value"
}

# After `redeal` another `table` comes.
_on_table() { # CARDS
	_read_cards "$1"
	table=$_set
	deck=$((40 - ${#table} / 2))
}

_on_give() { # SEAT CARDS
	[ "$1" != "$seat" ] || hand=$2
	eval "count_$1=\$((\${#2} / 2))"
	deck=$((deck - ${#2} / 2))
}

_on_sweep() { # SEAT CARDS WORD...
	_key scopa "$@"
	opening=${_value:-0}
	_add_to_pile $1 "$table"
	eval "scopas_$_team=\$((scopas_$_team + opening))"
	table=''
	last=$1
}

# Sets $matta from the rank at the end of a declaration, if there is one.
_set_matta() { # TEXT
	case $1 in
	*:*)
		value_of "${1#*:}C"
		matta=$value ;;
	esac
}

_on_declare() { # SEAT DECLARATION WORD...
	_add_play $1 "!$2"
	_key points "$@"
	_team_of $1
	eval "declared_$_team=\$((declared_$_team + ${_value:-0}))"
	[ "$_matta" = plain ] || _set_matta "$2"
}

_on_show() { # SEAT CARDS
	eval "shown_$1=\$2"
}

_on_play() { # SEAT MOVE WORD...
	_add_play $1 $2
	_team_of $1
	if _key scopa "$@"; then
		eval "scopas_$_team=\$((scopas_$_team + 1))"
	fi
	_card=${2%%x*}
	captured_by $2
	_took=$captured
	# An ace on an empty table may go to the pile at once.
	if [ -z "$table" ] && [ "$_ace_empty" = take ]; then
		_hand_value $_card
		[ $value -ne 1 ] || _took=$_card
	fi
	_played=$_card
	_remove "$hand" $_played
	hand=$_set
	eval "_remove \"\$shown_$1\" $_played"
	eval "shown_$1=\$_set count_$1=\$((count_$1 - 1))"
	if [ -n "$_took" ]; then
		_remove "$table" "$captured"
		table=$_set
		_add_to_pile $1 "$captured$_played"
		last=$1
	else
		_sort "$table$_played"
		table=$_set
	fi
	# A 7 of cups that has left the hand is wild only on the table.
	case $_matta$table in
	table*7C*) ;;
	*) case $_played$captured in *7C*) matta='' ;; esac ;;
	esac
}

_on_rest() { # SEAT CARDS
	_add_to_pile $1 "$table"
	table=''
}

_on_score() { # TEAM WORD...
	_key total "$@"
	_read_list score "$1:$_value"
}

_on_endmatch() {
	deals='' seed=''
	_clear_rules
	_clear_deal
}

# Is called before a `state` line, with what the events alone have said: a test
# may replace it.
_before_state() {
	:
}

# Sets the whole view from a `state` line, whatever the events have said.
_on_state() { # WORD...
	_key you "$@"
	seat=$_value
	_key teams "$@"
	_set_teams "$_value"
	_clear_deal
	for _word; do
		_value=${_word#*=}
		case $_word in
		hand=*) hand=${_value#-} ;;
		deal=*) deal=$_value ;;
		dealer=*) dealer=$_value ;;
		target=*) target=$_value ;;
		table=*) table=${_value#-} ;;
		hands=*) _read_list count "$_value" ;;
		deck=*) deck=$_value ;;
		pile=*) _read_list pile "$_value" ;;
		scopas=*) _read_list scopas "$_value" ;;
		scores=*) _read_list score "$_value" ;;
		last=*) last=${_value#-} ;;
		shown=*) _read_list shown "$_value" ;;
		plays=*) plays=${_value#-} ;;
		declared=*) _read_list declared "$_value" ;;
		matta=-) ;;
		matta=*) _set_matta ":$_value" ;;
		opening=*) opening=$_value ;;
		rules=*) [ -n "$_rules_known" ] || _read_preset "$_value" ;;
		esac
	done
}

# Sets the rules that a `state` line names: a preset and what differs from it.
_read_preset() { # PRESET[,KEY=VALUE...]
	_clear_rules
	_set_rule preset ${1%%,*}
	_spec=${1#"${1%%,*}"}
	while [ -n "$_spec" ]; do
		_spec=${_spec#,}
		_item=${_spec%%,*}
		_spec=${_spec#"$_item"}
		_set_rule "${_item%%=*}" "${_item#*=}"
	done
	_prepare_rules
}

# ---- Options ---------------------------------------------------------------

# Declares an option that users may set:
#
#	option NAME int DEFAULT MIN MAX
#	option NAME bool true|false
#	option NAME enum DEFAULT 'VALUE|VALUE...'
#	option NAME string DEFAULT
#	option NAME button
option() { # NAME TYPE [DEFAULT [MIN MAX|VALUES]]
	_name $1
	_option_names="$_option_names $1"
	eval "option_$_name=\${3-} _type_$_name=\$2 _allowed_$_name=\${4-}"
	_line="option name=$1 type=$2"
	[ $2 = button ] || {
		_escape "$3"
		_line="$_line default=$_escaped"
	}
	case $2 in
	int)
		_line="$_line min=$4 max=$5"
		eval "_allowed_$_name=$4..$5" ;;
	enum)
		_escape "$4"
		_line="$_line values=$_escaped" ;;
	esac
	eval "_line_$_name=\$_line"
}

# Sets $_escaped to a text that is one word: a blank becomes %20.
_escape() { # TEXT
	_escaped=''
	_rest=$1
	while [ -n "$_rest" ]; do
		_byte=${_rest%"${_rest#?}"}
		_rest=${_rest#?}
		case $_escaped$_byte in
		*[!!-~] | *% | '#')
			_byte=$(printf '%%%02X' "'$_byte") ;;
		esac
		_escaped=$_escaped$_byte
	done
}

# Sets $_text to a value in which %XX stands for bytes.
_unescape() { # VALUE
	_text=''
	_rest=$1
	while :; do
		case $_rest in
		*%[0-9A-Fa-f][0-9A-Fa-f]*) ;;
		*) break ;;
		esac
		_text=$_text${_rest%%"%"*}
		_rest=${_rest#*"%"}
		_byte=${_rest%"${_rest#??}"}
		case $_byte in
		[0-9A-Fa-f][0-9A-Fa-f])
			# shellcheck disable=SC2059 # The format is a byte.
			_text=$_text$(printf "\\$(printf '%03o' 0x$_byte)")
			_rest=${_rest#??} ;;
		*) _text=$_text% ;;
		esac
	done
	_text=$_text$_rest
}

# Handles `setoption NAME=VALUE`; a value that is not allowed is reported.
_set_option() { # NAME=VALUE
	_option=${1%%=*}
	case " $_option_names " in
	*" $_option "*) ;;
	*)
		printf 'error option # there is no option %.40s\n' "$_option"
		return ;;
	esac
	_name $_option
	_unescape "${1#*=}"
	eval "_type=\$_type_$_name _allowed=\$_allowed_$_name"
	case $_type in
	int) _is_number "$_text" && [ "$_text" -ge "${_allowed%..*}" ] &&
		[ "$_text" -le "${_allowed#*..}" ] ;;
	bool) [ "$_text" = true ] || [ "$_text" = false ] ;;
	enum) case "|$_allowed|" in *"|$_text|"*) ;; *) false ;; esac ;;
	*) : ;;
	esac || {
		printf 'error option # %s must be %s\n' "$_option" \
			"${_allowed:-true or false}"
		return
	}
	eval "option_$_name=\$_text"
}

# Whether a text is a whole number that the shell can compute with.
_is_number() { # TEXT
	case ${1#-} in
	'' | *[!0-9]* | ???????????*) return 1 ;;
	esac
}

# ---- The session with the arena --------------------------------------------

_greet() {
	# Not echo: in some shells it changes a text with a backslash.
	printf '%s\n' "$_identity"
	for _option in $_option_names; do
		_name $_option
		eval "printf '%s\n' \"\$_line_$_name\""
	done
	printf 'feature %s\n' "$_features"
	echo 'uspok 1'
}

_refuse_to_move() { # WHY
	printf 'error feature # %s\n' "$1"
	echo 'error fatal # no move can be chosen'
}

# Sets $legal where the arena has sent no `legal` line.  False: it cannot.
_own_moves() {
	if [ -z "$hand" ]; then
		_refuse_to_move 'go without a deal or a state line'
	elif [ -n "$_flaw" ]; then
		_refuse_to_move "$_flaw"
	elif [ -z "$_rules_known" ]; then
		_refuse_to_move 'neither a rules nor a legal line has come'
	else
		_list_moves
		legal=$_moves
		return 0
	fi
	return 1
}

_on_go() { # turn=ID WORD...
	_key time "$@"
	time_ms=$_value
	_key inc "$@"
	inc_ms=$_value
	_key move "$@"
	move_ms=$_value
	[ -n "$legal" ] || _own_moves || return 0
	move=''
	choose
	[ -n "$move" ] || {
		echo 'choose() has set no move' >&2
		exit 1
	}
	_key turn "$@" && move="$move turn=$_value"
	printf 'move %s\n' "$move"
	legal=''
}

_handle() { # VERB WORD...
	_verb=$1
	shift
	case $_verb in
	play | give | sweep | declare | show | rest)
		case ${1-} in
		[1-6]) _on_$_verb "$@" ;;
		*) printf 'error syntax # %s: no seat\n' $_verb ;;
		esac ;;
	state)
		_before_state
		_on_state "$@" ;;
	legal)
		# The word `...` says that the list was cut.
		legal="$*"
		case $legal in *=*) legal=${legal%%=*} legal=${legal% *} ;; esac
		legal=${legal%" ..."} ;;
	go) _on_go "$@" ;;
	match) _on_match "$@" ;;
	rules) _on_rules "$@" ;;
	deal) _on_deal "$@" ;;
	table) _on_table "$@" ;;
	score) _on_score "$@" ;;
	endmatch) _on_endmatch ;;
	seat | redeal | enddeal | abort | stop | cards) ;;
	usp) _greet ;;
	setoption) _set_option "$*" ;;
	isready) echo readyok ;;
	error | illegal)
		# What the arena did not like helps the author.
		printf 'arena: %s\n' "$_verb $*" >&2 ;;
	quit) exit 0 ;;
	*)
		# An arena ends a bot that says too much.
		_unknown_verbs=$((_unknown_verbs + 1))
		[ $_unknown_verbs -gt 16 ] ||
			printf 'error unknown # no verb "%.40s"\n' "$_verb" ;;
	esac
}

# Plays until the arena says `quit` or closes the input.
run() { # NAME [VERSION [AUTHOR]]
	_escape "$1"
	_identity="id name=$_escaped"
	_escape "${2-}"
	_identity=$_identity${_escaped:+ version=$_escaped}
	_escape "${3-}"
	_identity=$_identity${_escaped:+ author=$_escaped}
	_return=$(printf '\r')
	seat=1 seats=0 teams='' _seats='' legal='' _random=1
	_clear_deal
	_prepare_rules
	while IFS= read -r _line || [ -n "$_line" ]; do
		_line=${_line%"$_return"}
		case $_line in
		"#"*) continue ;;
		*[[:blank:]]"#"*) _line=${_line%%[[:blank:]]"#"*} ;;
		esac
		set -- $_line
		[ $# -eq 0 ] || _handle "$@"
	done
	exit 0
}
