# Goal: a commitment fixes the packs of a run before the first deal, and `record
# verify --fair` finds every later change in the folder of the run.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

fair=$SRC/tests/e2e/fair.py
drawn='--rounds 6 --deals 2 --concurrency 2'

# Makes the copy `spoilt` of a run, for changes.
copy_run() { # RUN
	rm -rf spoilt
	cp -r "$1" spoilt
}

# Expects that the check names a file and the difference, as text and as JSON.
expect_unfair() { # FILE_AND_LINE WHAT
	arena 1 record verify --fair spoilt
	expect_out "^spoilt/$1: .*$2"
	expect_out '^NOT fair: first difference in block [0-9]+'
	expect_err_empty
	arena 1 record verify --fair --json spoilt
	expect_out '"fair":false,"file":"'
}

# Changes a copy of a run by one of these commands, and expects that the check
# finds that.
found() { # RUN FILE_AND_LINE WHAT COMMAND ARGUMENT
	copy_run "$1"
	"${@:4}"
	expect_unfair "$2" "$3"
}

sql() { # STATEMENT
	python3 -S "$fair" sql spoilt "$1"
}

config() { # SED-SCRIPT
	sed -i "$1" spoilt/config.ini
}

# Expects that arena and fair.py count the same packs.  Their number is not known
# before, as some deals are redealt.
expect_fair() { # RUN LAST_LINE
	arena 0 record verify --fair "$1"
	expect_out "^fair: $2"
	expect_same_packs "$1"
}

# Expects no difference, and no proof: somebody may have chosen the packs.
expect_consistent() { # RUN WHY LAST_LINE
	arena 6 record verify --fair "$1"
	expect_out "^consistent, but fairness cannot be proved: $2: $3"
	expect_no_out '^fair'
	expect_err_empty
}

expect_same_packs() { # RUN
	local packs
	packs=$(sed -n 's/.*, \([0-9]*\) packs\?\( .*\|;.*\)\?$/\1/p' "$out")
	expect_run 0 python3 -S "$fair" check "$1"
	expect [ "$(cat "$out")" = "$packs" ]
}

scenario 'a run commits to its drawn secret, and shows it at the end'
# shellcheck disable=SC2086
arena 0 tournament @greedy @random @first $drawn --run cup --events cup.events \
	--full
commitment=$(sed -n 's/^commit  //p' "$err")
secret=$(sed -n 's/^seed = //p' cup/config.ini)
expect [ "${#commitment}" -eq 64 ]
expect_out "^commit +$commitment\$" "^seed +$secret\$" '^chain +[0-9a-f]{64}$'
terms=$(sha256sum <cup/terms.txt | cut -c 1-64)
again=$(printf 'scopa-arena-commit-v1 %s %s\n' "$secret" "$terms" | sha256sum)
expect [ "${again%% *}" = "$commitment" ]

scenario 'the secret is shown nowhere before the end'
expect_line "\"commitment\":\"$commitment\"" <(head -n 1 cup.events)
expect_lines 1 "$secret" cup.events
expect grep -q "\"event\":\"run_end\".*\"seed\":\"$secret\"" cup.events
expect_lines 36 'commit=' cup/records.scopa
for file in cup/records.scopa cup/terms.txt cup/log.txt; do
	! grep -q "$secret" "$file" || fail "the secret is in $file"
done
expect_no_file cup/secret
start "$SCOPA_ARENA" tournament @greedy @random --rounds 100000 --deals 1 \
	--run open
await_results open
hidden=$(cat open/secret)
expect_hidden() {
	local where
	where=$(grep -rl "$hidden" open "$out" "$err")
	[ "$where" = open/secret ] || fail "the secret is in: $where"
}
expect [ "${#hidden}" -eq 64 ]
expect_hidden
for process in "$arena" $(children_of "$arena"); do
	! grep -qa "$hidden" "/proc/$process/cmdline" "/proc/$process/environ" ||
		fail "process $process shows the secret"
