# Makes a C table of the files of the pages, for html.c.  Each file is an
# array of its lines, as the compiler need not take very long strings.

# A question mark is escaped because C replaces some signs after `??`.
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	names[++count] = name
}

{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	lines[count] = lines[count] "\t\"" $0 "\",\n"
}

END {
	for (i = 1; i <= count; i++)
		printf "static const char *const page_lines_%d[] = {\n%s\tNULL,\n};\n",
			i, lines[i]
	print "static const struct page_file page_files[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", page_lines_%d },\n", names[i], i
	print "};"
}
