#include "policy_write.h"

#include <math.h>

/* Columns by which the rows are aligned. */
enum { NAME_WIDTH = 16, NUMBER_WIDTH = 8 };

static void
row_write(FILE *file, int feature, const float weights[POLICY_PHASE_COUNT])
{
	int width = fprintf(file, "\t\t/* %s */", policy_rows[feature].name);

	fprintf(file, "%*s{", NAME_WIDTH + 8 - width, "");
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

void
policy_write(FILE *file, const struct policy_table tables[POLICY_FAMILY_COUNT],
    const char *command)
{
	fprintf(file,
	    "/*\n"
	    " * The weights of the move policy: a row a feature in the order "
	    "of enum\n"
	    " * policy_feature, a column a phase of the deal.  Learned by\n"
	    " *\n"
	    " *   %s\n"
	    " *\n"
	    " * and not to be changed by hand: bots/README.md says how.\n"
	    " */\n"
	    "#include \"policy.h\"\n"
	    "\n"
	    "/* clang-format off */\n"
	    "const struct policy_table policy_tables[POLICY_FAMILY_COUNT] = "
	    "{\n",
	    command);
	for (int family = 0; family < POLICY_FAMILY_COUNT; family++) {
		fprintf(file, "\t{ { /* %s */\n",
		    policy_family_name((enum policy_family)family));
		for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
			row_write(file, i, tables[family].weights[i]);
		fprintf(file, "\t} },\n");
	}
	fprintf(file, "};\n/* clang-format on */\n");
}
