# Makes a C table of the files of the starter bots, for cmd_new.c.  The first
# file that it reads is kits.tsv, which lists them; then come the files
# themselves, in any order.

BEGIN { FS = "\t" }

FILENAME ~ /\/kits\.tsv$/ {
	if (/^[a-z]/) {
		languages[++count] = $1
		files[count] = $2
		modes[count] = $3
		sources[count] = $4
	}
	next
}

# A question mark is escaped because C replaces some signs after `??`.
{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	lines[FILENAME] = lines[FILENAME] "\t\"" $0 "\\n\"\n"
}

END {
	for (i = 1; i <= count; i++)
		if (!(sources[i] in lines)) {
			print "kits.awk: no lines of " sources[i] >"/dev/stderr"
			exit 1
		}
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	for (i = 1; i <= count; i++)
		printf "static const char kit_text_%d[] =\n%s\t;\n",
			i, lines[sources[i]]
	print "static const struct kit_file kit_files[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", \"%s\", 0%s, kit_text_%d },\n",
			languages[i], files[i], modes[i], i
	print "};"
}