done
end_by TERM 143
expect_hidden
expect [ "$(stat -c %a open/secret)" -eq 600 ]
expect grep -qx 'packs committed' cup/terms.txt
expect [ "$(stat -c %a cup)" -eq 700 ]
[ "$(grep -o '"chain":"[0-9a-f]*"' cup.events | sort -u | wc -l)" -eq 19 ] ||
	fail 'a value of the chain for each block was expected'

scenario 'the arena and another program prove the fairness of a run'
expect_fair cup '18 blocks, 36 games, [0-9]+ packs of the committed secret$'
run "$SCOPA_ARENA" record verify --fair --quiet cup
expect [ "$(wc -l <"$out")" -eq 1 ]
run "$SCOPA_ARENA" record verify --fair --json cup
expect_out "\"fair\":true,.*\"commitment\":\"$commitment\".*\"seed\":\"$secret\""
arena 0 record verify --verbose cup/records.scopa
expect_out ' good: V1 V2 V3 \(keys\)$'
run "$SCOPA_ARENA" status cup --json
expect_out "\"seed\":\"$secret\",.*\"commitment\":\"$commitment\""

scenario 'a run that was played again by its seed has no commitment'
arena 0 tournament --config cup/config.ini --run again --quiet
! grep -q '^commit' "$err" || fail 'there is a commitment to a given seed'
expect_consistent again 'the seed was given' '18 blocks, 36 games, [0-9]+ packs$'
expect_same_packs again
arena 6 record verify --fair --json again
expect_out '"consistent":true,"fair":null,.*"committed":false'
arena 6 record verify --fair --quiet again
expect [ "$(wc -l <"$out")" -eq 1 ]
grep '^pack ' cup/records.scopa >cup.packs
grep '^pack ' again/records.scopa >again.packs
expect_same cup.packs again.packs
expect grep -qx 'packs given' again/terms.txt

scenario 'contributions are added after the commitment and before the first deal'
# shellcheck disable=SC2086
arena 0 tournament @greedy @random $drawn --announce --run mixed
commitment=$(sed -n 's/^commit  //p' "$out")
secret=$(cat mixed/secret)
expect [ "$(stat -c %a mixed/secret)" -eq 600 ]
! grep -rq --exclude=secret "$secret" mixed || fail 'the secret is shown'
expect_lines 0 '^match ' mixed/records.scopa
run "$SCOPA_ARENA" status --full mixed
expect_out 'mixed, announced$' 'resume mixed$'
! grep -q '^seed' "$out" || fail 'the seed is shown before the end'
expect_fair mixed '0 blocks, .*; the run is not over$'
found mixed secret 'not the one that was committed to' \
	sed -i 'y/0123456789abcdef/123456789abcdef0/' spoilt/secret
arena 0 resume mixed --contribution bob=DEADBEEF --contribution alice=00112233 \
	--quiet
expect grep -qx 'contribution = alice=00112233|bob=deadbeef' mixed/config.ini
expect grep -qx "seed = $secret" mixed/config.ini
expect_no_file mixed/secret
expect_fair mixed '6 blocks, 12 games, [0-9]+ packs of the committed secret$'
run "$SCOPA_ARENA" status --full mixed
expect_out "^commit +$commitment\$" '^mixed +alice=00112233\|bob=deadbeef$'
refuses 'takes no contributions any more' resume mixed --contribution carol=1

scenario 'contributions to a seed change the cards'
for name in one two; do
	refuses 'contribution bob=.*NAME=HEX' tournament @greedy @random \
		--rounds 2 --deals 1 --seed 5 --contribution "bob=$name" \
		--run bad
done
for seed in '--seed 5' '--seed 5 --contribution bob=1 --contribution al=2' \
	'--seed 5 --contribution al=2|bob=1'; do
	rm -rf seeded
	# shellcheck disable=SC2086
	arena 0 tournament @greedy @random --rounds 2 --deals 1 $seed \
		--run seeded --quiet
	expect_consistent seeded 'the seed was given' '2 blocks, .* packs$'
	expect_same_packs seeded
	grep '^pack ' seeded/records.scopa | cut -d ' ' -f 4 >>keys
