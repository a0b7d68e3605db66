/*
 * Compares protocol.md, and docs/records.md for lines that only records have,
 * with the tables of the program: the pages must describe each row.
 */
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "referee.h"
#include "support.h"
#include "test.h"

enum { PAGE_SIZE = 1 << 17, LINE_SIZE = 8192, KEY_SIZE = 64 };

static char page[PAGE_SIZE];

static int
read_page(void **state)
{
	static const char *const names[] = { "protocol.md", "docs/records.md" };
	size_t length = 0;

	(void)state;
	for (size_t i = 0; i < COUNTOF(names); i++)
		length += (size_t)snprintf(page + length, sizeof(page) - length,
		    "%s", folder_read(folder_source(names[i]), NULL));
	return length < sizeof(page) ? 0 : -1;
}

/* Whether the page has `name` directly after one character of `before`. */
static bool
page_has(const char *name, const char *before, const char *behind)
{
	size_t length = strlen(name);

	for (const char *at = page; (at = strstr(at, name)); at += length)
		if (at > page && strchr(before, at[-1]) &&
		    (*behind == '\0' || strchr(behind, at[length])))
			return true;
	return false;
}

static int missing_count;

static void
expect_verb(const char *name)
{
	if (page_has(name, "`", "` "))
		return;
	missing_count++;
	print_error("the pages do not explain the verb %s\n", name);
}

/*
 * Whether a row of a table, or a rule of the grammar, that begins with
 * `before` and the verb has the key.
 */
static bool
part_has(const char *before, const char *verb, const char *key)
{
	char from[KEY_SIZE];

	snprintf(from, sizeof(from), "%s%s", before, verb);
	for (const char *at = page; (at = strstr(at, from)) != NULL; at++) {
		const char *end = at + strlen(from), *found = at;

		if (strchr("` \"", *end) == NULL)
			continue;
		do
			end += strcspn(end, "\n") + 1;
		while (*end == ' ');
		while ((found = strstr(found + 1, key)) && found < end)
			if (strchr("` \"", found[-1]) != NULL)
				return true;
	}
	return false;
}

static void
expect_key(const char *verb, const char *key)
{
	char name[KEY_SIZE];
	bool in_row, in_rule;

	snprintf(name, sizeof(name), "%s=", key);
	in_row = part_has("\n| `", verb, name);
	in_rule = part_has("= \"", verb, name);
	if (in_row && in_rule)
		return;
	missing_count++;
	print_error("%s of %s is missing in its %s\n", name, verb,
	    in_row ? "rule of the grammar" : "row");
}

/* The row of a table, below `title`, whose first cell is this name. */
static const char *
page_row(const char *title, const char *name)
{
	static char row[LINE_SIZE];
	const char *at = strstr(page, title);
	char cell[KEY_SIZE];
	size_t length;

	assert_non_null(at);
	snprintf(cell, sizeof(cell), "\n| `%s` |", name);
	at = strstr(at, cell);
	if (at == NULL) {
		fail_msg("\"%s\" has no row for %s", title + 1, name);
		return "";
	}
	length = strcspn(at + 1, "\n");
	assert_true(length < sizeof(row));
	memcpy(row, at + 1, length);
	row[length] = '\0';
	return row;
}

TEST(test_page_has_every_event_and_its_keys)
{
	missing_count = 0;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const char *name = event_name((enum event_kind)kind);
		const char *key;

		expect_verb(name);
		for (int i = 0;
		     (key = event_key((enum event_kind)kind, i)) != NULL; i++)
			expect_key(name, key);
	}
	assert_int_equal(missing_count, 0);
}

TEST(test_page_has_every_verb_of_a_bot)
{
	missing_count = 0;
	for (int i = 0; referee_verb(i) != NULL; i++)
		expect_verb(referee_verb(i));
	assert_int_equal(missing_count, 0);
}

TEST(test_page_has_every_rule_and_its_values)
{
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];
		const char *row = page_row("\n## 7. ", param->key);

		for (int j = 0; j < param->value_count; j++) {
			char value[KEY_SIZE];

			if (param->kind == SCOPA_PARAM_NUMBER)
				snprintf(value, sizeof(value), "%d",
				    param->numbers[j]);
			else
				snprintf(value, sizeof(value), "%s",
				    param->names[j]);
			if (strstr(row, value) == NULL)
				fail_msg("%s=%s is not explained", param->key,
				    value);
		}
	}
}

