# Goal: group D of tests/faults.tsv, bots that die, or do not use their pipes as
# they should: each end is told by its reason, and nobody waits for the dead.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/cli/faults.bash"

rows <<'END'
F046|exits on its turn|leaves|crash EXIT(0)
F046|exits on its turn with a status|leaves-3|crash EXIT(3)
F047|crashes on its turn|faults|crash CRASH(11)
F047|aborts on its turn|aborts|crash CRASH(6)
F048|kills itself|kills-itself|crash CRASH(9)
F049|answers and exits|answers-and-leaves|crash EXIT(0)
F050|closes its output|closes-output|crash EOF
F051|closes its input|closes-input|timeout TIMEOUT|--tc move:0.3
F052|exits, and a child keeps its output|leaves-child|crash EXIT(0)
F053|exits, and a grandchild answers|leaves-ghost|crash EXIT(0)
F054|stops reading|stops-reading|timeout TIMEOUT|--tc move:0.3
F055|says 64 MB of errors|errors|-
F056|says escapes and results as errors|fakes|-
F056|says them and exits|fakes-and-leaves|crash EXIT(3)
F057|ends in a traceback|traceback|crash EXIT(1)
F058|makes its descriptors non-blocking|unblocks|-
F059|crashes when it is sent away|crashes-on-quit|-
F060|does not go when it is sent away|stays|-
F060|computes when it is sent away|spins-on-quit|-
F060|floods when it is sent away|floods-on-quit|-
END

finish_group D
