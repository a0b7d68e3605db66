# Goal: machines without a server share a run, and the joined run is the same as
# on one machine.
. "$SRC/tests/e2e/lib.sh"

bots=(@greedy @random @first @greedy)
options=(--rounds 6 --deals 1 --seed 11 --concurrency 2)
blocks=36 # of 6 pairs

without_sandbox

# Plays the runs of all shards: PREFIX1, PREFIX2, ...
play_shards() { # COUNT PREFIX ARGUMENT...
	local shard
	for shard in $(seq "$1"); do
		arena 0 "${@:3}" --shard "$shard/$1" --run "$2$shard"
	done
}

scenario 'the shards of three machines join to the run of one machine'
arena 0 tournament "${bots[@]}" "${options[@]}" --run whole
play_shards 3 part tournament "${bots[@]}" "${options[@]}"
expect_out "^played +roundrobin, shard 3/3, 12 of $blocks blocks "
arena 0 record merge part3 part1 part2 -o all
expect_err_empty
expect_out "^joined +3 shards: $blocks blocks, $((2 * blocks)) games\$"
expect_same_run all whole

scenario 'a joined run works like any other run'
arena 0 status all
expect_out '^run +all, done$'
expect_no_out 'shard|skipped'
arena 0 db rebuild all
expect_out '^results identical$'
arena 0 rate whole
mv "$out" whole.rating
arena 0 rate all
expect_same "$out" whole.rating
arena 0 resume all
expect_same_run all whole
expect_no_line '^shard' all/config.ini

scenario 'status and report show the number of a shard'
arena 0 status --json part2
expect_json "d['run']['shard'] == '2/3' and d['totals']['skipped'] == 24"
arena 0 report part2 -o part2.html
expect_line '>2/3<' part2.html
arena 0 db rebuild part2
expect_out '^results identical$'

scenario 'each shard has games of most pairs'
for part in part1 part2 part3; do
	query_results $part 'SELECT DISTINCT bots FROM block
		WHERE NOT skipped' >$part.pairs
	expect [ "$(wc -l <$part.pairs)" -ge 4 ]
done

scenario 'the same shard twice is refused'
cp -r part2 copy
refuses 'the same deals twice: "part2" and "copy" are both shard 2 of 3' \
	record merge part1 part2 copy -o twice
refuses 'the same deals twice: "part2" and "part2"' \
	record merge part2 part1 part2 -o twice
expect_no_file twice

scenario 'shards are not printed'
refuses '--out -: shards are joined to a folder' \
	record merge part1 part2 part3 -o -
expect_no_file -

scenario 'a missing shard is named, with the command that plays it'
refuses 'shard 2 of 3 is missing' record merge part1 part3 -o less
expect_err 'try +: .*tournament --config part1/config.ini --shard 2/3$'
refuses 'shards 1, 2 of 3 are missing' record merge part3 -o less
cp -r part3 'part 3'
refuses 'shards 1, 2 of 3 are missing' record merge 'part 3' -o less
expect_err "tournament --config 'part 3/config.ini' --shard 2/3\$"
expect_no_file less
arena 0 tournament --config part1/config.ini --shard 2/3 --run again
arena 0 record merge part1 again part3 -o less
expect_same_run less whole

scenario 'a shard of another run is refused, and the difference is shown'
arena 0 tournament "${bots[@]}" "${options[@]}" --seed 12 --shard 2/3 \
	--run other
refuses 'not shards of one run' record merge part1 other part3 -o mixed
expect_err 'first +: seed = 0*11$' 'other +: seed = 0*12$'
refuses '"whole" is not the run of a shard' \
	record merge part1 part2 part3 whole -o mixed
refuses '"whole" is not the run of a shard' record merge whole part1 -o mixed
arena 0 tournament "${bots[@]}" "${options[@]}" --shard 1/2 --run half
refuses '"part1" is one of 3 shards, and "half" one of 2' \
	record merge part1 half -o mixed
expect_no_file mixed

scenario 'a killed shard can be joined only after resume'
start "$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" --shard 1/3 \
	--run killed
await_results killed
end_by KILL
if [ "$(grep -c '^match ' killed/records.scopa)" -lt 24 ]; then
	run "$SCOPA_ARENA" record merge killed part2 part3 -o late
	# The run may have ended before the kill.
	if [ "$status" -ne 0 ]; then
		expect_err 'shard 1/3, the run "killed", is not over: it lacks'
		expect_err 'try +: .*resume killed$'
		expect_no_file late
	fi
fi
rm -rf late
arena 0 resume killed
arena 0 record merge killed part2 part3 -o late
expect_same_run late whole

scenario 'a damaged record is named, and no run is made'
cp -r part2 torn
sed -i '0,/^play 1/s/^play 1/play 2/' torn/records.scopa
arena 5 record merge part1 torn part3 -o damaged
expect_err 'torn/records.scopa", line [0-9]+: '
expect_no_file damaged

scenario 'a gate of a fixed length has its verdict after the merge'
gate=(gate @greedy @random --rounds 40 --deals 1 --seed 9)
arena 0 "${gate[@]}" --run gate
play_shards 3 share "${gate[@]}"
expect_no_out verdict
arena 0 record merge share1 share2 share3 -o verdict
expect_same_run verdict gate
arena 0 resume verdict
expect_out '^verdict +pass'
arena 0 gate @greedy @random --rounds 40 --deals 1 --seed 9 --shard 1/3 --json
expect_json "'verdict' not in d or d['verdict'] is None"