done
run "$SCOPA_ARENA" match @greedy @random --rounds 1 --deals 1 --seed 5 \
	--record match.scopa --quiet
[ "$(grep '^pack ' match.scopa | cut -d ' ' -f 4)" = "$(head -n 1 keys)" ] ||
	fail 'without contributions the seed is the key'
[ "$(sed -n 1p keys)" != "$(sed -n 5p keys)" ] ||
	fail 'contributions must change the packs'
[ "$(sed -n 5,8p keys)" = "$(sed -n 9,12p keys)" ] ||
	fail 'their order must not matter'

scenario 'a contribution in the configuration file counts'
cat >cup.ini <<'END'
[tournament]
rounds = 1
deals = 1
seed = 5
contribution = al=2
contribution = bob=1
[bot]
cmd = @greedy
[bot]
cmd = @random
END
arena 0 tournament --config cup.ini --run filed --quiet
[ "$(grep '^pack ' filed/records.scopa | cut -d ' ' -f 4 | head -n 1)" = \
	"$(sed -n 5p keys)" ] || fail 'the same mix was expected'
expect_consistent filed 'the seed was given' '1 block, 2 games, '
expect_same_packs filed
refuses 'only once' tournament --config cup.ini --contribution al=3 --run no

scenario 'a seed that was given cannot be announced'
for given in 5 "$(printf '%064d' 7)"; do
	refuses '--announce commits to a secret, and a given seed' \
		tournament @greedy @random --announce --seed "$given" --run no
	expect_err 'hint *: leave out --seed'
	expect_no_file no
done
refuses '--announce commits to a secret' tournament --config cup.ini \
	--announce --run no
arena 0 tournament --config cup.ini --announce --run no --seed auto
rm -r no

scenario 'a run with packs from a file has no commitment'
grep -m 3 '^pack ' cup/records.scopa | sed 's/.*cards=//' >packs
arena 0 tournament @greedy @random --rounds 2 --deals 1 --packs packs \
	--run filed-packs --quiet
! grep -q '^commit' "$err" || fail 'there is a commitment without a secret'
expect_consistent filed-packs 'the packs are those of a file' '2 blocks, 4 games'
refuses 'do not come from a secret' tournament @greedy @random --packs packs \
	--contribution a=1 --run no

for packs in '--packs packs' '--packs packs --contribution a=1'; do
	# shellcheck disable=SC2086
	refuses '--announce commits to a secret, and the packs of a file' \
		tournament @greedy @random $packs --announce --run no
	expect_no_file no
done

scenario 'a gate that stopped early is proved fair'
arena 0 gate @greedy @random --rules scopa --run gate --quiet
expect_fair gate '[0-9]+ blocks, .* of the committed secret$'

scenario 'a changed card in a record is found, even with a corrected sum'
copy_run cup
line=$(line_of cup/records.scopa '^pack 2 ')
sed -i "${line}s/cards=\(..\)\(..\)/cards=\2\1/" spoilt/records.scopa
python3 -S "$fair" sums spoilt/records.scopa
expect_unfair "records.scopa:[0-9]+" '.'

scenario 'an aborted game is no result'
copy_run cup
sed -i '/^match m3 /,/^sum /{/^play /,/^endmatch /c\
abort match reason=interrupted\
endmatch m3 scores=A:0,B:0 winner=- reason=abort
}' spoilt/records.scopa
python3 -S "$fair" sums spoilt/records.scopa
arena 0 record verify spoilt/records.scopa
arena 5 db rebuild spoilt
expect_error 'game 3 of block 2 was aborted'
expect_unfair "records.scopa:[0-9]+" 'game 3 of block 2 was aborted'

scenario 'a damaged heading of the records is found'
copy_run cup
sed -i '1s/%/x/' spoilt/records.scopa
expect_unfair 'records.scopa:1' 'not the heading of records'

