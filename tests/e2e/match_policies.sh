# Goal: offences have the consequences that the policy says, at tables of every
# size and over several games.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/vices.bash"

arena() { # ARGUMENT...
	rm -f heard games.scopa
	run "$SCOPA_ARENA" match "$@" --seed 5 --record games.scopa
	expect_no_children
	"$SCOPA_ARENA" record verify games.scopa >verified 2>&1 ||
		fail "$(head -n 3 verified)"
}

count() { # EXPRESSION NUMBER
	expect [ "$(grep -Ec "$1" games.scopa)" -eq "$2" ]
}

expect_json() { # EXPRESSION
	python3 -c "
import json, sys
d = json.load(open('$out'))
sys.exit(not ($1))" || fail "the document does not say: $1"
}

scenario_unwalled 'with three parties the arena plays on for a bot, up to three strikes'
arena ./vicious './vicious mumbles' @first --deals 2
expect_exit 0
count '^offence 2 kind=illegal reason=syntax policy=substitute strikes=[12]' 2
count '^offence 2 kind=illegal reason=syntax policy=forfeit strikes=3' 1
count '^play 2 .* by=arena cause=illegal$' 2
count '^endmatch .* reason=forfeit by=B$' 1
expect_out 'forfeit by mumbles: illegal syntax$'
expect grep -q '^play 2 .*by=arena cause=illegal' heard
! grep -q '^illegal' heard || fail 'the others were told'

scenario 'the number of strikes can be chosen'
arena ./vicious './vicious mumbles' @first --deals 1 --strikes 1
count '^offence' 1
count '^play' 1
arena ./vicious './vicious mumbles' @first --deals 2 --strikes 1000
count '^enddeal 2' 1
count '^endmatch .* reason=deals$' 1
expect_out 'illegal$'

while read -r vice kind reason; do
	scenario_unwalled "three parties finish their game beside one that $vice"
	arena ./vicious "./vicious $vice" @first --deals 1 --strikes 1000 \
		--tc move:0.8 --hang-ms 200
	expect_exit 0
	count "^offence 2 kind=$kind reason=$reason " "$(grep -c \
		"^play 2 .* by=arena cause=$kind" games.scopa)"
	expect grep -q "^offence 2 kind=$kind reason=$reason " games.scopa
	count '^offence [13]' 0
	count '^enddeal 1$' 1
	expect grep -q '^endmatch .* reason=deals$' heard
done <<'END'
leaves crash EXIT.7.
dies crash CRASH.9.
closes crash EOF
gives-up crash FATAL
floods protocol FLOOD
sleeps crash HANG
END

scenario 'a bot that comes late plays again when it has caught up'
arena ./vicious './vicious late' @first @first @first @first --deals 1 \
	--strikes 1000 --tc move:0.8
expect_exit 0
count '^offence 2 kind=timeout reason=TIMEOUT ' "$(grep -c \
	'^play 2 .* by=arena cause=timeout' games.scopa)"
count '^offence 2 kind=(crash|illegal)' 0
count '^enddeal 1$' 1

scenario 'any policy can be asked for at any table'
arena ./vicious './vicious mumbles' @first --deals 1 --illegal forfeit
expect_exit 0
count '^offence 2 .* policy=forfeit' 1
count '^play' 1
arena './vicious mumbles' ./vicious --deals 1 --illegal substitute \
	--strikes 1000
expect_exit 0
count '^enddeal 1$' 1

scenario 'a disqualified bot plays no further game'
arena './vicious mumbles' @first --deals 1 --rounds 5 --illegal disqualify
expect_exit 4
count '^match' 1
count '^offence 1 .* policy=disqualify' 1

scenario 'under forfeit the next game is begun with a fresh process'
arena './vicious dies' @first --deals 1 --rounds 4 --json
expect_exit 0
count '^endmatch .* reason=forfeit by=A$' 4
expect_json 'd["forfeits"] == 4 and d["games_played"] == 4'
expect_json 'd["bots"][0]["offences"]["crash"] == 4'
expect_json 'd["bots"][0]["losses"] == 4 and d["bots"][1]["wins"] == 4'
expect_json 'd["games"][3]["fault"]["reason"] == "CRASH(9)"'

scenario 'a bot that was late is there again in the next game'
arena './vicious late' @first --deals 1 --rounds 2 --tc move:0.8
expect_exit 0
count '^offence 1 kind=timeout reason=TIMEOUT policy=forfeit' 2
count '^offence 1 kind=startup' 0

scenario 'a bot that never gets ready ends the series'
arena @first './vicious exits' --deals 1 --rounds 100 --concurrency 2
expect_exit 4
expect_err 'HS_EXIT\(3\)'
# Those that had begun before the first was told may be there.
expect [ "$(grep -c '^match' games.scopa)" -le 8 ]

scenario_unwalled 'partners lose together'
arena @first ./vicious @first './vicious dies' --rules scopone --deals 1
expect_exit 0
count '^endmatch .* winner=A reason=forfeit by=B$' 1
expect grep -q 'you=loss' heard

scenario_unwalled 'six seats with a vice each come to an end'
arena './vicious dies' './vicious late' './vicious mumbles' \
	'./vicious floods' './vicious chats' ./vicious --teams ABCDEF \
	--deals 1 --strikes 1000 --tc move:0.8 --hang-ms 200
expect_exit 0
count '^enddeal 1$' 1
count '^offence [56]' 0
expect grep -q '^endmatch .* reason=deals' heard

finish
