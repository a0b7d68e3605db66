# Goal: groups `resource` and `process` of tests/faulty/faults.tsv: bots that
# use all of a resource get only their share, no process that a bot has started
# is left, attacks fail, and no other bot is affected.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F071|starts 200 threads|many-threads|-
F072|uses 768 MiB of memory|heap|crash LIMIT_MEM|--memory 128M --tc move:20
F074|calls itself without end|recursion|crash CRASH(11)
F075|opens as many files as it can|descriptors|-
F077|leaves 60 zombies|zombies|-
F078|dumps core|aborts|crash CRASH(6)
F082|ignores every signal|ignores-signals|timeout TIMEOUT|--tc move:0.7
F083|has a wrapper that waits for it|wrapper|-
F085|leaves stopped processes|leaves-stopped|-
END

sandboxed_rows <<'END'
F069|is a fork bomb|bomb|timeout TIMEOUT|--tc move:0.7
F070|forks and exits, over and over|rabbits|crash EXIT(0)
F073|fills a file without a name|hidden-file|crash CRASH(25)|--tc move:20
F076|fills every folder|files|-|--tc move:20
F080|leaves a daemon|daemon|-
F081|leaves a daemon when it is told to quit|daemon-on-quit|-
F084|sleeps, and its child in a session of its own|own-session|timeout TIMEOUT|--tc move:0.7
F086|sends signals to all processes that it can reach|strikes|-
F087|tries to change limits of the arena|hinders|-
END

finish_groups resource process