scenario 'a suspended bot has the same games as on one machine'
shell_bot bad "echo \"move - \$turn\""
suspended=(tournament @first ./bad @random --rounds 8 --deals 1 --seed 3
	--illegal disqualify --concurrency 1)
arena 0 "${suspended[@]}" --run strict
play_shards 2 lax "${suspended[@]}"
arena 0 record merge lax1 lax2 -o joined
expect_out '^left out [0-9]+ games'
expect_same_run joined strict

scenario 'an announced run is shared by copies, and is proved fair after the merge'
arena 0 tournament @greedy @random @first --rounds 3 --deals 1 --announce --run league
for shard in 1 2; do
	cp -r league league$shard
	arena 0 resume league$shard --shard $shard/2 --contribution anna=00ff
	expect_file league$shard/secret
done
arena 0 record merge league1 league2 -o fair
expect_no_file fair/secret
arena 0 record verify --fair fair
expect_out '^fair: 9 blocks, '
arena 0 resume league --contribution anna=00ff
expect_same_run fair league
refuses 'the run "league1" is shard 1 of 2' resume league1 --shard 2/2
arena 0 resume league1 --shard 1/2
refuses 'has begun as a whole' resume league --shard 1/2
arena 0 tournament @greedy @random @first --rounds 3 --deals 1 --announce --run league3
arena 0 resume league3 --shard 2/2
refuses 'not shards of one run' record merge league1 league3 -o mixed

scenario 'a run whose games depend on results cannot be shared'
for format in swiss knockout ladder; do
	refuses '--shard: whom a bot meets depends on results' \
		tournament "${bots[@]}" --format $format --seed 1 --shard 1/2
done
refuses '--shard: a sequential test ends by the results' \
	gate @greedy @random --seed 1 --shard 1/2
refuses '--shard: all machines must deal the same packs' \
	tournament @greedy @random --shard 1/2
refuses '--shard: with --store a server hands out all blocks' \
	tournament @greedy @random --seed 1 --shard 1/2 --store postgres:///x
refuses '--shard: with --store a server hands out all blocks' \
	resume part1 --store postgres:///x
refuses 'the run has 3 blocks, which are too few for 4 machines' \
	tournament @greedy @random --rounds 3 --seed 1 --shard 1/4
for word in 0/2 3/2 1 1/ /2 1/257 1/2x -1/2 ' 1/2' 4294967297/3; do
	refuses 'expects I/N' tournament @greedy @random --seed 1 \
		"--shard=$word"
done
arena 0 tournament "${bots[@]}" --format gauntlet --rounds 4 --seed 1 \
	--shard 2/2 --dry-run
expect_lines 6 '^block ' "$out"

scenario 'files of records with the same deals are not merged'
cp whole/records.scopa whole.scopa
cp part1/records.scopa part1.scopa
refuses 'the same deals twice' record merge whole.scopa part1.scopa -o x.scopa
expect_err 'first +: whole.scopa:[0-9]+$' \
	'again +: part1.scopa:2, match m[0-9]+$' 'records +: 24$'
expect_no_file x.scopa
refuses 'the same deals twice' record merge part1.scopa whole.scopa
arena 0 record merge part1.scopa part1.scopa part2/records.scopa -o x.scopa
expect_err '^merged: 48, the same again: 24, bad: 0$'

scenario 'a killed merge leaves no incomplete file or run'
mkfifo pipe
mkdir merged
start "$SCOPA_ARENA" record merge part1.scopa pipe -o merged/all.scopa
exec 3>pipe
end_by KILL
exec 3>&-
expect [ -z "$(ls merged)" ]
start "$SCOPA_ARENA" record merge part1 part2 part3 -o merged/run
until [ -e merged/run/records.scopa ] || ! [ -e "/proc/$arena" ]; do :; done
end_by KILL
if [ -e merged/run/config.ini ]; then
	# The merge had ended before the kill.
	arena 0 status merged/run
	expect_out '^run +merged/run, done$'
else
	refuses 'there is no run in "merged/run"' status merged/run
	arena 0 record merge part1 part2 part3 -o merged/run
	expect_same_run merged/run whole
fi

scenario 'the script for Slurm in the documents plays and resumes shards'
sed -n '/^### Shards with Slurm/,/^## /{/^#!/,/^```/p}' \
	"$SRC/docs/many-machines.md" | grep -v '^```' >job.sh
expect_line '^#SBATCH --array' job.sh
cat >league.ini <<'END'
[tournament]
rounds = 6
deals = 1
[bot greedy]
cmd = @greedy
[bot first]
cmd = @first
END
mkdir bin
ln -s "$SCOPA_ARENA" bin/scopa-arena
for task in 1 2 1; do
	expect_run 0 env "PATH=$PWD/bin:$PATH" SLURM_ARRAY_TASK_ID=$task \
		SLURM_ARRAY_TASK_COUNT=2 bash job.sh
done
expect_out '^run .*/s1, done$'
arena 0 record merge s1 s2 -o slurm
expect_out '^joined +2 shards: 6 blocks, 12 games$'

finish