scenario 'packs of another secret are found, even if all else is consistent'
copy_run cup
arena 0 tournament --config cup/config.ini --seed 7 --run other --quiet
sed "s/ secret=.*/ commit=$(sed -n 's/.* commit=//p' cup/records.scopa |
	head -n 1)/" other/records.scopa >spoilt/records.scopa
python3 -S "$fair" sums spoilt/records.scopa
# A check of records or results alone finds no difference.
arena 0 record verify spoilt/records.scopa
run "$SCOPA_ARENA" db rebuild spoilt
expect_out 'results differ'
run "$SCOPA_ARENA" db rebuild spoilt
expect_out 'results identical'
expect_unfair 'records.scopa:2' 'another seed for seat 1'
# The same with corrected seeds of the bots.
sed "s/ seeds=.*/ $(grep -o 'seeds=.*' cup/records.scopa | head -n 1)/" \
	spoilt/records.scopa >forged
head -n "$(line_of forged '^sum ')" forged >first
tail -n +"$(($(line_of forged '^sum ') + 1))" spoilt/records.scopa >>first
mv first spoilt/records.scopa
python3 -S "$fair" sums spoilt/records.scopa
run "$SCOPA_ARENA" db rebuild spoilt
line=$(line_of spoilt/records.scopa '^pack 1 ')
expect_unfair "records.scopa:$line" 'not the one that the secret gives'

scenario 'seeds of bots by the rule of earlier versions are named'
copy_run cup
python3 -S "$fair" seeds spoilt 1 36
run "$SCOPA_ARENA" db rebuild spoilt
arena 6 record verify --fair spoilt
expect_err_empty
expect_out '^consistent, but fairness cannot be proved: the packs are those of the secret, but the seeds of bots follow .* earlier version .*: 18 blocks, 36 games, [0-9]+ packs of the committed secret$'
expect_no_out '^fair|^NOT fair'
arena 6 record verify --fair --json spoilt
expect_out '"consistent":true,"fair":null,.*"committed":true,.*"earlier_seeds":34,'
run "$SCOPA_ARENA" record verify --fair --json cup
expect_out '"fair":true,.*"earlier_seeds":0,'
# Only the first games of a run may have seeds of an earlier version.
copy_run cup
python3 -S "$fair" seeds spoilt 1 10
run "$SCOPA_ARENA" db rebuild spoilt
arena 6 record verify --fair --json spoilt
expect_out '"fair":null,.*"earlier_seeds":8,'
copy_run cup
python3 -S "$fair" seeds spoilt 11 36
run "$SCOPA_ARENA" db rebuild spoilt
expect_unfair "records.scopa:$(line_of cup/records.scopa '^match m11 ')" \
	'another seed for seat 1'

scenario 'a missing block is found'
copy_run cup
# The second block: games 3 and 4.
sed -i '/^match m3 /,/^endmatch m4 /d' spoilt/records.scopa
expect_unfair 'records.scopa:[0-9]+' '.'
# The last block is removed from the results, and then from the records, too.
found cup "records.scopa:$(line_of cup/records.scopa '^match m35 ')" \
	'know nothing of this game' sql 'DELETE FROM game WHERE block = 18;
	DELETE FROM block WHERE block = 18'
head -n "$(($(line_of cup/records.scopa '^match m35 ') - 1))" \
	cup/records.scopa >spoilt/records.scopa
expect_unfair results.db 'block 18 is missing'

scenario 'a result that was changed is found'
found cup results.db 'block 3, match m5: .scores. differs from the record' \
	sql "UPDATE game SET scores = '[99,0]' WHERE game = 5"
python3 -S "$fair" chain spoilt
expect_unfair results.db 'block 3, match m5: '

scenario 'another seed is found'
found cup "config.ini:$(line_of cup/config.ini '^seed = ')" \
	'not the one that was committed to' config 's/^seed = .*/seed = 5/'
