# Makes the C tables of policy.c from the files of weights.  In these files the
# rows are features, in the order of enum policy_feature, and the columns are
# families and phases.  The output has the feature names and one table for each
# file.
BEGIN { phases = 3 }
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.tsv$/, "s", name)
	names[++tables] = name
	rows = 0
}
/^#/ { next }
{
	rows++
	features[rows] = $1
	columns = NF - 1
	for (i = 1; i <= columns; i++)
		weights[tables, i, rows] = $(i + 1)
}
END {
	printf "const char *const policy_feature_names[POLICY_FEATURE_COUNT] = { "
	for (row = 1; row <= rows; row++)
		printf "\"%s\", ", features[row]
	print "};"
	for (table = 1; table <= tables; table++) {
		print "const struct policy_table " names[table] \
			"[POLICY_FAMILY_COUNT] = {"
		for (column = 1; column <= columns; column++) {
			if (column % phases == 1)
				print "{ {"
			printf "{ "
			for (row = 1; row <= rows; row++)
				printf "%sF, ", weights[table, column, row]
			print "},"
			if (column % phases == 0)
				print "} },"
		}
		print "};"
	}
}
