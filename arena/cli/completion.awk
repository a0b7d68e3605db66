# Makes a C table of the scripts completion/completion.SHELL, for
# cmd_completion.c: each is an array of its lines.

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
	lines[count] = lines[count] "\t\"" $0 "\",\n"
}

END {
	for (i = 1; i <= count; i++)
		printf "static const char *const lines_%s[] = {\n%s\tNULL,\n};\n",
			shells[i], lines[i]
	print "static const struct script scripts[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", lines_%s },\n", shells[i], shells[i]
	print "};"
}