found again 'terms.txt:[0-9]+' 'but .* have "seed = 5"' \
	config 's/^seed = .*/seed = 5/'
found cup 'config.ini:[0-9]+' 'was committed to' \
	sql 'UPDATE run SET commitment = terms'
found cup results.db 'secret that was shown' sql 'UPDATE run SET secret = terms'

scenario 'another contribution is found'
found mixed "config.ini:$(line_of mixed/config.ini '^contribution = ')" \
	'the contributions are "alice=.*bob=00"' \
	config 's/^contribution = .*/contribution = alice=00112233|bob=00/'
sql "UPDATE run SET contributions = 'alice=00112233|bob=00'"
python3 -S "$fair" chain spoilt
expect_unfair 'records.scopa:2' 'than the secret gives'
found mixed config.ini 'the contributions are ""' config '/^contribution = /d'

scenario 'other terms are found'
found cup "terms.txt:$(line_of cup/terms.txt '^rounds = ')" \
	'"rounds = 6", but .* "rounds = 5"' config 's/^rounds = .*/rounds = 5/'
copy_run cup
sed -i 's/^strikes = .*/strikes = 4/' spoilt/config.ini spoilt/terms.txt
expect_unfair terms.txt 'its SHA-256 is'
sql "UPDATE run SET terms = '$(sha256sum <spoilt/terms.txt | cut -c 1-64)'"
expect_unfair 'config.ini:[0-9]+' 'was committed to'
found cup terms.txt:5 'bot 2 ' \
	sql "UPDATE bot SET sha256 = substr(sha256, 2) || '0' WHERE bot = 2"
found cup terms.txt 'gone' rm spoilt/terms.txt

scenario 'missing or damaged records and results are found'
for file in records.scopa results.db; do
	copy_run cup
	rm "spoilt/$file"
	arena 1 record verify --fair spoilt
	expect_out "^spoilt/$file: "
	copy_run cup
	printf 'x' | dd of="spoilt/$file" bs=1 seek=3 conv=notrunc 2>/dev/null
	arena 1 record verify --fair spoilt
	expect_out "^spoilt/$file:"
done
copy_run cup
echo '# more' >>spoilt/records.scopa
expect_unfair records.scopa 'there are 7 bytes after the last game'

scenario 'record verify --fair refuses arguments that are not one run'
refuses 'nothing' record verify --fair nothing
refuses 'one run, but 0' record verify --fair
refuses 'one run, but 2' record verify --fair cup again

# Begins a run, or resumes it.
begin_or_resume() { # RUN
	if [ -e "$1/config.ini" ]; then
		start "$SCOPA_ARENA" resume "$1" --quiet
	else
		start "$SCOPA_ARENA" tournament @greedy @random @first \
			--rounds 20 --deals 3 --concurrency 4 --quiet --run "$1"
	fi
}

scenario 'a run that was killed again and again deals the same packs'
kills=0
status=137
while [ "$status" -eq 137 ]; do
	begin_or_resume killed
	if [ "$kills" -lt 6 ]; then
		sleep "0.$((RANDOM % 2))$((RANDOM % 10))"
		kill -KILL "$arena" 2>/dev/null
	fi
	reap_all
	kills=$((kills + 1))
	[ "$status" -ne 137 ] || ! [ -e killed/config.ini ] ||
		"$SCOPA_ARENA" record verify --fair killed >between ||
		fail "$(cat between)"
done
expect_exit 0
expect_fair killed '60 blocks, 120 games, [0-9]+ packs of the committed secret$'

scenario 'db rebuild preserves the commitment'
rm killed/results.db*
arena 0 db rebuild killed
expect_fair killed '60 blocks, 120 games, [0-9]+ packs of the committed secret$'
run "$SCOPA_ARENA" status --full killed
expect_out '^run +killed, done$' '^seed +[0-9a-f]{64}$'
arena 0 resume killed --quiet
expect_fair killed '60 blocks, 120 games, [0-9]+ packs of the committed secret$'

finish
