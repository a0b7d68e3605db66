#!/bin/bash
# Checks of the sources: which layer may include headers of which, which files
# may call each other, what the pure layers may call, and what no file may
# contain.  Each check is one test of TAP, and it lists the lines or files that
# break its rule.
#
# Environment: BUILD (a build of everything), MODE (of that build), CC, NM.
set -uo pipefail
shopt -s lastpipe # so that `check` at the end of a pipe can count

cd "$(dirname "$0")/.." || exit 5
export LC_ALL=C
BUILD=${BUILD:-build}
MODE=${MODE:-release}
# Several words are allowed, such as `ccache gcc`.
read -ra compiler <<<"${CC:-gcc}"
NM=${NM:-nm}

# The layers, and for each the folders whose headers it may include.
layers='engine arena/referee arena/os arena/sandbox
	arena/process arena/stats
	arena/record arena/match arena/tournament
	arena/remote arena/report arena/serve arena/cli bots/c/policy bots/c/search
	bots/c/client bots/c/players bots/tune
	tests/faulty'
declare -A sees=(
	[engine]='engine/include'
	[arena/referee]='engine/include arena/referee'
	[arena/os]='arena/os'
	[arena/sandbox]='arena/os arena/sandbox'
	[arena/process]='arena/os arena/sandbox arena/process'
	[arena/stats]='arena/stats'
	[arena/serve]='arena/os arena/serve'
	[arena/record]='engine/include arena/referee arena/record'
	[arena/match]='engine/include arena/referee arena/record arena/os
		arena/sandbox arena/process'
	[bots/c/policy]='engine/include bots/c/policy'
	[bots/c/search]='engine/include bots/c/policy bots/c/search'
	[bots/c/client]='engine/include bots/c/search bots/c/client'
	[bots/c/players]='engine/include bots/c/policy bots/c/search bots/c/client
		bots/c/players'
	[tests/faulty]='tests/faulty'
)
sees[arena/match]+=' arena/match'
sees[arena/tournament]="${sees[arena/match]} arena/stats arena/tournament"
sees[arena/remote]="${sees[arena/tournament]} arena/remote"
sees[arena/report]="${sees[arena/tournament]} arena/report"
sees[arena/cli]="${sees[arena/report]} arena/remote arena/serve arena/cli"
sees[arena/cli]+=" ${sees[bots/c/players]}"
sees[bots/tune]="${sees[bots/c/players]} bots/tune"
sees[engine/include/scopa]=${sees[engine]}
sees[arena/main.c]=${sees[arena/cli]}
sees[tests]="${sees[arena/cli]} bots/tune tests/support"

# The pure layers: they have no I/O, no clock and no allocation.  `schedule` is
# a part of a layer with the same rule.  For each:
#
#	pure_sources	how the paths of its sources begin
#	pure_uses	how the paths of other sources begin whose functions it
#			may call
#	pure_calls	the functions of the C library that it may call
pure_layers='engine arena/referee arena/stats schedule'
declare -A pure_sources=(
	[engine]='engine/ engine/include/scopa/'
	[arena/referee]='arena/referee/'
	[arena/stats]='arena/stats/'
)
pure_sources[schedule]='arena/tournament/schedule arena/tournament/pairing '
pure_sources[schedule]+='arena/tournament/block'
declare -A pure_uses=(
	[arena/referee]='engine/'
	[schedule]='engine/ arena/stats/'
)
declare -A pure_calls=(
	[engine]='mem*, str* and assert'
	[arena/referee]='mem*, str* and assert'
	[arena/stats]='mem*, str*, assert and mathematics'
	[schedule]='mem*, str*, assert and mathematics'
)
pure_names='^(bcmp|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
pure_names+='|mem(chr|cmp|cpy|mem|move|rchr|set)'
pure_names+='|__(mem(cpy|move|set)|strn?c(at|py))_chk'
pure_names+='|str(chr|chrnul|cmp|cspn|len|ncmp|nlen|pbrk|rchr|spn|str))$'
# Functions of <math.h> without state.  (lgamma, for one, writes a global
# variable.)
math_names='^(ceil|copysign|cos|erfc?|exp|expm1|floor|fma|fmax|fmin|fmod'
math_names+='|frexp|hypot|ldexp|log|log10|log1p|log2|pow|rint|round|sin|sqrt'
math_names+='|tan|trunc)$'
case $MODE in
san | fuzz)
	pure_names+='|^__(asan|ubsan|sanitizer|sancov|start___sancov'
	pure_names+='|stop___sancov)_|^__stack_chk_fail$' ;;
