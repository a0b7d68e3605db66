#include "policy_write.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Columns by which the rows are aligned. */
enum { NAME_WIDTH = 28, NUMBER_WIDTH = 8, COMMAND_WIDTH = 64 };

/* `[POLICY_NEXT_SWEEP]`, by the name of a feature. */
static int
index_write(FILE *file, int feature)
{
	const char *name = policy_rows[feature].name;
	int width = fprintf(file, "\t\t[POLICY_");

	if (feature >= POLICY_TAKE_VALUE)
		return width +
		    fprintf(
			file, "TAKE_VALUE + %d]", feature - POLICY_TAKE_VALUE);
	if (feature >= POLICY_LAY_VALUE)
		return width +
		    fprintf(
			file, "LAY_VALUE + %d]", feature - POLICY_LAY_VALUE);
	for (; *name != '\0'; name++, width++)
		fputc(*name == '-' ? '_' : toupper((unsigned char)*name), file);
	return width + fprintf(file, "]");
}

static void
row_write(FILE *file, int feature, const float weights[POLICY_PHASE_COUNT])
{
	int width = index_write(file, feature);

	fprintf(file, "%*s = {", NAME_WIDTH - width, "");
	for (int phase = 0; phase < POLICY_PHASE_COUNT; phase++) {
		double weight = (double)weights[phase];

		/* No minus before a zero. */
		if (fabs(weight) < 0.005)
			weight = 0;
		fprintf(file, "%s%*.2fF", phase ? "," : "", NUMBER_WIDTH - 1,
		    weight);
	}
	fprintf(file, " },\n");
}

/* The command as lines of a comment, broken between its words. */
static void
command_write(FILE *file, const char *command)
{
	int column = 0;

	fprintf(file, " *");
	while (*command != '\0') {
		int length = (int)strcspn(command, " ");

		if (column > 0 && column + length > COMMAND_WIDTH) {
			fprintf(file, "\n *      ");
			column = 0;
		}
		column += fprintf(
		    file, column ? " %.*s" : "   %.*s", length, command);
		command += length + (command[length] == ' ');
	}
	fprintf(file, "\n");
}

void
policy_write(FILE *file, const char *name,
    const struct policy_table tables[POLICY_FAMILY_COUNT], const char *command)
{
	fputs(
	    "/*\n"
	    " * Weights of the move policy: a row a feature, a column a phase "
	    "of the deal.\n"
	    " * Learned by\n"
	    " *\n",
	    file);
	command_write(file, command);
	fprintf(file,
	    " *\n"
	    " * and not to be changed by hand: bots/README.md says how.\n"
	    " */\n"
	    "#include \"policy.h\"\n"
	    "\n"
	    "/* clang-format off */\n"
	    "const struct policy_table %s[POLICY_FAMILY_COUNT] = {\n",
	    name);
	for (int family = 0; family < POLICY_FAMILY_COUNT; family++) {
		fprintf(file, "\t{ { /* %s */\n",
		    policy_family_name((enum policy_family)family));
		for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
			row_write(file, i, tables[family].weights[i]);
		fprintf(file, "\t} },\n");
	}
	fprintf(file, "};\n/* clang-format on */\n");
}
