# Makes a C table of the lines of queue_schema.sql, for queue_postgres.c.
# Comments and empty lines are left out.

BEGIN {
	print "static const char *const schema_lines[] = {"
}

/^[ \t]*(--|$)/ {
	next
}

{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\","
}

END {
	print "};"
}