cover)
	pure_names+='|^__gcov_' ;;
esac

lines_max=1500

count=0
broken=0

# Reports one check.  Standard input has a line for each breach of the rule.
check() { # NAME
	local breaches
	breaches=$(cat)
	count=$((count + 1))
	if [ -z "$breaches" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "$breaches" | sed 's/^/# /'
		broken=$((broken + 1))
	fi
}

# Prints every file of the project, in a git clone or in an unpacked archive.
project_files() {
	git ls-files -co --exclude-standard 2>/dev/null || find . -type f \
		-not -path './build/*' -not -path './.git/*' -printf '%P\n'
}

mapfile -t files < <(project_files | sort -u |
	while IFS= read -r file; do [ -f "$file" ] && echo "$file"; done)

# Prints the files whose path matches.
files_like() { # EXPRESSION
	printf '%s\n' "${files[@]}" | grep -E "$1"
}

# Prints the folders whose headers a source may include.
seen_by() { # FILE
	case $1 in
	tests/*) echo "${sees[tests]}" ;;
	*) echo "${sees[$1]:-${sees[${1%/*}]:-}}" ;;
	esac
}

sources() {
	files_like '^(engine|arena|bots/c|bots/tune|tests)/.*\.[ch]$'
}

# Headers are included by their names without folders, so two headers of the
# same name could be confused.
same_name_breaches() {
	sources | grep '\.h$' | awk -F / '
	$NF in seen { print $0 " and " seen[$NF] }
	{ seen[$NF] = $0 }'
}

# Whether a pure layer may use functions of <math.h>.
is_mathematical() { # LAYER
	[[ ${pure_calls[$1]} == *mathematics ]]
}

# Checks the headers that the compiler has read, from its dependency files: this
# finds paths in includes, and include paths in the Makefile, that a layer should
# not have.
dependency_breaches() {
	local layer source header folder allowed compiled
	for layer in $layers; do
		compiled=
		for source in "$layer"/*.c; do
			[ -f "$BUILD/${source%.c}.d" ] || continue
			compiled=yes
			allowed=" ${source%/*} "
			for folder in $(seen_by "$source"); do
				allowed+="$folder $folder/scopa "
			done
			sed -n 's/^\([^ :]*\.h\):$/\1/p' "$BUILD/${source%.c}.d" |
			while IFS= read -r header; do
				[[ $allowed == *" ${header%/*} "* ]] ||
					echo "$source: the compiler read $header"
			done
		done
		[ -n "$compiled" ] || echo "$layer: nothing is compiled in $BUILD"
	done
}

objects_of() { # BEGIN...
	local begin source
	for begin; do
		for source in "$begin"*.c; do
			[ -f "$BUILD/${source%.c}.o" ] &&
				echo "$BUILD/${source%.c}.o"
		done
	done
}

purity_breaches() { # LAYER
	local own objects names=$pure_names
	is_mathematical "$1" && names+="|$math_names"
	# The paths have no spaces and are split into words.
	# shellcheck disable=SC2086,SC2046
	own=$("$NM" --defined-only --format=posix \
		$(objects_of ${pure_sources[$1]} ${pure_uses[$1]:-}) |
		awk 'NF > 1 { print $1 }')
	# shellcheck disable=SC2086
	mapfile -t objects < <(objects_of ${pure_sources[$1]})
	[ "${#objects[@]}" -gt 0 ] || {
		echo "no object of $1 in $BUILD"
		return
	}
	"$NM" --undefined-only --print-file-name "${objects[@]}" |
		awk -v own="$own" -v pure="$names" '
		BEGIN { n = split(own, names); while (n) ours[names[n--]] }
		!($NF in ours) && $NF !~ pure { print $1 " calls " $NF }'
}

# Files that call each other in a circle.  Files of one group may do that: the help
# and the table of all commands, a match and its persons.
circle_groups='cmd_help command,match match_person'
circle_breaches() {
	local -a folders
	mapfile -t folders < <(for folder in $layers; do echo "$folder/"; done |
		grep -v '^tests/')
	# The paths have no spaces and are split into words.
	# shellcheck disable=SC2046
	"$NM" --print-file-name --format=posix $(objects_of "${folders[@]}") |
		awk -v groups="$circle_groups" '
		function name(path) { sub(/.*\//, "", path); sub(/\.o$/, "", path); return path }
		BEGIN {
			for (n = split(groups, group, ","); n; n--)
				for (m = split(group[n], files, " "); m; m--)
					of[files[m]] = n
		}
		{ sub(/:$/, "", $1) }
		$3 == "T" { defined[$2] = name($1) }
		$3 == "U" { uses[name($1), $2] }
		END {
			for (use in uses) {
				split(use, pair, SUBSEP)
				callee = defined[pair[2]]
				if (callee != "" && callee != pair[1] &&
				    !(pair[1] in of && of[pair[1]] == of[callee]))
					print pair[1], callee
			}
		}' | tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}

# Whether the source of this name includes the header before anything else, so
# that the build has compiled it alone.
begins_its_source() { # HEADER
	local source=${1%.h}.c name=${1##*/} line
	local first='^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*(["<][^">]*[">])'
	case $1 in engine/include/*)
		source=engine/${name%.h}.c name=scopa/$name ;;
	esac
	[ -f "$source" ] || return
	while IFS= read -r line; do
		[[ $line =~ $first ]] || continue
		[ "${BASH_REMATCH[1]}" = "\"$name\"" ]
		return
	done <"$source"
	false
}

header_alone_breaches() {
	local header folders folder
	while IFS= read -r header; do
		! begins_its_source "$header" || continue
		folders=
		for folder in "${header%/*}" $(seen_by "$header"); do
			folders+=" -I$folder"
		done
		# $folders is not quoted, so that it is split into options.
		# shellcheck disable=SC2086
		"${compiler[@]}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused \
			-fsyntax-only $folders -x c "$header" 2>&1 | head -n 5
	done < <(sources | grep '\.h$')
}

size_breaches() {
	files_like '\.[ch]$' | xargs wc -l | awk -v most="$lines_max" \
		'$2 != "total" && $1 > most { print $2 ": " $1 " lines" }'
}

# Prints the lines of files that match an expression.
lines_like() { # EXPRESSION FILE...
	local expression=$1
	shift
	[ $# -eq 0 ] || grep -nHIP -e "$expression" "$@"
}

whitespace_breaches() {
	local -a code spaced all
	mapfile -t code < <(files_like '\.[ch]$|(^|/)Makefile$')
	mapfile -t spaced < <(files_like '\.py$')
	mapfile -t all < <(files_like '' | grep -vE '^tests/(golden|fuzz)/')
	lines_like '^\t* +\t' "${all[@]}" | sed 's/:.*\t.*/: space before tab/'
	lines_like '^ {8}' "${code[@]}"
	lines_like '^\s*\t' "${spaced[@]}"
	lines_like '[ \t]+$' "${all[@]}"
	lines_like '\r$' "${all[@]}"
}

