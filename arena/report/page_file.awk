# Makes a C table of the files of the pages, for html.c.

# A question mark is escaped because C replaces some signs after `??`.
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	names[++count] = name
}

{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	lines[count] = lines[count] "\t\"" $0 "\\n\"\n"
}

END {
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	for (i = 1; i <= count; i++)
		printf "static const char page_text_%d[] =\n%s\t;\n", i, lines[i]
	print "static const struct page_file page_files[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", page_text_%d },\n", names[i], i
	print "};"
}
