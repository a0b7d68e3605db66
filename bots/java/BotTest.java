import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests of the kit: {@code make test}. Those that play games need the program scopa-arena, in
 * the variable SCOPA_ARENA or in PATH.
 */
public final class BotTest {
    private static int passed;

    private static void expect(String what, Object found, Object wanted) {
        if (!found.equals(wanted))
            throw new AssertionError(what + "\nfound:\n" + found + "\nwanted:\n" + wanted);
        passed++;
    }

    /** Returns what a bot answers to these lines. */
    private static String converse(Function<ScopaBot.View, ScopaBot.Move> choose, String name,
            List<ScopaBot.Option> options, List<String> lines) throws IOException {
        byte[] input = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ScopaBot.serve(choose, name, "", "50% me", options, new ByteArrayInputStream(input),
                new PrintStream(out, false, StandardCharsets.US_ASCII));
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static final List<ScopaBot.Option> OPTIONS = List.of(
            ScopaBot.Option.number("depth", 4, 1, Integer.MAX_VALUE),
            ScopaBot.Option.flag("calm", true),
            ScopaBot.Option.oneOf("style", "plain", "plain", "so wild"),
            ScopaBot.Option.text("book", ""),
            ScopaBot.Option.button("forget"));

    private static ScopaBot.Move chooseFirst(ScopaBot.View view) {
        view.info("a # comment", "depth", view.options.number("depth"),
                "calm", view.options.is("calm"), "style", view.options.text("style"),
                "book", view.options.text("book"), "forget", view.options.is("forget"));
        return view.legal.get(0);
    }

    private static String answers(String... lines) throws IOException {
        return converse(BotTest::chooseFirst, "a bot", OPTIONS, List.of(lines));
    }

    private static void testHandshake() throws IOException {
        expect("handshake", answers("usp 2 arena=x", "", "# nothing", "isready\r", "ponder", "quit",
                "isready"), """
                id name=a%20bot author=50%25%20me
                option name=depth type=int default=4 min=1 max=2147483647
                option name=calm type=bool default=true
                option name=style type=enum default=plain values=plain|so%20wild
                option name=book type=string
                option name=forget type=button
                feature position=1
                uspok 1
                readyok
                error unknown # no verb "ponder"
                """);
    }

    /** A position of seat 2, with no match on. */
    private static final String POSITION = "state rules=scopa seats=2 teams=AB target=11 you=2"
            + " hand=3SKC deal=1 dealer=2 turn=2 table=AD2B7C hands=1:3,2:2 deck=30"
            + " pile=A:-,B:4C4S scopas=A:0,B:1 scores=A:3,B:4 last=2 shown=-"
            + " plays=2:4Cx4S/1:7C";

    private static final String RULES =
            "rules players=2 teams=AB hand=3 capture=sum priority=single";

    /** The start of a match. */
    private static final String MATCH = "match m1 rules=scopa seats=2 teams=AB you=1 target=11"
            + " pack=it40 tc=none seed=5\n" + RULES
            + "\nseat 1 team=A name=me\nseat 2 team=B name=you\n";

    /** The start of a deal, without lines `state` and `legal`. */
    private static final String DEAL = "deal 1 dealer=2 first=1 scores=A:0,B:0\n"
            + "table 4B5S7DQD\ngive 1 AD3SJD\ngive 2 ??????\n";

    /** Returns what a bot that plays the first legal move answers to these lines. */
    private static String play(String lines) throws IOException {
        return converse(view -> view.legal.get(0), "first", List.of(), List.of(lines));
    }

    private static void testEvents() throws IOException {
        expect("events alone", play(MATCH + DEAL + "go turn=a move=10000 x-new=1\nplay 1 AD\n"
                + "play 2 2B\ngo turn=b time=9 inc=1"),
                "move AD turn=a\nmove 3SxAD2B turn=b\n");
        expect("the list of the arena goes first",
                play(MATCH + DEAL + "legal 3S ... x-new=1\ngo turn=a\ngo turn=b"),
                "move 3S turn=a\nmove AD turn=b\n");
        expect("unknown rules with a list of the arena",
                play(MATCH + DEAL + "rules capture=odd\nlegal 3S\ngo turn=a"),
                "move 3S turn=a\n");
        expect("abort", play(MATCH + DEAL + "play 1 AD\nplay 2 2B\nabort deal reason=x\n" + DEAL
                + "go turn=a\nabort match reason=x\n"
                + "endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort\nisready\n"
                + MATCH + DEAL + "redeal reason=kings\ntable 2S\ngo turn=b"),
                "move AD turn=a\nreadyok\nmove AD turn=b\n");
        expect("events without a match", play("score A total=3\ngive 1 AD\nshow 1 AD\n"
                + "play 1 AD\nisready").endsWith("readyok\n"), true);
        expect("a declaration in place of a play", play(MATCH + DEAL + "play 1 !low\nisready")
                .matches("error syntax # .*\nreadyok\n"), true);
        long count = answers("x-a\n".repeat(1000)).lines().count();
        expect("some answers to unknown verbs", 1 <= count && count <= 64, true);
    }

    private static void testOptions() throws IOException {
        expect("options", answers("setoption depth=2147483647", "setoption calm=false",
                "setoption style=so%20wild", "setoption book=my%20book", "setoption forget=-", POSITION,
                "legal KC KCxAD2B7C", "go turn=x1 move=100"),
                "info depth=2147483647 m.calm=false m.style=so%20wild m.book=my%20book m.forget=true"
                + " # a # comment\nmove KC turn=x1\n");
        for (String wrong : List.of("depth=0", "depth=2147483648", "depth=", "depth=x", "calm=yes",
                "style=rude", "forget=1", "width=1"))
            expect("setoption " + wrong,
                    answers("setoption " + wrong).startsWith("error option # "), true);
    }

    private static void testPosition() throws IOException {
        String fatal = "\nerror fatal # no move can be chosen\n";
        // Without rules the kit cannot find the legal moves itself.
        expect("no rules", answers(POSITION, "go turn=x1"),
                "error feature # neither a rules nor a legal line has come" + fatal);
        expect("no position", answers("go turn=x1"),
                "error feature # go without a deal or a state line" + fatal);
        expect("an unknown rule",
                answers(RULES.replace("capture=sum", "capture=odd"), POSITION, "go turn=x1"),
                "error feature # rules capture=odd is unknown" + fatal);
        expect("a wrong seat", answers(POSITION + " you=3", "go turn=x1"),
                "error syntax # no seat 3\n");
        expect("a position without rules", converse(view -> {
            expect("preset", view.rules.text("preset"), "scopa");
            return view.legal.get(0);
        }, "test", List.of(), List.of(POSITION, "legal 3S", "go turn=x1")), "move 3S turn=x1\n");
        expect("a position", converse(view -> {
            view.random.nextInt();
            expect("team", view.team, 'B');
            expect("scores", view.scores.get('A'), 3);
            expect("last", view.last, 2);
            expect("time", List.of(view.timeMs, view.incMs, view.moveMs),
                    List.of(5_000_000_000L, 100L, -1L));
            expect("hidden", view.hidden().size(), 33);
            expect("plays", view.plays.size(), 2);
            return view.legal.get(view.legal.size() - 1);
        }, "test", List.of(), List.of(RULES, POSITION, "go turn=x1 time=5000000000 inc=100")),
                "move KCxAD2B7C turn=x1\n");
        // Nothing is left of a position with more teams.
        ScopaBot.View view = new ScopaBot.View();
        view.readState(new ScopaBot.Message(POSITION.replace("teams=AB", "teams=ABC")
                .replace("hands=", "hands=3:3,").replace("pile=", "pile=C:5D5C,")));
        expect("hidden of three", view.hidden().size(), 31);
        view.readState(new ScopaBot.Message(POSITION));
        expect("hidden of two", view.hidden().size(), 33);
        expect("teams", List.of(view.piles.keySet(), view.scopas.keySet(), view.declared.keySet()),
                Collections.nCopies(3, Set.of('A', 'B')));
        expect("counts", view.handCounts, Map.of(1, 3, 2, 2));
    }

    private static ScopaBot.View view(String rules, String table, String hand) {
        ScopaBot.View view = new ScopaBot.View();
        view.seat = 1;
        view.rules = new ScopaBot.Rules(new ScopaBot.Message("rules " + rules).values);
        view.table = ScopaBot.parseCards(table);
        view.hand = ScopaBot.parseCards(hand);
        return view;
    }

    /** Writes the legal moves of a view. */
    private static String moves(ScopaBot.View view) {
        return view.legalMoves().stream().map(ScopaBot.Move::toString)
                .collect(Collectors.joining(" "));
    }

    private static final String CIRULLA =
            "capture=sum-or-fifteen priority=any ace=sweep-unless-ace declare=ask ";

    private static void testDeclarations() {
        for (String[] example : new String[][] {
            {"2B4C7C", "!low:A !low:2 !low:3"},
            {"7D7C7S", "!three"},
            {"4D4C7C", "!three:4"},
            {"KCKSKB", "!three"},
            {"2B3C4C", "!low"},
            {"2B3C5C", ""},
            {"2B7C", ""},
        })
            expect("declarations of " + example[0],
                    moves(view(CIRULLA, "4S5D6DKD", example[0])).replaceFirst("^[^!]*", ""),
                    example[1]);
        ScopaBot.View view = view(CIRULLA, "4S5D6DKD", "2B3C4C");
        view.shown.put(1, view.hand);
        expect("a hand is not declared twice", moves(view).contains("!"), false);
    }

    private static void testWildSeven() {
        ScopaBot.View inHand = view(CIRULLA, "4S5D6DKD", "2B4C7C");
        inHand.shown.put(1, inHand.hand);
        inHand.matta = 1;
        expect("a wild seven in the hand", moves(inHand),
                "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD");
        ScopaBot.View onTable = view(CIRULLA + "matta=table", "4S5D6D7CKD", "3C7SQS");
        onTable.matta = 3;
        expect("a wild seven on the table", moves(onTable),
                "3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C");
    }

    private static void testChoose() throws IOException {
        for (String[] example : new String[][] {
            {"", "4C7DQS", "4D7SKB", "7Sx7D"},
            {"", "4C", "4D7D", "4Dx4C"},
            {"", "KC", "4D4C7D", "4C"},
            {"aim=least", "KC", "4D4C7D", "7D"},
            {"declare=ask", "4CKS", "2B3C4S", "!low"},
        })
            expect("the choice of " + String.join(" ", example),
                    converse(Bot::choose, "test", Bot.OPTIONS, List.of("rules " + example[0],
                            POSITION.replace("AD2B7C", example[1]).replace("3SKC", example[2]),
                            "go turn=a")),
                    "move " + example[3] + " turn=a\n");
        String failure = "";
        try {
            converse(view -> null, "test", List.of(), List.of(POSITION, "legal AD", "go turn=a"));
        } catch (NullPointerException thrown) {
            failure = thrown.getMessage();
        }
        expect("no move", failure, "choose() returned null, which is no move");
    }

    /** Goes through the examples of "Which capture" in protocol.md. */
    private static void testCaptures() {
        String escoba = "capture=fifteen priority=any ";
        String[][] examples = {
            {"", "2C4S6S", "6D", "6S"},
            {escoba, "2D3C5S6B", "KC", "2D3C 5S"},
            {escoba + "priority=single", "2D3C5S6B", "KC", "5S"},
            {escoba + "priority=single", "AD2D3D4D6B", "KC", "AD4D 2D3D"},
            {escoba + "priority=single", "4C5C6SKC", "5D", "KC"},
            {escoba + "priority=single equal-fifteen=yes", "4C5C6SKC", "5D", "5C KC"},
            {escoba + "equal-fifteen=yes", "4C5C6SKC", "5D", "4C6S 5C KC"},
            {escoba + "equal-fifteen=yes", "2C3CKC", "5D", "KC"},
            {CIRULLA + "cirulla-equal=first", "2B3D4S5C6B", "5S", "2B3D5C 4S6B 5C"},
            {CIRULLA + "cirulla-equal=first", "AC4SKC", "AD", "AC 4SKC"},
            {CIRULLA + "priority=single", "2B3D4S5C6B", "5S", "5C"},
            {CIRULLA, "4S5D6DKD", "AS", "4S5D6DKD 4SKD"},
        };
        for (String[] example : examples) {
            ScopaBot.View view = view(example[0], example[1], "-");
            ScopaBot.Card card = ScopaBot.parseCards(example[2]).get(0);
            expect(Arrays.toString(example), view.captures(card).stream()
                    .map(ScopaBot::formatCards).collect(Collectors.joining(" ")), example[3]);
        }
    }

    /** More rules than the presets have. */
    private static final List<String> FURTHER_RULES = List.of(
            "scopa,max-captured=2",
            "scopa,priority=any,max-captured=2",
            "scopa,redeal=ace,rotation=against",
            "scopa,leftovers=dealer,last-scopa=yes",
            "escoba,priority=single",
            "escoba,priority=single,equal-fifteen=yes",
            "escoba,equal-fifteen=yes",
            "escoba,priority=fewest,equal-fifteen=yes,max-captured=2",
            "assi,ace-empty=take,ace-scopa=no",
            "assi-traditional,capture=fifteen,equal-fifteen=yes",
            "cirulla,cirulla-equal=first",
            "cirulla,priority=single",
            "cirulla,priority=fewest,ace=sweep-traditional",
            "cirulla,cirulla-ace=sweep,ace=sweep",
            "cirulla,matta=table,ace-empty=take",
            "cirulla,matta=plain,declare=auto",
            "cirulla,matta=table,declare=auto,opening=plain",
            "cirulla,count=at-once,all-coins=win");

    /** Runs a program in a folder and returns its output. */
    private static String output(Path folder, List<String> command)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).directory(folder.toFile())
                .redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(),
                StandardCharsets.UTF_8);
        if (process.waitFor() != 0)
            throw new AssertionError(command + "\n" + output);
        return output;
    }

    /** Lets bots of the arena play a match at random; returns what each seat heard. */
    private static List<List<String>> record(Path folder, String arena, String rules, String teams,
            int seed)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(arena, "match", "--quiet", "--sandbox",
                "off", "--tc", "none", "--rules", rules, "--teams", teams, "--deals", "2",
                "--seed", "" + seed, "--trace", "trace.txt"));
        command.addAll(Collections.nCopies(teams.length(), "@random"));
        output(folder, command);
        List<List<String>> seats = new ArrayList<>();
        for (int i = 0; i < teams.length(); i++)
            seats.add(new ArrayList<>());
        Path trace = folder.resolve("trace.txt");
        for (String line : Files.readAllLines(trace)) {
            // Match, seat, bot, milliseconds, direction and what was said.
            String[] parts = line.split(" +", 6);
            if (!line.startsWith("#") && parts[4].equals("->"))
                seats.get(Integer.parseInt(parts[1]) - 1).add(parts[5]);
        }
        Files.delete(trace);
        return seats;
    }

    /** What stands in no line `state`. */
    private static final Set<String> NOT_IN_STATE = Set.of("deals", "rules", "legal", "timeMs",
            "incMs", "moveMs", "seed", "random", "options");

    /** Returns what a view says of a deal. */
    private static String describe(ScopaBot.View view) throws IllegalAccessException {
        StringBuilder text = new StringBuilder();
        for (Field field : ScopaBot.View.class.getFields())
            if (!NOT_IN_STATE.contains(field.getName()))
                text.append(field.getName()).append('=').append(field.get(view)).append('\n');
        return text.toString();
    }

    /**
     * Follows a game by its events and expects at each decision the view of the line `state` and
     * the moves of the line `legal`.
     */
    private static void compare(List<String> lines) throws IllegalAccessException {
        ScopaBot.View view = new ScopaBot.View();
        for (String text : lines) {
            ScopaBot.Message line = new ScopaBot.Message(text);
            switch (line.verb) {
                case "match" -> view = ScopaBot.View.ofMatch(line);
                case "rules" -> view.rules = new ScopaBot.Rules(line.values);
                case "state" -> {
                    ScopaBot.View stated = new ScopaBot.View();
                    stated.readState(line);
                    expect(text, describe(view), describe(stated));
                }
                case "legal" -> {
                    String found = "legal";
                    for (ScopaBot.Move move : view.legalMoves())
                        found += " " + move;
                    expect(describe(view), found, text);
                }
                default -> view.event(line);
            }
        }
    }

    private static String findArena() {
        String given = System.getenv("SCOPA_ARENA");
        if (given != null && !given.isEmpty())
            return given;
        for (String folder : System.getenv("PATH").split(":"))
            if (Files.isExecutable(Path.of(folder, "scopa-arena")))
                return Path.of(folder, "scopa-arena").toString();
        return null;
    }

    private static void testGames(Path folder, String arena) throws Exception {
        List<String[]> games = new ArrayList<>();
        // A preset stands at the start of a line, with its seats: `scopa (2, ...`.
        Matcher presets = Pattern.compile("(?m)^(\\S+) \\((\\d)")
                .matcher(output(folder, List.of(arena, "rules")));
        String[] seatings = {"ABC", "ABCD", "ABAB", "ABCDEF"};
        while (presets.find()) {
            boolean any = presets.group(2).equals("2");
            games.add(new String[] {presets.group(1), any ? "AB" : "ABAB"});
            if (any)
                games.add(new String[] {presets.group(1), seatings[games.size() / 2 % 4]});
        }
        expect("there are presets", games.isEmpty(), false);
        for (String rules : FURTHER_RULES)
            for (String teams : List.of("AB", "ABC"))
                games.add(new String[] {rules, teams});
        games.add(new String[] {"scopa", "ABABAB"});
        games.add(new String[] {"scopa", "ABCABC"});

        List<String> all = new ArrayList<>();
        for (int i = 0; i < games.size(); i++)
            for (List<String> lines
                    : record(folder, arena, games.get(i)[0], games.get(i)[1], i + 1)) {
                compare(lines);
                all.addAll(lines);
            }
        for (String verb : List.of("redeal", "sweep", "declare", "show", "rest", "score"))
            expect("some game has a line " + verb,
                    all.stream().anyMatch(line -> line.startsWith(verb + " ")), true);
        testSameByEvents(all);
    }

    /**
     * Expects that the example bot, in one process for many matches, plays the same without lines
     * `state` and `legal`.
     */
    private static void testSameByEvents(List<String> lines) throws IOException {
        List<String> heard = new ArrayList<>(lines);
        heard.removeIf(line -> line.equals("quit"));
        List<String> events = new ArrayList<>(heard);
        events.removeIf(line -> line.startsWith("state ") || line.startsWith("legal "));
        String answers = converse(Bot::choose, "test", Bot.OPTIONS, heard);
        expect("no error", answers.contains("error"), false);
        expect("many moves", answers.split("move ").length > 1000, true);
        expect("by events", converse(Bot::choose, "test", Bot.OPTIONS, events), answers);
    }

    public static void main(String[] arguments) throws Exception {
        testHandshake();
        testOptions();
        testEvents();
        testPosition();
        testCaptures();
        testDeclarations();
        testWildSeven();
        testChoose();
        String arena = findArena();
        if (arena == null) {
            System.out.println("skipped: games, as no scopa-arena is in SCOPA_ARENA or in PATH");
        } else {
            Path folder = Files.createTempDirectory("bot-test");
            try {
                testGames(folder, arena);
            } finally {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.sorted(Comparator.reverseOrder()).map(Path::toFile)
                            .forEach(File::delete);
                }
            }
        }
        System.out.println("passed: " + passed + " checks");
    }
}
