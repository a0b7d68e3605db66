import java.util.List;

/**
 * A bot for the arena: the author writes choose, and ScopaBot.java does the rest. The class {@code
 * ScopaBot.View} says what choose can look at.
 *
 * <p>{@code make && scopa-arena match ./bot @greedy}
 */
public final class Bot {
    /** What a captured card is worth; the 7 of coins is worth most. */
    static int weight(ScopaBot.View view, ScopaBot.Card card) {
        int weight = 1;
        if (card.rank() == '7')
            weight += 30;
        if (card.suit() == 'D')
            weight += view.options.number("weight-of-coins");
        if (card.toString().equals("7D"))
            weight += 100;
        return weight;
    }

    /**
     * How good a move is: best is a declaration, then a scopa, then the capture of most weight,
     * then to lay the card of least weight.
     */
    static int merit(ScopaBot.View view, ScopaBot.Move move) {
        if (move.isDeclaration())
            return 20000;
        int merit = weight(view, move.card());
        if (move.captured().isEmpty())
            return -merit;
        for (ScopaBot.Card card : move.captured())
            merit += weight(view, card);
        boolean scopa = move.captured().size() == view.table.size();
        return scopa ? merit + 10000 : merit;
    }

    static ScopaBot.Move choose(ScopaBot.View view) {
        int sign = view.rules.has("aim", "least") ? -1 : 1; // whether points are bad
        ScopaBot.Move best = view.legal.get(0);
        for (ScopaBot.Move move : view.legal)
            if (sign * merit(view, move) > sign * merit(view, best))
                best = move;
        return best;
    }

    static final List<ScopaBot.Option> OPTIONS =
            List.of(ScopaBot.Option.number("weight-of-coins", 10, 0, 100));

    public static void main(String[] arguments) {
        ScopaBot.run(Bot::choose, "my-bot", "1.0", "", OPTIONS);
    }
}
