# Makes a string of C of queue_schema.sql, for queue_postgres.c.
# Comments and empty lines are left out.

BEGIN {
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	print "static const char schema[] ="
}

/^[ \t]*(--|$)/ {
	next
}

{
	gsub(/[\\"?]/, "\\\\&")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\""
}

END {
	print "\t;"
}
