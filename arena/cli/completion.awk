# Makes a C table of the scripts completion/completion.SHELL, for
# cmd_completion.c.

FILENAME ~ /\.tsv$/ {
	next
}

FNR == 1 {
	shells[++count] = FILENAME
	sub(/.*\./, "", shells[count])
}

# A question mark is escaped because C replaces some signs after `??`.
{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	lines[count] = lines[count] "\t\"" $0 "\\n\"\n"
}

END {
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	for (i = 1; i <= count; i++)
		printf "static const char text_%s[] =\n%s\t;\n", shells[i], lines[i]
	print "static const struct script scripts[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", text_%s },\n", shells[i], shells[i]
	print "};"
}
