/* The presets, one row for each variant. */
#include "internal.h"

/*
 * A row names only fields that differ from zero, the first value of a
 * parameter.  These macros set the fields that need another value in all
 * presets of a group.
 */
#define TO_SEVERAL .players = 2, .teams = SCOPA_TEAMS_AB, .hand = 3, .table = 4
#define TO_FOUR(hand_size, table_size)                                \
	.players = 4, .teams = SCOPA_TEAMS_ABAB, .hand = (hand_size), \
	.table = (table_size)
#define BASE_ITEMS                                                     \
	(SCOPA_BASE_CARDS | SCOPA_BASE_COINS | SCOPA_BASE_SETTEBELLO | \
	    SCOPA_BASE_PRIMIERA)
#define POINTS \
	.items = BASE_ITEMS, .scopa = 1, .ace_scopa = 1, .primiera_six = 18

#define SEATS_ANY "2, 3, 4 or 6; teams of 2v2, 2x3 or 3x2"
#define SEATS_PAIRS "4 as 2v2"

/*
 * The sources of the presets are five texts: the page "Scopone scientifico
 * Rules", the Free Net Encyclopedia's article "Scopa", an account of the rules
 * of Chitarrella, Board Game Arena's help page, and the description "Scopa -
 * Italian Card Game".  If they disagree, a preset follows the text that it
 * names.
 */
const struct scopa_preset scopa_presets[] = {
	{ "scopa",
	    "Scopa as most tables play it; the page \"Scopone scientifico "
	    "Rules\" and the description \"Scopa - Italian Card Game\" have"
	    " these rules.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11 } },
	{ "scopa-bga",
	    "Scopa of Board Game Arena's help page: the smallest capture "
	    "comes first, and a primiera may lack a suit.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.priority = SCOPA_PRIORITY_FEWEST,
		.primiera_missing = SCOPA_PRIMIERA_PARTIAL } },
	{ "scopa-napoli",
	    "Scopa of the Free Net Encyclopedia's article: the \"napoli\" "
	    "is one point for three coins, and for more as many as there "
	    "are.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .napola = SCOPA_NAPOLA_S1 } },
	{ "scopone",
	    "Scopone classico of the page \"Scopone scientifico Rules\": "
	    "nine cards a hand and four on the table.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 21 } },
	{ "scopone-chitarrella",
	    "Scopone of the account of the rules of Chitarrella: nine cards"
	    " a hand, to 11 points.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 11 } },
	{ "scientifico",
	    "Scopone scientifico of the page of that name: ten cards a "
	    "hand, none on the table.",
	    SEATS_PAIRS,
	    { TO_FOUR(10, 0), POINTS, .target = 21,
		.redeal = SCOPA_REDEAL_NONE } },
	{ "trentino",
	    "Trentino scopone of the Free Net Encyclopedia's article: a run"
	    " of coins from the ace on counts its length, and all ten coins"
	    " win.",
	    SEATS_PAIRS,
	    { TO_FOUR(9, 4), POINTS, .target = 21, .napola = SCOPA_NAPOLA_RUN,
		.all_coins = SCOPA_ALL_COINS_WIN } },
	{ "trente",
	    "Scopone de Trente of Board Game Arena's help page: ace, two "
	    "and three of coins count 1, 2 and 3, and all three win.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 21, .trente = 1 } },
	{ "assi",
	    "Scopa d'assi of Board Game Arena's help page (simplified): an "
	    "ace takes the whole table and scores a scopa.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .ace = SCOPA_ACE_SWEEP } },
	{ "assi-traditional",
	    "Scopa d'assi of Board Game Arena's help page (traditional): no"
	    " sweep while an ace lies on the table, nor on the first play.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.ace = SCOPA_ACE_SWEEP_TRADITIONAL } },
	{ "assi-noscopa",
	    "Scopa d'assi of the Free Net Encyclopedia's article: the sweep"
	    " by an ace scores no scopa.",
	    SEATS_ANY,
	    { TO_SEVERAL, .items = BASE_ITEMS, .scopa = 1, .primiera_six = 18,
		.target = 11, .ace = SCOPA_ACE_SWEEP } },
	{ "re-bello",
	    "Re bello of the Free Net Encyclopedia's article: the king of "
	    "coins is worth a point.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11, .re_bello = 1 } },
	{ "napola",
	    "Napola of Board Game Arena's help page: a run of coins from the"
	    " ace, of three or more, counts its length.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .napola = SCOPA_NAPOLA_RUN } },
	{ "ponino",
	    "Il ponino of Board Game Arena's help page: all four knights "
	    "double the scopa points.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11, .ponino = 1 } },
	{ "quindici",
	    "Scopa a quindici of Board Game Arena's help page: a card takes"
	    " what makes fifteen with it, the fewest cards first.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_FEWEST } },
	{ "escoba",
	    "Escoba of Board Game Arena's help page: any fifteen, a point "
	    "for most sevens and one for all.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.sevens = SCOPA_SEVENS_ESCOBA } },
	{ "escoba-noprime",
	    "Escoba as Board Game Arena plays it: the same without the "
	    "primiera.",
	    SEATS_ANY,
	    { TO_SEVERAL, .scopa = 1, .primiera_six = 18,
		.items = BASE_ITEMS - SCOPA_BASE_PRIMIERA, .ace_scopa = 1,
		.target = 11, .capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.sevens = SCOPA_SEVENS_ESCOBA } },
	{ "frac",
	    "Scopa frac of Board Game Arena's help page: only captured aces"
	    " and figures count, a point each.",
	    SEATS_ANY,
	    { TO_SEVERAL, .items = 0, .scopa = 0, .primiera_six = 18,
		.ace_scopa = 1, .target = 11, .priority = SCOPA_PRIORITY_ANY,
		.frac = 1 } },
	{ "perdere",
	    "Scopa a perdere, which Board Game Arena plays but none of the "
	    "texts describes: the first to the target loses.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 21, .aim = SCOPA_AIM_LEAST } },
	{ "cirulla",
	    "Cirulla of Board Game Arena's help page: sums and fifteens, "
	    "sweeping aces, declared hands, the wild 7 of cups.",
	    "2, 3, 4 or 6; teams of 2v2",
	    { TO_SEVERAL, POINTS, .target = 51, .redeal = SCOPA_REDEAL_ACES2,
		.capture = SCOPA_CAPTURE_SUM_OR_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.ace = SCOPA_ACE_SWEEP_UNLESS_ACE, .piccola = 6, .grande = 5,
		.all_coins = SCOPA_ALL_COINS_WIN, .opening = SCOPA_OPENING_WILD,
		.declare = SCOPA_DECLARE_ASK, .matta = SCOPA_MATTA_HAND } },
};

const int scopa_preset_count = (int)COUNTOF(scopa_presets);
