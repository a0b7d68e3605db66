# The SHA-256 that `sha256sum` prints, as a string of C: see ENGINE_FILES in the
# Makefile.
{ printf "\"%s\"\n", $1 }
