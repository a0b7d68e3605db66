# Makes a manual page, in the language man(7), of a page in Markdown:
#
#	awk -f man.awk -v name=usp -v section=7 -v date='November 21, 2026' \
#	    -v source='scopa-arena 0.2.0' -v also='scopa-arena(1)' PAGE...
#
# The title of the page is the line about it for apropos(1).  What the pages of
# this project use is known: headings, paragraphs, lists with paragraphs, tables
# and lists in them, tables, blocks of code, and `code`, *words*, **words** and
# links in the text.  A link is its text; the paragraph of contents is left out.
#
# A table that fits is shown in columns.  Of any other, each row is an entry of
# a list: the first cell, and the others below it with their headings.

BEGIN {
	WIDTH = 70
	titled = 0
}

# The title of a page that follows another is left out.
/^# / && !fenced {
	flush()
	if (!titled++)
		head(substr($0, 3))
	next
}

/^ *```/ {
	if (fenced) {
		print ".EE\n.RE"
		fenced = 0
		fresh = 0
	} else {
		flush()
		block_begin(indent_of($0))
		paragraph_begin()
		fence_indent = indent_of($0)
		fenced = 1
		print ".RS 4\n.EX"
	}
	next
}

fenced {
	sub("^ {0," fence_indent "}", "")
	print literal($0)
	next
}

/^##+ / {
	flush()
	level_set(0)
	title = $0
	sub(/^#+ /, "", title)
	if ($1 == "##") {
		# The name of a file stays as it is.
		print ".SH " quoted(title ~ /\// ? title : toupper(title))
		fresh = 1
	} else if ($1 == "###") {
		print ".SS " quoted(title)
		fresh = 1
	} else {
		paragraph_begin()
		print "\\fB" literal(title) "\\fR"
		fresh = 0
	}
	listed = 0
	next
}

/^[ \t]*$/ {
	flush()
	next
}

/^ *\|/ {
	if (!in_table)
		flush()
	table_row($0)
	next
}

/^ *(-|[0-9]+\.) / {
	flush()
	level = indent_of($0) >= 2 && listed
	mark = $1
	text = $0
	sub(/^ *(-|[0-9]+\.) +/, "", text)
	kind = "item"
	next
}

{
	line = $0
	if (kind == "") {
		kind = "paragraph"
		level = indent_of(line) >= 2 && listed
	}
	sub(/^ +/, "", line)
	text = text (text == "" ? "" : " ") line
}

END {
	flush()
	level_set(0)
	if (also != "") {
		print ".SH \"SEE ALSO\""
		count = split(also, pages, " ")
		for (i = 1; i <= count; i++) {
			match(pages[i], /\(.*/)
			printf ".BR %s %s%s\n", roff(substr(pages[i], 1,
			    RSTART - 1), 1), substr(pages[i], RSTART),
			    i < count ? "," : ""
		}
	}
}

function head(title) {
	printf ".TH %s %s \"%s\" \"%s\"\n", toupper(name), section, date, source
	printf ".SH NAME\n%s \\- %s\n", roff(name, 1), roff(bare(title), 0)
	print ".SH DESCRIPTION"
	fresh = 1
}

function indent_of(line) {
	match(line, /^ */)
	return RLENGTH
}

# Begins the part of the page that is indented by so many steps.
function level_set(wanted) {
	for (; depth < wanted; depth++)
		print ".RS 4"
	for (; depth > wanted; depth--) {
		print ".RE"
		fresh = 0
	}
}

# Begins a paragraph, which the line after a heading does by itself.
function paragraph_begin() {
	if (!fresh)
		print ".PP"
	fresh = 0
}

# Begins a block of code or a table.
function block_begin(indent) {
	level_set(indent >= 2 && listed)
	if (!(indent >= 2 && listed))
		listed = 0
}

# Writes the paragraph, item or table that has been read.
function flush() {
	if (in_table) {
		table_print()
		return
	}
	if (kind == "paragraph" && text !~ /^Contents: /) {
		level_set(level)
		if (level == 0)
			listed = 0
		paragraph_begin()
		fold(inline(text))
	} else if (kind == "item") {
		level_set(level)
		print ".IP " (mark == "-" ? "\\(bu 3" : mark " 4")
		fresh = 0
		listed = 1
		fold(inline(text))
	}
	kind = text = ""
}

# Splits a row at its bars; a bar after a backslash is part of a cell.
function table_row(line,	i, count, cells) {
	if (!in_table) {
		in_table = 1
		rows = 0
		table_indent = indent_of(line)
	}
	sub(/^ *\| */, "", line)
	sub(/ *\| *$/, "", line)
	gsub(/\\\|/, "\001", line)
	if (line ~ /^[-:| ]+$/ && line ~ /---/)
		return
	count = split(line, cells, / *\| */)
	rows++
	columns[rows] = count
	for (i = 1; i <= count; i++) {
		gsub(/\001/, "|", cells[i])
		cell[rows, i] = cells[i]
	}
}

# The text of a cell without marks, for a table in columns.
function bare(words) {
	gsub(/[`*]/, "", words)
	while (match(words, /\]\([^)]*\)/)) {
		words = substr(words, 1, RSTART - 1) \
		    substr(words, RSTART + RLENGTH)
		sub(/\[/, "", words)
	}
	return words
}