# Hidden cards are sent to a bot only in one line of the protocol.  One function
# writes this line, and it needs a value of analysis_allow(), which is called at
# one place, if the user has asked for analysis.
analysis_breaches() {
	local -a sources
	mapfile -t sources < <(files_like '^(engine|arena)/.*\.[ch]$')
	lines_like 'cards hands=' "${sources[@]}" |
		grep -vE '^arena/referee/analysis\.[ch]:'
	lines_like 'analysis_put_cards' "${sources[@]}" |
		grep -vE '^arena/referee/(analysis\.[ch]|referee\.c):'
	lines_like 'analysis_allow' "${sources[@]}" |
		grep -vE '^arena/referee/analysis\.[ch]:' |
		grep -v 'settings->analysis ? analysis_allow() : NULL,$'
	grep -c 'analysis_allow()' arena/cli/game_options.c | grep -vx 1
}

# Lists source files of the built-in bots that are missing in the table of their
# README.
unlisted_breaches() {
	local source name
	for source in bots/c/*/*.[ch]; do
		name=${source##*/}
		grep -q "^|.*\`${name%.*}\`.*|.*|" bots/c/README.md ||
			echo "$source"
	done
}

# Words that no name may have; CONTRIBUTING.md, "Glossary", has the words to use
# instead.  `not_old` lists names that are allowed: they are of mathematics, of
# the C library, or mean the cells of a text table, or what a card takes.
old_words='allowance|cage|cell|census|choir|chronicle|complaint|crew|crush|cup'
old_words+='|deafen|deed|doors|hall|hindrance|hoard|hush|jail|keeper|lot|mishap'
old_words+='|outlet|outlook|party|patience|prize|prospect|pulse|quest|roll_call'
old_words+='|rote|season|shelf|sight|sin|stake|tell|tells|thinkers|told|truth'
old_words+='|vigil|voyage|ward'
# Names of functions say add, read, store or report, and not take, keep or gather.
old_verbs='gather|keep|take'
not_old='sin|sin_addr|sin_family|sin_port|(text_)?cell(_(at|capacity|count|print'
not_old+='|size))?|scopa_set_take|scopa_ace_empty_take|rule_take'
not_old+='|test_.*_take'

