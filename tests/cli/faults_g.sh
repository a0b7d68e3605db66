# Goal: group G of tests/faults.tsv, bots that start what should not outlive them
# or strike at others: nobody else notices, and nothing is left.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/cli/faults.bash"

rows <<'END'
F082|ignores every signal|ignores-signals|timeout TIMEOUT|--tc move:0.7
F083|has a wrapper that waits for it|wrapper|-
F085|leaves stopped processes|leaves-stopped|-
END

walled_rows <<'END'
F080|leaves a daemon|daemon|-
F081|leaves a daemon when it is sent away|daemon-on-quit|-
F084|sleeps, and its child in a session of its own|own-session|timeout TIMEOUT|--tc move:0.7
F086|strikes at all it can reach|strikes|-
F087|sets limits of the arena|hinders|-
END

finish_group G