/* Rows `| rules | table | card | set set |`: the sets a card may capture. */
TEST(test_captures_in_the_page_agree_with_the_rules)
{
	const char *at = strstr(page, "| what it may take |");
	int count = 0;

	assert_non_null(at);
	for (at = strchr(at, '\n'); at && at[1] == '|';
	     at = strchr(at + 1, '\n')) {
		char spec[LINE_SIZE], table[LINE_SIZE], card[LINE_SIZE];
		char sets[LINE_SIZE], found[LINE_SIZE];
		struct scopa_rules rules;
		struct scopa_text text;
		size_t length = 0;

		if (sscanf(at + 1, "| `%[^`]` | `%[^`]` | `%[^`]` | %[^|]",
			spec, table, card, sets) != 4)
			continue;
		for (const char *byte = sets; *byte; byte++)
			if (*byte != '`')
				sets[length++] = *byte;
		sets[length - 1] = '\0';
		rules = support_rules(spec);
		scopa_text_init(&text, found, sizeof(found));
		support_captures(&rules, table, card, &text);
		assert_string_equal(found, sets);
		count++;
	}
	assert_int_equal(count, 11);
}

TEST(test_page_has_every_item_offence_policy_and_reason)
{
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		page_row("\n| item |", scopa_item_name((enum scopa_item)item));
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		page_row("\n## 10. ", offence_name((enum offence_kind)kind));
	for (int code = 0; code < ERROR_CODE_COUNT; code++)
		page_row("\n| error code |", error_code_names[code]);
	for (int code = 0; code < ERROR_CODE_COUNT; code++)
		if (!page_has(error_code_names[code], "\"", "\""))
			fail_msg("the grammar has no error code %s",
			    error_code_names[code]);
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		page_row("\n## 10. ", policy_name((enum verdict_policy)policy));
	/* Two refusals are never sent to a bot that was asked. */
	for (int refusal = 0; refusal < SCOPA_REFUSAL_COUNT; refusal++)
		if (refusal != SCOPA_LEGAL && refusal != SCOPA_NOT_TO_MOVE)
			page_row("\n| reason of",
			    scopa_refusal_name((enum scopa_refusal)refusal));
}

/* Keys that only some rules have are in the page, with their values. */
TEST(test_page_has_every_key_of_state)
{
	struct scopa_rules rules = support_rules("cirulla");
	const struct scopa_preset *preset = scopa_preset_find("cirulla");
	struct scopa_text text = support_text();
	struct scopa_deal deal;
	struct scopa_view view;
	struct words words;

	support_deal(&rules, "6C7DJSKD", 0, &deal);
	support_view(&rules, &deal, deal.turn, &view);
	scopa_state_format(&rules, preset, &view, &text);
	words_split(text.bytes, text.length, &words);
	assert_in_range(words.count, 19, WORDS_MAX);
	for (int i = 1; i < words.count; i++) {
		struct word key, value;
		char name[KEY_SIZE];

		assert_true(word_split_pair(words.word[i], &key, &value));
		snprintf(
		    name, sizeof(name), "%.*s", (int)key.length, key.bytes);
		page_row("\n`state` is", name);
	}
}

/*
 * The features in the page are those that a session accepts, with the same
 * defaults.
 */
TEST(test_features_in_the_page_are_those_of_a_session)
{
	static const struct session_features fallback = {
		.events = true, .state = true, .legal = true, .declare = true
	};
	const char *at = strstr(page, "| feature | default |");
	char bytes[LINE_SIZE];
	struct scopa_text out;
	struct session session;
	int count = 0;

	assert_non_null(at);
	scopa_text_init(&out, bytes, sizeof(bytes));
	session_start(&session, "test", &out);
	assert_memory_equal(&session.features, &fallback, sizeof(fallback));
	for (at = strchr(at, '\n'); at && at[1] == '|';
	     at = strchr(at + 1, '\n')) {
		char name[KEY_SIZE], line[2 * KEY_SIZE];
		struct words words;
		int value;

		if (sscanf(at + 1, "| `%63[a-z]` | %d |", name, &value) != 2)
			continue;
		count++;
		snprintf(line, sizeof(line), "feature %s=%d", name, value);
		words_split(line, strlen(line), &words);
		session_start(&session, "test", &out);
		scopa_text_init(&out, bytes, sizeof(bytes));
		session_on_feature(&session,
		    &(struct session_line){ .words = &words, .out = &out });
		assert_int_equal(out.length, 0);
		assert_memory_equal(
		    &session.features, &fallback, sizeof(fallback));
	}
	assert_int_equal(count, sizeof(fallback) / sizeof(bool));
}

TEST_GROUP(read_page, NULL)
