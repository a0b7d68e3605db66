# Goal: how fast results of other machines are checked is a number that a script
# can read.
. "$SRC/tests/e2e/lib.sh"

scenario 'blocks of two games are checked'
arena 0 bench verification --blocks 3 --seconds 0
expect_err_empty
expect_out '^scopa: blocks of 2 games of 1 deals, [0-9]+ bytes a block$'
expect_out '^[0-9]+ blocks/s on one core: [0-9.]+ us a block, [0-9.]+ of them'

scenario 'games of more seats, to the target, are checked'
arena 0 bench verification --rules scopone --deals 0 --blocks 1 --seconds 0 --json
expect_err_empty
expect_json 'd["games"] == 2 and d["blocks_per_s"] > 0 and d["bytes"] > 5000 and
    d["signature_us"] > 0 and d["rules"] == "scopone"'
arena 0 bench verification --rules scopa,players=3 --blocks 2 --seconds 0 --json
expect_json 'd["games"] == 3'

scenario 'an unknown preset is refused'
refuses 'scopne' bench verification --rules scopne

finish
