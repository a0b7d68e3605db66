# Goal: group F of tests/faulty/faults.tsv, bots that take all there is of something:
# they get what they are allowed, and nobody else goes short of it.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F071|starts 200 threads|many-threads|-
F072|uses 768 MiB of memory|heap|crash LIMIT_MEM|--memory 128M --tc move:20
F074|calls itself without end|recursion|crash CRASH(11)
F075|opens all that it can|descriptors|-
F077|leaves 60 zombies|zombies|-
F078|dumps core|core|crash CRASH(6)
END

walled_rows <<'END'
F069|is a fork bomb|bomb|timeout TIMEOUT|--tc move:0.7
F070|forks and exits, over and over|rabbits|crash EXIT(0)
F073|fills a file without a name|hidden-file|crash CRASH(25)|--tc move:20
F076|fills every folder|files|-|--tc move:20
END

# shellcheck disable=SC2016 # a variable of that file
elsewhere F072 e2e/memory.sh 'so does one that fills page tables, sandbox $sandbox'

elsewhere F079 e2e/faults_e.sh 'thinks on the time of the other'
elsewhere F079 e2e/ponder.sh 'a run tells who ponders in its report and its events'
# shellcheck disable=SC2016 # a variable of that file
elsewhere F079 e2e/hogs.sh 'forty busy processes do not slow the other: --sandbox $sandbox'
elsewhere F079 e2e/hogs.sh 'nobody is late by them'
elsewhere F079 e2e/hogs.sh 'a turn that was lost by them is timed anew, and both is told'
elsewhere F079 test_referee_lag.c test_bot_that_nothing_stops_from_computing_loses

finish_group F
