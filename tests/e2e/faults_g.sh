# Goal: group G of tests/faulty/faults.tsv, bots that start what should not outlive them
# or strike at others: nobody else notices, and nothing is left.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/faults.bash"

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

elsewhere F084 test_filter.c '{ "setsid", try_session, EPERM }'
elsewhere F084 test_filter.c '{ "setpgid", try_group, EPERM }'
elsewhere F087 test_filter.c '{ "prlimit of another", try_limit_of_another, EPERM }'
elsewhere F087 test_filter.c '{ "affinity of another", try_cores_of_another, EPERM }'
elsewhere F087 test_filter.c '{ "niceness of another", try_niceness_of_another, EPERM }'
# shellcheck disable=SC2016 # a variable of that file
elsewhere F086 e2e/supervisor.sh 'who kills its supervisor loses: $level'
# shellcheck disable=SC2016 # a variable of that file
elsewhere F086 e2e/supervisor.sh 'who kills it before the first game is refused: $level'

finish_group G