vocabulary_breaches() {
	local name
	local -a code
	printf '%s\n' "${files[@]}" | grep -E '^(engine|arena|bots|tests)/' |
		grep -E "(^|[/_])($old_words)([_./]|\$)"
	mapfile -t code < <(sources)
	sed -E -e 's/"([^"\\]|\\.)*"//g; s|/\*.*\*/||g; s|/\*.*||' \
		-e '/^[ \t]+\*/d' "${code[@]}" | tr -cs 'A-Za-z0-9_' '\n' |
		tr '[:upper:]' '[:lower:]' |
		grep -E "(^|_)($old_words)(_|\$)|^($old_verbs)_|_($old_verbs)\$" |
		grep -vxE "$not_old" | sort -u |
		while IFS= read -r name; do
			echo "$name: $(grep -liw "$name" "${code[@]}" | xargs)"
		done
}

same_name_breaches |
	check 'no two headers have the same name'
dependency_breaches |
	check 'the compiler reads no header that a layer may not include'
for layer in $pure_layers; do
	purity_breaches "$layer" |
		check "$layer calls only its own functions, ${pure_calls[$layer]}"
done
analysis_breaches |
	check 'all cards are sent in one place, if the user has asked for analysis'
unlisted_breaches |
	check 'bots/c/README.md lists every file of the built-in bots'
circle_breaches |
	check 'only the files of three groups call each other in a circle'
header_alone_breaches |
	check 'every header compiles alone'
vocabulary_breaches |
	check 'no name uses a word that the glossary has replaced'
size_breaches |
	check "no C file has more than $lines_max lines"
lines_like '\b(TO[D]O|FIX[M]E|X[X]X)\b' "${files[@]}" |
	check 'no file has a note of unfinished work'
whitespace_breaches |
	check 'no line mixes tabs and spaces or ends in blanks'
lines_like '(?<![\w.$}])/(home|root|work)/|/tmp/(b-|house)' "${files[@]}" |
	check 'no file contains a path of one machine'

echo "1..$count"
[ "$broken" -eq 0 ]
