# Makes a section in Markdown of each header of libscopa:
#
#	awk -f header.awk HEADER...
#
# The comment at the head becomes text; the rest is a block of code, in which a
# function that is defined in the header is declared only.

FNR == 1 {
	if (NR > 1)
		end()
	name = FILENAME
	sub(/.*include\//, "", name)
	printf "\n## %s\n\n", name
	part = "head"
}

part == "head" {
	text = $0
	sub(/ *\*\/$/, "", text)
	sub(/^\/\* ?|^ \* ?/, "", text)
	if (text != "" || $0 == " *")
		print text
	if (/\*\/$/)
		part = "guard"
	next
}

/^#(ifndef|define .*_H$|include|endif)/ {
	next
}

part == "guard" {
	if (/^$/)
		next
	print "\n```c"
	part = "code"
}

part == "body" {
	if (/^}/)
		part = "code"
	next
}

/^{/ {
	held = held ";"
	part = "body"
	next
}

# A line is printed when the next one is known, and empty lines when another
# line follows.
/^$/ {
	empty = 1
	next
}

{
	if (held != "")
		print held
	if (empty && held != "")
		print ""
	empty = 0
	held = $0
}

END {
	end()
}

function end() {
	if (held != "")
		print held
	held = ""
	empty = 0
	if (part == "code")
		print "```"
}