function table_print(	i, j, width, wide, line, first) {
	in_table = 0
	for (j = 1; j <= columns[1]; j++) {
		wide[j] = 0
		for (i = 1; i <= rows; i++)
			if (length(bare(cell[i, j])) > wide[j])
				wide[j] = length(bare(cell[i, j]))
		width += wide[j] + 2
	}
	block_begin(table_indent)
	if (width <= WIDTH) {
		paragraph_begin()
		print ".RS 4\n.EX"
		for (i = 1; i <= rows; i++) {
			line = ""
			for (j = 1; j <= columns[1]; j++)
				line = line sprintf("%-*s", wide[j] + 2,
				    bare(cell[i, j]))
			sub(/ +$/, "", line)
			print literal(line)
		}
		print ".EE\n.RE"
		return
	}
	fresh = 0
	for (i = 2; i <= rows; i++) {
		print ".TP"
		fold(inline(cell[i, 1]))
		first = 1
		for (j = 2; j <= columns[i]; j++) {
			if (cell[i, j] == "")
				continue
			if (!first)
				print ".br"
			first = 0
			fold((columns[1] > 2 ? "\\fI" \
			    roff(bare(cell[1, j]), 0) "\\fR: " : "") \
			    inline(cell[i, j]))
		}
		if (first)
			print "\\&"
	}
}

# Escapes what roff would read; in code a dash is what is typed.
function roff(words, code) {
	gsub(/\\/, "\\e", words)
	gsub(/~/, "\\(ti", words)
	gsub(/\^/, "\\(ha", words)
	gsub(/`/, "\\(ga", words)
	if (code) {
		gsub(/-/, "\\-", words)
		gsub(/'/, "\\(aq", words)
	}
	return words
}

# A line of code.
function literal(line) {
	line = roff(line, 1)
	return line ~ /^\./ ? "\\&" line : line
}

function quoted(words) {
	words = roff(words, 0)
	gsub(/"/, "\\(dq", words)
	gsub(/`/, "", words)
	return "\"" bare(words) "\""
}

# Turns the marks in a text into fonts.
function inline(words,	out, at, byte, end, bold, italic) {
	out = ""
	for (at = 1; at <= length(words); at++) {
		byte = substr(words, at, 1)
		if (byte == "`") {
			end = index(substr(words, at + 1), "`")
			out = out "\\fB" \
			    roff(substr(words, at + 1, end - 1), 1) "\\fR"
			at += end
		} else if (substr(words, at, 2) == "**") {
			bold = !bold
			out = out (bold ? "\\fB" : "\\fR")
			at++
		} else if (byte == "*" &&
		    (italic || substr(words, at + 1, 1) ~ /[A-Za-z]/)) {
			italic = !italic
			out = out (italic ? "\\fI" : "\\fR")
		} else if (byte == "[" &&
		    match(substr(words, at), /^\[[^]]*\]\([^)]*\)/)) {
			end = RLENGTH
			out = out inline(link_text(substr(words, at, end)))
			at += end - 1
		} else if (byte == "\\" &&
		    substr(words, at + 1, 1) ~ /[^A-Za-z0-9 ]/) {
			out = out roff(substr(words, ++at, 1), 0)
		} else {
			out = out roff(byte, 0)
		}
	}
	return out
}

function link_text(link) {
	return substr(link, 2, index(link, "](") - 2)
}

# Prints a text in lines of at most 79 characters.
function fold(words,	count, i, line, parts) {
	count = split(words, parts, / +/)
	line = ""
	for (i = 1; i <= count; i++) {
		if (parts[i] == "")
			continue
		if (line != "" && length(line) + length(parts[i]) > 78) {
			print guarded(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") parts[i]
	}
	if (line != "")
		print guarded(line)
}

# A line that begins like a request of roff is none.
function guarded(line) {
	return line ~ /^[.']/ ? "\\&" line : line
}
