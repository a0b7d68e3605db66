# Goal: group B of tests/faults.tsv, bots that do not get ready: each is told of
# by its reason, nobody waits longer than the limit, and nothing is left.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/cli/faults.bash"

rows <<'END'
F009|exits at once|exits|startup HS_EXIT(0)
F009|exits at once with a status|exits-3|startup HS_EXIT(3)
F010|crashes at once|crashes|startup HS_CRASH(11)
F011|never answers, asleep|mute|startup HS_TIMEOUT|--startup-ms 700
F012|never answers, busy|spins|startup HS_TIMEOUT|--startup-ms 700
F013|never reads|deaf|startup HS_TIMEOUT|--startup-ms 700
F014|closes all that it has and lives on|closes-all|startup HS_EOF
F015|floods before the handshake|babbles|startup HS_BAD
F016|says noise|noise|startup HS_BAD
F016|says half a line|half-line|startup HS_TIMEOUT|--startup-ms 700
F016|says a line without end|endless-hello|startup HS_BAD
F017|shakes hands twice|hello-twice|-
F017|is ready twice|ready-twice|-
F018|wants a version that there is not|newer|startup HS_BAD(VERSION)
F018|wants a feature that there is not|flies|-
F019|answers into its buffer|unflushed|startup HS_TIMEOUT|--startup-ms 700
F020|reads all before it answers|reads-to-the-end|startup HS_TIMEOUT|--startup-ms 700
END

finish_group B
