import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The protocol side of a bot: it speaks USP/1 with the arena, follows the game and lists the
 * legal moves. A bot calls {@link #run} with a function that chooses a move; Bot.java is an
 * example.
 *
 * <p>The file has five parts: cards and moves, the view of a seat with its legal moves, the lines
 * that change the view, options, and the conversation with the arena.
 */
public final class ScopaBot {

    // ---- Cards and moves

    private static final String RANKS = "A234567JQK"; // in order of value, 1 to 10
    private static final String SUITS = "DCSB"; // coins, cups, swords, clubs

    /** The 7 of cups, the wild card of Cirulla. */
    private static final Card MATTA = new Card('7', 'C');

    /** The forty cards in canonical order. */
    public static final List<Card> PACK = pack();

    private static List<Card> pack() {
        List<Card> pack = new ArrayList<>();
        for (char rank : RANKS.toCharArray())
            for (char suit : SUITS.toCharArray())
                pack.add(new Card(rank, suit));
        return Collections.unmodifiableList(pack);
    }

    /** One of the forty cards: {@code new Card('7', 'D')} is the 7 of coins. */
    public record Card(char rank, char suit) implements Comparable<Card> {
        public Card {
            if (RANKS.indexOf(rank) < 0 || SUITS.indexOf(suit) < 0)
                throw new IllegalArgumentException("no card: " + rank + suit);
        }

        /** The value that is printed on the card, 1 to 10. */
        public int value() {
            return RANKS.indexOf(rank) + 1;
        }

        /** Compares by the canonical order. */
        @Override
        public int compareTo(Card other) {
            int byValue = value() - other.value();
            return byValue != 0 ? byValue : SUITS.indexOf(suit) - SUITS.indexOf(other.suit);
        }

        @Override
        public String toString() {
            return "" + rank + suit;
        }
    }

    /** Reads a set of cards, such as "3C4S"; "-" is the empty set. */
    public static List<Card> parseCards(String text) {
        List<Card> cards = new ArrayList<>();
        if (text.equals("-"))
            return cards;
        if (text.length() % 2 != 0)
            throw new IllegalArgumentException("no cards: " + text);
        for (int i = 0; i < text.length(); i += 2)
            cards.add(new Card(text.charAt(i), text.charAt(i + 1)));
        return cards;
    }

    /** Writes a set of cards; the empty set is "-". */
    public static String formatCards(Collection<Card> cards) {
        StringBuilder text = new StringBuilder();
        for (Card card : cards)
            text.append(card);
        return text.isEmpty() ? "-" : text.toString();
    }

    /** Returns the cards that are not among those removed. */
    public static List<Card> without(Collection<Card> cards, Collection<Card> removed) {
        List<Card> rest = new ArrayList<>(cards);
        rest.removeAll(removed);
        return rest;
    }

    /** Adds cards to a set in canonical order. */
    private static void add(List<Card> set, Collection<Card> cards) {
        set.addAll(cards);
        Collections.sort(set);
    }

    /** Compares sets by the canonical order: card by card, and then the shorter first. */
    private static int compareSets(List<Card> a, List<Card> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++)
            if (!a.get(i).equals(b.get(i)))
                return a.get(i).compareTo(b.get(i));
        return a.size() - b.size();
    }

    /**
     * A move plays a card, which captures cards of the table or is laid there, or declares the
     * hand (Cirulla).
     *
     * @param card the card that is played; null in a declaration
     * @param captured empty where the card is laid
     * @param declaration "low" or "three"; null where a card is played
     * @param rank of a declaration: the rank of the wild 7 of cups, or null
     */
    public record Move(Card card, List<Card> captured, String declaration, String rank) {

        public static Move play(Card card, List<Card> captured) {
            return new Move(card, captured, null, null);
        }

        public static Move declare(String declaration, String rank) {
            return new Move(null, List.of(), declaration, rank);
        }

        /** Reads a move, such as "7D", "7Dx3C4S" or "!low:A". */
        public static Move parse(String text) {
            if (text.startsWith("!")) {
                String[] parts = text.substring(1).split(":", 2);
                return declare(parts[0], parts.length == 2 ? parts[1] : null);
            }
            String[] parts = text.split("x", 2);
            List<Card> card = parseCards(parts[0]);
            if (card.size() != 1)
                throw new IllegalArgumentException("no move: " + text);
            return play(card.get(0), parts.length == 2 ? parseCards(parts[1]) : List.of());
        }

        public boolean isDeclaration() {
            return declaration != null;
        }

        /** Returns the move as in the protocol. */
        @Override
        public String toString() {
            if (isDeclaration())
                return "!" + declaration + (rank == null ? "" : ":" + rank);
            return captured.isEmpty() ? card.toString() : card + "x" + formatCards(captured);
        }
    }

    // ---- The view

    /** An entry of the history of a deal. */
    public record Play(int seat, Move move) {}

    /**
     * The rules that decide what is legal, with the values that the kit knows. The first value
     * holds where the arena leaves the key out.
     */
    private static final Map<String, List<String>> MOVE_RULES = Map.of(
            "capture", List.of("sum", "fifteen", "sum-or-fifteen"),
            "equal-fifteen", List.of("no", "yes"),
            "priority", List.of("single", "fewest", "any"),
            "max-captured", List.of("0", "2"),
            "ace", List.of("plain", "sweep", "sweep-unless-ace", "sweep-traditional"),
            "ace-empty", List.of("stay", "take"),
            "cirulla-ace", List.of("choice", "sweep"),
            "cirulla-equal", List.of("choice", "first"),
            "declare", List.of("off", "auto", "ask"),
            "matta", List.of("hand", "plain", "table"));

    /** The rule parameters of the game, such as capture=sum. */
    public record Rules(Map<String, String> values) {

        /** Returns a parameter as it is written; "" where there is none. */
        public String text(String key) {
            String value = values.get(key);
            return value != null ? value : MOVE_RULES.getOrDefault(key, List.of("")).get(0);
        }

        /** Whether a parameter has this value. */
        public boolean has(String key, String value) {
            return text(key).equals(value);
        }

        /** Whether a parameter that can be "yes" or "no" is "yes". */
        public boolean is(String key) {
            return has(key, "yes");
        }

        /** Returns a parameter that is a number; 0 where there is none. */
        public int number(String key) {
            String text = text(key);
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        }

        /** Throws where a rule has a value that {@link View#legalMoves} does not know. */
        private void check() throws UnknownRule {
            for (String key : MOVE_RULES.keySet())
                if (!MOVE_RULES.get(key).contains(text(key)))
                    throw new UnknownRule("rules " + key + "=" + text(key) + " is unknown");
        }
    }

    /** The kit cannot find the legal moves itself. */
    private static final class UnknownRule extends Exception {
        private static final long serialVersionUID = 1;

        UnknownRule(String why) {
            super(why);
        }
    }

    /**
     * What the seat to move knows. Seats are numbered from 1, teams are letters, sets of cards are
     * in canonical order. Only read it: the kit goes on with it.
     */
    public static final class View {
        public int seat;
        public char team;
        public int seats;
        public String teams = ""; // the team of each seat in turn; see teamOf
        public List<Card> hand = new ArrayList<>();
        public List<Card> table = new ArrayList<>();
        public Map<Character, List<Card>> piles = new TreeMap<>(); // what each team has captured
        public Map<Character, Integer> scopas = new TreeMap<>();
        public Map<Character, Integer> scores = new TreeMap<>(); // points before this deal
        public Map<Integer, Integer> handCounts = new TreeMap<>(); // how many cards each seat holds
        public int deck; // how many cards are not yet dealt
        public int last; // the seat that captured last, or 0
        public Map<Integer, List<Card>> shown = new TreeMap<>(); // what is left of declared hands
        public List<Play> plays = new ArrayList<>(); // the deal so far
        public Map<Character, Integer> declared = new TreeMap<>(); // points of declarations
        public int matta; // the value that the wild 7 of cups has now, or 0
        public int opening; // scopas that the dealer made of the first table
        public int deal; // the number of the deal, from 1
        public int dealer;
        public int target; // points that end the match
        public int deals; // deals of a match with a fixed number, or 0
        public Rules rules = new Rules(Map.of());
        public List<Move> legal = List.of();
        public long timeMs = -1; // milliseconds left in the bank, or -1
        public long incMs = -1; // what each decision adds to it, or -1
        public long moveMs = -1; // milliseconds for this decision, or -1
        public long seed;
        public Random random = new Random(); // seeded by seed
        public Options options = new Options();
        private Consumer<String> say; // sends a line to the arena

        /** Returns the team of a seat. */
        public char teamOf(int seat) {
            if (seat < 1 || seat > teams.length())
                throw new IllegalArgumentException("no seat " + seat);
            return teams.charAt(seat - 1);
        }

        /** Returns the cards that may be in the deck or in hands of others. */
        public List<Card> hidden() {
            List<Card> hidden = without(without(PACK, hand), table);
            for (List<Card> pile : piles.values())
                hidden.removeAll(pile);
            for (List<Card> cards : shown.values())
                hidden.removeAll(cards);
            return hidden;
        }

        /**
         * Returns the value of a card in the hand or on the table. Only a wild 7 of cups may have
         * another than what is printed on it.
         */
        public int value(Card card) {
            return card.equals(MATTA) && matta != 0 ? matta : card.value();
        }

        /**
         * Says what the bot thinks of this decision, for records and charts: a comment, which may
         * be empty, then names and values. The names depth, nodes, value (expected points), time
         * (milliseconds), cut and pv (moves, joined by a comma) are those of the protocol; any
         * other is a number of your own: {@code view.info("a safe table", "worlds", 64)}.
         */
        public void info(String comment, Object... pairs) {
            StringBuilder line = new StringBuilder("info");
            for (int i = 0; i + 1 < pairs.length; i += 2) {
                String name = pairs[i].toString();
                line.append(INFO_NAMES.contains(name) ? " " : " m.").append(name);
                line.append('=').append(escape(pairs[i + 1].toString()));
            }
            if (!comment.isEmpty())
                line.append(" # ").append(comment.replaceAll("\\s+", " "));
            say.accept(line.substring(0, Math.min(line.length(), 4000)));
        }

        private static final List<String> INFO_NAMES =
                List.of("depth", "nodes", "value", "time", "cut", "pv");

        // -- Legal moves

        /** Lists the legal moves of the seat in canonical order. */
        public List<Move> legalMoves() {
            List<Move> moves = new ArrayList<>();
            for (Card card : hand) {
                List<List<Card>> captures = captures(card);
                for (List<Card> captured : captures)
                    moves.add(Move.play(card, captured));
                if (captures.isEmpty())
                    moves.add(Move.play(card, List.of()));
            }
            if (rules.has("declare", "ask"))
                moves.addAll(declarations());
            return moves;
        }

        /**
         * Lists the sets of which the card must take one; without any, the card is laid. The steps
         * are those of "Which capture" in protocol.md.
         */
        List<List<Card>> captures(Card card) {
            int value = value(card);
            boolean both = rules.has("capture", "sum-or-fifteen");
            boolean sweeps = value == 1 && aceSweeps();
            if (sweeps && !(both && rules.has("cirulla-ace", "choice")))
                return List.of(List.copyOf(table));

            List<List<Card>> sets = setsThatAddUp(value, both);
            int smallest = sets.stream().mapToInt(List::size).min().orElse(0);
            if (rules.has("priority", "fewest")
                    || rules.has("priority", "single") && smallest == 1)
                sets.removeIf(set -> set.size() > smallest);
            if (sweeps && !sets.contains(table)) {
                sets.add(List.copyOf(table));
                sets.sort(ScopaBot::compareSets);
            }
            return sets;
        }

        /** Lists the sets that a card of this value may take, before the rules of priority. */
        private List<List<Card>> setsThatAddUp(int value, boolean both) {
            boolean sum = both || rules.has("capture", "sum");
            boolean fifteen = both || rules.has("capture", "fifteen");
            boolean equal = sum || rules.is("equal-fifteen");
            boolean equalFirst = both && rules.has("cirulla-equal", "first") && onTable(value);
            int size = rules.number("max-captured");
            int most = fifteen ? Math.max(value, 15 - value) : value;
            List<List<Card>> sets = subsets(table, most, size == 0 ? table.size() : size);
            sets.removeIf(set -> {
                int total = set.stream().mapToInt(this::value).sum();
                boolean takesEqual = total == value
                        && (set.size() == 1 ? equal : sum && !equalFirst);
                return !takesEqual && !(fifteen && total == 15 - value);
            });
            return sets;
        }

        /**
         * Lists the sets of at most so many of these cards that have at most this total, in
         * canonical order.
         */
        private List<List<Card>> subsets(List<Card> cards, int total, int size) {
            List<List<Card>> sets = new ArrayList<>();
            for (int i = 0; i < cards.size(); i++) {
                Card card = cards.get(i);
                if (value(card) > total || size == 0)
                    continue;
                sets.add(List.of(card));
                List<Card> later = cards.subList(i + 1, cards.size());
                for (List<Card> others : subsets(later, total - value(card), size - 1)) {
                    List<Card> set = new ArrayList<>(List.of(card));
                    set.addAll(others);
                    sets.add(set);
                }
            }
            return sets;
        }

        /** Whether a card of this value lies on the table. */
        private boolean onTable(int value) {
            return table.stream().anyMatch(card -> value(card) == value);
        }

        /** Whether an ace that is played now can take the whole table. */
        private boolean aceSweeps() {
            if (table.isEmpty())
                return false;
            return switch (rules.text("ace")) {
                case "sweep" -> true;
                case "sweep-unless-ace" -> !onTable(1);
                case "sweep-traditional" -> !onTable(1)
                        && plays.stream().anyMatch(play -> !play.move.isDeclaration());
                default -> false;
            };
        }

        /** Lists the declarations of an untouched hand of three cards. */
        private List<Move> declarations() {
            if (hand.size() != 3 || shown.containsKey(seat))
                return List.of();
            List<Card> others = without(hand, List.of(MATTA));
            boolean wild = others.size() == 2;
            Card first = others.get(0);
            if (others.stream().allMatch(card -> card.rank == first.rank)) {
                // With two other sevens the 7 of cups needs no other value.
                boolean named = wild && first.rank != MATTA.rank;
                return List.of(Move.declare("three", named ? "" + first.rank : null));
            }
            int total = others.stream().mapToInt(Card::value).sum();
            if (!wild)
                return total < 10 ? List.of(Move.declare("low", null)) : List.of();
            List<Move> moves = new ArrayList<>();
            for (int value = 1; total + value < 10; value++)
                moves.add(Move.declare("low", RANKS.substring(value - 1, value)));
            return moves;
        }

        // -- The lines of the arena that change the view

        /** Begins a match; returns the view of its line. */
        static View ofMatch(Message line) {
            View view = new View();
            view.readSeats(line);
            view.deals = line.number("deals", 0);
            view.seed = Long.parseUnsignedLong(line.values.getOrDefault("seed", "0"), 16);
            view.random = new Random(view.seed);
            view.clear();
            return view;
        }

        /** Reads what the lines `match` and `state` have in common. */
        private void readSeats(Message line) {
            teams = line.values.getOrDefault("teams", "");
            seats = teams.length();
            seat = line.number("you", 0);
            team = teamOf(seat);
            target = line.number("target", 0);
        }

        /** Forgets the deal before. */
        private void clear() {
            hand = new ArrayList<>();
            table = new ArrayList<>();
            plays = new ArrayList<>();
            shown = new TreeMap<>();
            deck = PACK.size();
            last = opening = matta = 0;
            // A line `state` may have other teams than the one before.
            handCounts.clear();
            piles.clear();
            scopas.clear();
            declared.clear();
            for (int holder = 1; holder <= seats; holder++) {
                handCounts.put(holder, 0);
                piles.put(teamOf(holder), new ArrayList<>());
                scopas.put(teamOf(holder), 0);
                declared.put(teamOf(holder), 0);
            }
        }

        /** Changes the view as an event says; returns false where the line is no event. */
        boolean event(Message line) {
            switch (line.verb) {
                case "deal" -> startDeal(line);
                case "table" -> {
                    table = parseCards(line.word(0));
                    deck = PACK.size() - table.size();
                }
                case "give" -> give(line);
                case "sweep" -> sweep(line);
                case "declare" -> declare(line);
                case "show" -> shown.put(line.seat(), parseCards(line.word(1)));
                case "play" -> play(line);
                case "rest" -> {
                    capture(line.seat(), table);
                    table = new ArrayList<>();
                }
                case "score" -> scores.put(line.word(0).charAt(0), line.number("total", 0));
                case "seat", "redeal", "enddeal", "abort" -> { }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void startDeal(Message line) {
            clear();
            deal = Integer.parseInt(line.word(0));
            dealer = line.number("dealer", 0);
            scores = line.points("scores");
        }

        private void give(Message line) {
            String cards = line.word(1);
            int count = cards.length() / 2;
            handCounts.put(line.seat(), count);
            deck -= count;
            if (line.seat() == seat)
                hand = parseCards(cards);
        }

        private void sweep(Message line) {
            last = line.seat();
            capture(last, table);
            table = new ArrayList<>();
            opening = line.number("scopa", 0);
            scopas.merge(teamOf(last), opening, Integer::sum);
        }

        private void declare(Message line) {
            Move move = Move.parse("!" + line.word(1));
            plays.add(new Play(line.seat(), move));
            declared.merge(teamOf(line.seat()), line.number("points", 0), Integer::sum);
            if (move.rank != null && !rules.has("matta", "plain"))
                matta = RANKS.indexOf(move.rank) + 1;
        }

        private void play(Message line) {
            int player = line.seat();
            Move move = Move.parse(line.word(1));
            List<Card> card = List.of(move.card);
            plays.add(new Play(player, move));
            hand.remove(move.card);
            handCounts.merge(player, -1, Integer::sum);
            // The last card that is removed removes the entry.
            shown.computeIfPresent(player, (holder, cards) ->
                    cards.equals(card) ? null : without(cards, card));
            boolean aceTaken = rules.has("ace-empty", "take") && table.isEmpty()
                    && value(move.card) == 1;
            if (!move.captured.isEmpty() || aceTaken) {
                table.removeAll(move.captured);
                capture(player, card);
                capture(player, move.captured);
                last = player;
            } else {
                add(table, card);
            }
            scopas.merge(teamOf(player), line.number("scopa", 0), Integer::sum);

            // The wild 7 of cups is a seven again, unless it lies on the table and the rules say
            // that it stays what it was.
            boolean moved = move.card.equals(MATTA) || move.captured.contains(MATTA);
            if (moved && !(rules.has("matta", "table") && table.contains(MATTA)))
                matta = 0;
        }

        /** Puts cards on the pile of the team of a seat. */
        private void capture(int seat, List<Card> cards) {
            add(piles.get(teamOf(seat)), cards);
        }

        /** Takes everything over from a line `state`. */
        void readState(Message line) {
            readSeats(line);
            clear();
            hand = parseCards(line.value("hand"));
            table = parseCards(line.value("table"));
            deal = line.number("deal", 0);
            dealer = line.number("dealer", 0);
            deck = line.number("deck", 0);
            last = line.value("last").equals("-") ? 0 : line.number("last", 0);
            opening = line.number("opening", 0);
            matta = RANKS.indexOf(line.values.getOrDefault("matta", "-")) + 1;
            scores = line.points("scores");
            scopas.putAll(line.points("scopas"));
            declared.putAll(line.points("declared"));
            for (String[] item : line.list("hands", ","))
                handCounts.put(Integer.parseInt(item[0]), Integer.parseInt(item[1]));
            for (String[] item : line.list("pile", ","))
                piles.put(item[0].charAt(0), parseCards(item[1]));
            for (String[] item : line.list("shown", ","))
                shown.put(Integer.parseInt(item[0]), parseCards(item[1]));
            for (String[] item : line.list("plays", "/"))
                plays.add(new Play(Integer.parseInt(item[0]), Move.parse(item[1])));
        }
    }

    /** A line of the arena: a verb, positional words, and pairs KEY=VALUE. */
    static final class Message {
        final String text; // the whole line, without a comment
        final String verb;
        final List<String> words = new ArrayList<>();
        final Map<String, String> values = new TreeMap<>();

        Message(String line) {
            // A token that begins with # begins a comment.
            text = line.replaceFirst("(^|[ \\t])#.*", "").strip();
            String[] tokens = text.split("[ \\t]+");
            verb = tokens[0];
            for (String token : Arrays.asList(tokens).subList(1, tokens.length)) {
                int sign = token.indexOf('=');
                if (sign < 0)
                    words.add(token);
                else
                    values.put(token.substring(0, sign), token.substring(sign + 1));
            }
        }

        /** Returns the positional word of this number, from 0. */
        String word(int i) {
            if (i >= words.size())
                throw new IllegalArgumentException(verb + ": words are missing");
            return words.get(i);
        }

        int seat() {
            return Integer.parseInt(word(0));
        }

        /** Returns the value of a key that must be there. */
        String value(String key) {
            if (!values.containsKey(key))
                throw new IllegalArgumentException(verb + ": " + key + " is missing");
            return values.get(key);
        }

        int number(String key, int missing) {
            return values.containsKey(key) ? Integer.parseInt(values.get(key)) : missing;
        }

        long milliseconds(String key) {
            return Long.parseLong(values.getOrDefault(key, "-1"));
        }

        /**
         * Splits the value of a key: "A:0,B:2" with "," into the pairs A, 0 and B, 2. "-" is the
         * empty list.
         */
        List<String[]> list(String key, String separator) {
            List<String[]> pairs = new ArrayList<>();
            String list = values.getOrDefault(key, "-");
            if (list.equals("-"))
                return pairs;
            for (String item : list.split(separator)) {
                String[] pair = item.split(":", 2);
                if (pair.length < 2)
                    throw new IllegalArgumentException(verb + ": no list: " + list);
                pairs.add(pair);
            }
            return pairs;
        }

        /** Reads numbers of teams, such as "A:0,B:2". */
        Map<Character, Integer> points(String key) {
            Map<Character, Integer> points = new TreeMap<>();
            for (String[] item : list(key, ","))
                points.put(item[0].charAt(0), Integer.parseInt(item[1]));
            return points;
        }
    }

    // ---- Options

    /** An option that users may set. */
    public static final class Option {
        private final String name;
        private final String type;
        private final Object value; // typed: Integer, Boolean or String
        private int min;
        private int max;
        private List<String> values = List.of();

        private Option(String name, String type, Object value) {
            this.name = name;
            this.type = type;
            this.value = value;
        }

        /** Makes an option that is a whole number. */
        public static Option number(String name, int value, int min, int max) {
            Option option = new Option(name, "int", value);
            option.min = min;
            option.max = max;
            return option;
        }

        /** Makes an option that is true or false. */
        public static Option flag(String name, boolean value) {
            return new Option(name, "bool", value);
        }

        /** Makes an option that is one of several words. */
        public static Option oneOf(String name, String value, String... values) {
            Option option = new Option(name, "enum", value);
            option.values = List.of(values);
            return option;
        }

        /** Makes an option that is a text. */
        public static Option text(String name, String value) {
            return new Option(name, "string", value);
        }

        /** Makes an option that users can press: it is false at first, then true. */
        public static Option button(String name) {
            return new Option(name, "button", false);
        }

        /** Returns the line that declares the option. */
        private String declaration() {
            String line = "option name=" + name + " type=" + type;
            if (!type.equals("button") && !value.equals(""))
                line += " default=" + escape(value.toString());
            if (type.equals("int"))
                line += " min=" + min + " max=" + max;
            if (type.equals("enum"))
                line += " values=" + escape(String.join("|", values));
            return line;
        }

        /** Returns the typed value; throws with what is allowed. */
        private Object read(String text) {
            switch (type) {
                case "int":
                    if (text.matches("-?[0-9]{1,10}")) {
                        long number = Long.parseLong(text);
                        if (min <= number && number <= max)
                            return (int) number;
                    }
                    throw new IllegalArgumentException(
                            "must be a whole number " + min + ".." + max);
                case "bool":
                    if (text.equals("true") || text.equals("false"))
                        return text.equals("true");
                    throw new IllegalArgumentException("must be true or false");
                case "enum":
                    if (values.contains(text))
                        return text;
                    throw new IllegalArgumentException(
                            "must be one of " + String.join(", ", values));
                case "button":
                    if (text.equals("-"))
                        return true;
                    throw new IllegalArgumentException("is a button, which has the value -");
                default:
                    return text;
            }
        }
    }

    /** The values of the options of a bot. */
    public static final class Options {
        private final Map<String, Object> values = new TreeMap<>();

        public int number(String name) {
            return (Integer) values.get(name);
        }

        /** Returns the value of a flag, or whether a button was pressed. */
        public boolean is(String name) {
            return (Boolean) values.get(name);
        }

        /** Returns the value of an option that is a text or one of several words. */
        public String text(String name) {
            return (String) values.get(name);
        }
    }

    /** Writes a value so that it is one token: a blank becomes %20. */
    private static String escape(String value) {
        StringBuilder text = new StringBuilder();
        for (byte code : value.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (code & 0xFF);
            if (character <= ' ' || character > '~' || character == '%'
                    || character == '#' && text.isEmpty())
                text.append(String.format("%%%02X", (int) character));
            else
                text.append(character);
        }
        return text.toString();
    }

    /** Reads a value that escape has written. */
    private static String unescape(String value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < value.length(); i++) {
            if (value.substring(i).matches("%[0-9A-Fa-f]{2}.*")) {
                bytes.write(Integer.parseInt(value.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.write(value.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    // ---- The conversation with the arena

    /** An arena ends a bot that says too much unasked. */
    private static final int UNKNOWN_VERBS_MAX = 16;

    private final Function<View, Move> choose;
    private final String id; // the line that introduces the bot
    private final List<Option> declared;
    private final PrintStream out;
    private final Options options = new Options();
    private View view = new View();
    private boolean rulesKnown; // a line `rules` holds
    private Message state; // the last line `state`, or null
    private List<Move> legal = new ArrayList<>(); // those of the last line `legal`
    private int unknownVerbs;

    private ScopaBot(Function<View, Move> choose, String id, List<Option> declared,
            PrintStream out) {
        this.choose = choose;
        this.id = id;
        this.declared = declared;
        this.out = out;
        for (Option option : declared)
            options.values.put(option.name, option.value);
    }

    /**
     * Plays until the arena says `quit` or closes the input, and ends the process. What `choose`
     * throws ends it with status 1, and the arena shows the stack. What it prints goes to standard
     * error.
     */
    public static void run(Function<View, Move> choose, String name, String version,
            String author, List<Option> options) {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            serve(choose, name, version, author, options, System.in, out);
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    /** Answers the lines of a stream until one is `quit`. */
    static void serve(Function<View, Move> choose, String name, String version, String author,
            List<Option> options, InputStream in, PrintStream out) throws IOException {
        String id = "id name=" + escape(name);
        if (!version.isEmpty())
            id += " version=" + escape(version);
        if (!author.isEmpty())
            id += " author=" + escape(author);
        ScopaBot bot = new ScopaBot(choose, id, options, out);
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(in, StandardCharsets.US_ASCII));
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            Message line = new Message(text);
            if (line.verb.equals("quit"))
                return;
            if (bot.read(line) && line.verb.equals("go"))
                bot.decide(line);
        }
    }

    /** Sends one line, without bytes that the protocol does not allow. */
    private void say(String line) {
        out.print(line.replaceAll("[^ -~]", "?") + "\n");
        out.flush();
    }

    /**
     * Takes from a line what it says; returns false where the line is wrong or leaves the kit
     * without a legal move.
     */
    private boolean read(Message line) {
        try {
            switch (line.verb) {
                case "usp" -> greet();
                case "setoption" -> line.values.forEach(this::setOption);
                case "isready" -> say("readyok");
                case "match" -> {
                    view = View.ofMatch(line);
                    rulesKnown = false;
                }
                case "endmatch" -> {
                    view = new View();
                    rulesKnown = false;
                }
                case "rules" -> {
                    view.rules = new Rules(line.values);
                    rulesKnown = true;
                }
                case "state" -> state = line;
                case "legal" -> {
                    legal = new ArrayList<>();
                    for (String word : line.words)
                        if (!word.equals("...")) // the list was cut here
                            legal.add(Move.parse(word));
                }
                case "go" -> prepare(line);
                // What the arena did not like helps the author.
                case "error", "illegal" -> System.err.println("arena: " + line.text);
                case "", "stop", "cards" -> { }
                default -> {
                    if (!view.event(line) && ++unknownVerbs <= UNKNOWN_VERBS_MAX)
                        say("error unknown # no verb \"" + cut(line.verb) + "\"");
                }
            }
            return true;
        } catch (UnknownRule why) {
            say("error feature # " + why.getMessage());
            say("error fatal # no move can be chosen");
        } catch (RuntimeException why) {
            say("error syntax # " + why.getMessage());
        }
        return false;
    }

    private static String cut(String word) {
        return word.substring(0, Math.min(word.length(), 40));
    }

    /** Answers `usp`. */
    private void greet() {
        say(id);
        for (Option option : declared)
            say(option.declaration());
        say("feature position=1");
        say("uspok 1");
    }

    private void setOption(String name, String text) {
        for (Option option : declared) {
            if (!option.name.equals(name))
                continue;
            try {
                options.values.put(name, option.read(unescape(text)));
            } catch (IllegalArgumentException why) {
                say("error option # " + name + " " + why.getMessage());
            }
            return;
        }
        say("error option # " + cut(name) + " is no option");
    }

    /** Completes the view for a decision. */
    private void prepare(Message line) throws UnknownRule {
        Message position = state;
        List<Move> moves = legal;
        state = null;
        legal = new ArrayList<>();
        if (position != null) {
            view.readState(position);
            if (!rulesKnown)
                view.rules = rulesOf(position);
        }
        view.legal = moves.isEmpty() ? ownMoves() : moves;
        view.timeMs = line.milliseconds("time");
        view.incMs = line.milliseconds("inc");
        view.moveMs = line.milliseconds("move");
        view.options = options;
        view.say = this::say;
    }

    /** Returns what a line `state` says of the rules where no line `rules` has come. */
    private static Rules rulesOf(Message state) {
        String[] rules = state.value("rules").split(",");
        Map<String, String> values = new TreeMap<>(
                new Message(String.join(" ", rules)).values); // the overrides
        values.put("preset", rules[0]);
        values.put("target", state.value("target"));
        values.put("players", state.value("seats"));
        values.put("teams", state.value("teams"));
        return new Rules(values);
    }

    /** Returns the legal moves where the arena does not send them. */
    private List<Move> ownMoves() throws UnknownRule {
        if (view.hand.isEmpty())
            throw new UnknownRule("go without a deal or a state line");
        if (!rulesKnown)
            throw new UnknownRule("neither a rules nor a legal line has come");
        view.rules.check();
        return view.legalMoves();
    }

    /** Chooses a move and sends it. */
    private void decide(Message line) {
        Move move = choose.apply(view);
        if (move == null)
            throw new NullPointerException("choose() returned null, which is no move");
        String turn = line.values.get("turn");
        say("move " + move + (turn == null ? "" : " turn=" + turn));
    }
}
