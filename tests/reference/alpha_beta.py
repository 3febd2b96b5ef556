"""Plain alpha-beta for whole deals, from the first lead to the last card.

The rules are those of ``sixty_six``, told once more in whole numbers, so that numba can compile
this file as it stands; nothing here needs it. A position is a row of numbers, a move writes the
next row, and the value of a row is looked for between two bounds. The only economies are those of
the textbook: a table of positions met before, moves that promise much tried first, and no search
for more than a side can still make (`most`).

Cards are numbered suit by suit, high to low, as `sixty_six.pack` lists them. Sides are 0 for South
and 1 for North. All values are game points for the side to move, with carry and match in them.
"""

from collections.abc import Callable, MutableSequence

from .sixty_six import SIDES, SUITS, State, pack, rules_of

Numbers = MutableSequence[int]

# A row: where each card is, then what else changes in a deal.
OUT, SOUTH, NORTH, STOCK = range(4)
(
    POINTS, _, WAITING, _, TRICKS, _, TURN, LED, UNDRAWN, STOCK_LEFT, TURN_UP, CLOSER,
    POINTS_THEN, TRICKS_THEN, OVER, RESULT, ROW,
) = range(24, 41)  # fmt: skip
"""Pairs are South's, then North's. LED, CLOSER and TURN_UP are -1 for none. POINTS_THEN and
TRICKS_THEN are what the closer's opponent had at the closing. RESULT is for South."""
ROWS = 48
"""More than the longest deal makes: 24 cards, six draws, an exchange and a closing."""
PLACES = 1 << 21
"""Positions that the table holds."""

# What does not change in a deal: the rules of the game, then the deal.
(
    RANKS, ACE_TO_LOW, _, _, _, _, _, KING, QUEEN, LAST_TRICK, LAST_WHEN_CLOSED, FOLLOW, HEAD,
    TRUMP_IF_VOID, LATE_MARRIAGES, SHOW_UNDRAWN, LOW_RANK, EXCHANGE_TRICK, EXCHANGE_FOLLOWING,
    EXCHANGE_UNDRAWN, EXCHANGE_CLOSED, CLOSE_UNDRAWN, CLOSE_HIDDEN, SCHWARZ_BY_POINTS,
    VALUED_AT_CLOSING, FAILED_CLOSE, BEATEN_CLOSE, SIX_IF_TRICKLESS, UNCLAIMED, UNCLAIMED_CLOSED,
    TRUMP, CARRY, NEEDED, _, NODES, ORDER,
) = range(36)  # fmt: skip
"""ACE_TO_LOW are the card points by rank; ORDER and what follows are the stock as it will be drawn
from its last card, the turn-up, backwards."""
GAME = ORDER + 12

CLAIM, SHOW, CLOSE, EXCHANGE, DRAW, MARRIAGE, CARD = range(7)

WORDS = {
    "exchange_closed": ["nobody", "other", "both"],
    "schwarz": ["tricks", "points"],
    "success": ["end", "closing"],
    "failed_close": ["two", "two or three", "double"],
    "beaten_close": ["two", "two or three", "double"],
    "unclaimed": ["one has 66", "higher total", "last trick"],
    "unclaimed_closed": ["count", "last trick"],
}
NOBODY, OTHER_ONLY = 0, 1
TWO, TWO_OR_THREE, DOUBLE = range(3)
HIGHER_TOTAL, LAST_TRICK_WINS = 1, 2


# ------------------------------------------------------------------------------- the whole search


def value(
    state: State,
    searching: Callable[..., int] | None = None,
    zeros: Callable[[int], Numbers] = lambda count: [0] * count,
    places: int = PLACES,
) -> int:
    """Game points for the side to move when both play their best, false claims left out.

    `searching` is the compiled form of `search`, and `zeros` makes its arrays. The deal must not
    be over.
    """
    rows, game, table = zeros(ROWS * ROW), zeros(GAME), zeros(3 * places)
    rows[:ROW] = row_of(state)
    game[:] = game_of(state)
    return int((searching or search)(0, -15, 15, rows, game, table))


def search(at: int, low: int, high: int, rows: Numbers, game: Numbers, table: Numbers) -> int:
    """The value of the row that begins at `at`: exact between `low` and `high`, else a bound.

    What is `low` or less is at most that in truth, what is `high` or more at least that.
    """
    game[NODES] += 1
    side = rows[at + TURN]
    top = most(at, side, rows, game)
    bottom = -most(at, 1 - side, rows, game)
    if top <= low:
        return top
    if bottom >= high:
        return bottom

    first = cards_key(at, rows)
    second = counts_key(at, rows)
    place = (first % 999983 * 999979 + second % 999979) % (len(table) // 3) * 3
    if table[place] == first and table[place + 1] == second:
        least = table[place + 2] // 32 - 16
        greatest = table[place + 2] % 32 - 16
        if least >= high or least == greatest:
            return least
        if greatest <= low:
            return greatest
        bottom = max(bottom, least)
        top = min(top, greatest)

    low = max(low, bottom)
    high = min(high, top)
    best = -16
    duty = duties(at, rows, game)
    for number in range(64):
        kind, card = candidate(number, at, rows, game)
        if kind < 0 or not is_sensible(kind, card, duty, at, rows, game):
            continue
        for column in range(ROW):
            rows[at + ROW + column] = rows[at + column]
        make(kind, card, at + ROW, rows, game)
        floor = max(low, best)
        if rows[at + ROW + OVER]:
            found = rows[at + ROW + RESULT] if side == 0 else -rows[at + ROW + RESULT]
        elif rows[at + ROW + TURN] == side:
            found = search(at + ROW, floor, high, rows, game, table)
        else:
            found = -search(at + ROW, -high, -floor, rows, game, table)
        best = max(best, found)
        if best >= high:
            break
    least = best if best > low else bottom
    greatest = best if best < high else top
    table[place] = first
    table[place + 1] = second
    table[place + 2] = (least + 16) * 32 + greatest + 16
    return best


def most(at: int, side: int, rows: Numbers, game: Numbers) -> int:
    """The most game points that a side can still make, if the other side has its wits about it.

    What the other side has never gets less. It may yet close and fail for more than this, but
    nobody is forced to close.
    """
    other = 1 - side
    closer = rows[at + CLOSER]
    if closer == side:
        return given(side, close_made(at, rows, game), game)
    if closer == other:
        price = max(
            close_lost(FAILED_CLOSE, at, rows, game), close_lost(BEATEN_CLOSE, at, rows, game)
        )
        return given(side, price, game)
    return given(side, win_over(other, at, rows, game), game)


def cards_key(at: int, rows: Numbers) -> int:
    """Where all cards are, the card led and who is to move. How the stock lies follows."""
    key = 0
    for card in range(24):
        key = key * 4 + rows[at + card]
    return ((key * 32 + rows[at + LED] + 1) * 2 + rows[at + TURN]) * 2 + rows[at + UNDRAWN]


def counts_key(at: int, rows: Numbers) -> int:
    """The counts of both sides, and what is kept from the closing."""
    key = 0
    for side in range(2):
        key = key * 256 + rows[at + POINTS + side]
        key = key * 128 + rows[at + WAITING + side]
        key = key * 2 + min(1, rows[at + TRICKS + side])
    key = key * 4 + rows[at + CLOSER] + 1
    return (key * 256 + rows[at + POINTS_THEN]) * 2 + min(1, rows[at + TRICKS_THEN])


# ------------------------------------------------------------------------------------------ moves


def candidate(number: int, at: int, rows: Numbers, game: Numbers) -> tuple[int, int]:
    """The move to be tried in this place, as its kind and card; kind -1 for none.

    Claims come first, then closing, exchange, draw, marriages; then cards. A leader tries the high
    ones first, a follower the winning ones from the highest down, then the others from the lowest.
    """
    ranks = game[RANKS]
    if number == 0:
        return CLAIM, -1
    if number <= 4:
        return SHOW, (number - 1) * ranks + game[KING]
    if number <= 7:
        return CLOSE + number - 5, -1
    if number <= 15:
        return MARRIAGE, (number - 8) // 2 * ranks + game[KING if number % 2 else QUEEN]
    turn = number - 16
    led = rows[at + LED]
    rank = turn // 4 if turn < 24 else ranks - 1 - (turn - 24) // 4
    card = turn % 4 * ranks + rank
    if turn >= 48 or not 0 <= rank < ranks or (led < 0 and turn >= 24):
        return -1, -1
    if led >= 0 and beats(card, led, game) != (turn < 24):
        return -1, -1
    return CARD, card


def is_sensible(kind: int, card: int, duty: int, at: int, rows: Numbers, game: Numbers) -> bool:
    """Whether the side to move may make this move, and it is not a false claim."""
    side = rows[at + TURN]
    leads = rows[at + LED] < 0
    undrawn = rows[at + UNDRAWN] == 1
    if kind == EXCHANGE:
        return may_exchange(at, rows, game)
    if kind == CARD:
        if undrawn or rows[at + card] != side + 1:
            return False
        if leads or duty == 0:
            return True
        led = rows[at + LED]
        if duty == 1:
            return suit_of(card, game) == suit_of(led, game)
        if duty == 2:
            return suit_of(card, game) == suit_of(led, game) and beats(card, led, game)
        return suit_of(card, game) == game[TRUMP]
    if not leads:
        return False
    if kind == DRAW:
        return undrawn
    if kind == CLAIM:
        return rows[at + POINTS + side] >= 66
    if kind == CLOSE:
        if not is_open(at, rows) or rows[at + STOCK_LEFT] - 1 < game[CLOSE_HIDDEN]:
            return False
        return not undrawn or game[CLOSE_UNDRAWN] == 1
    if not has_marriage(suit_of(card, game), at, rows, game):
        return False
    if kind == MARRIAGE:
        return not undrawn
    if rows[at + TRICKS + side] == 0 or (undrawn and not game[SHOW_UNDRAWN]):
        return False
    return rows[at + POINTS + side] + marriage_points(card, game) >= 66


def duties(at: int, rows: Numbers, game: Numbers) -> int:
    """What the follower owes: 0 nothing, 1 the suit led, 2 a higher card of it, 3 a trump."""
    led = rows[at + LED]
    if led < 0 or is_open(at, rows):
        return 0
    suit = suit_of(led, game)
    if game[FOLLOW] and holds_of_suit(suit, suit * game[RANKS] + game[RANKS], at, rows, game):
        return 2 if game[HEAD] and holds_of_suit(suit, led, at, rows, game) else 1
    trump = game[TRUMP]
    end = trump * game[RANKS] + game[RANKS]
    return 3 if game[TRUMP_IF_VOID] and holds_of_suit(trump, end, at, rows, game) else 0


def holds_of_suit(suit: int, end: int, at: int, rows: Numbers, game: Numbers) -> bool:
    """Whether the side to move holds a card of the suit that is numbered before `end`."""
    held = 0
    for card in range(suit * game[RANKS], end):
        held += rows[at + card] == rows[at + TURN] + 1
    return held > 0


def has_marriage(suit: int, at: int, rows: Numbers, game: Numbers) -> bool:
    """Whether the side to move holds King and Queen of the suit, and they still count."""
    if not is_open(at, rows) and not game[LATE_MARRIAGES]:
        return False
    own = rows[at + TURN] + 1
    start = at + suit * game[RANKS]
    return rows[start + game[KING]] == own and rows[start + game[QUEEN]] == own


def may_exchange(at: int, rows: Numbers, game: Numbers) -> bool:
    """Whether the side to move may take the turn-up for the lowest trump."""
    side = rows[at + TURN]
    if rows[at + STOCK_LEFT] == 0:
        return False
    if rows[at + game[TRUMP] * game[RANKS] + game[LOW_RANK]] != side + 1:
        return False
    if rows[at + CLOSER] >= 0:
        if game[EXCHANGE_CLOSED] == NOBODY:
            return False
        if game[EXCHANGE_CLOSED] == OTHER_ONLY:
            return side != rows[at + CLOSER]
    if rows[at + LED] >= 0 and not game[EXCHANGE_FOLLOWING]:
        return False
    if rows[at + UNDRAWN] and not game[EXCHANGE_UNDRAWN]:
        return False
    return rows[at + TRICKS + side] > 0 or not game[EXCHANGE_TRICK]


def is_open(at: int, rows: Numbers) -> bool:
    """Whether cards will still be drawn."""
    return rows[at + STOCK_LEFT] > 0 and rows[at + CLOSER] < 0


def suit_of(card: int, game: Numbers) -> int:
    """The number of a card's suit."""
    return card // game[RANKS]


def beats(card: int, led: int, game: Numbers) -> bool:
    """Whether the card wins against the card led."""
    if suit_of(card, game) == suit_of(led, game):
        return card < led
    return suit_of(card, game) == game[TRUMP]


def marriage_points(card: int, game: Numbers) -> int:
    """What the marriage of a card's suit counts."""
    return 40 if suit_of(card, game) == game[TRUMP] else 20


# ------------------------------------------------------------------------------------------- play


def make(kind: int, card: int, at: int, rows: Numbers, game: Numbers) -> None:
    """Change the row into what it is after a move."""
    side = rows[at + TURN]
    if kind == CLAIM:
        claim(at, rows, game)
    elif kind == SHOW:
        rows[at + POINTS + side] += marriage_points(card, game)
        claim(at, rows, game)
    elif kind == CLOSE:
        rows[at + CLOSER] = side
        rows[at + POINTS_THEN] = rows[at + POINTS + 1 - side]
        rows[at + TRICKS_THEN] = rows[at + TRICKS + 1 - side]
        rows[at + UNDRAWN] = 0
    elif kind == EXCHANGE:
        low = game[TRUMP] * game[RANKS] + game[LOW_RANK]
        rows[at + rows[at + TURN_UP]] = side + 1
        rows[at + low] = STOCK
        rows[at + TURN_UP] = low
    elif kind == DRAW:
        draw(side, at, rows, game)
        draw(1 - side, at, rows, game)
        rows[at + UNDRAWN] = 0
    elif rows[at + LED] < 0:
        if kind == MARRIAGE:
            count = WAITING if rows[at + TRICKS + side] == 0 else POINTS
            rows[at + count + side] += marriage_points(card, game)
        rows[at + card] = OUT
        rows[at + LED] = card
        rows[at + TURN] = 1 - side
    else:
        follow(card, at, rows, game)


def draw(side: int, at: int, rows: Numbers, game: Numbers) -> None:
    """The side takes the next card of the stock."""
    left = rows[at + STOCK_LEFT] - 1
    card = game[ORDER + left] if left else rows[at + TURN_UP]
    rows[at + card] = side + 1
    rows[at + STOCK_LEFT] = left
    if left == 0:
        rows[at + TURN_UP] = -1


def follow(card: int, at: int, rows: Numbers, game: Numbers) -> None:
    """The trick is complete: its winner takes it, and with the last card the deal is at its end."""
    led = rows[at + LED]
    follower = rows[at + TURN]
    winner = follower if beats(card, led, game) else 1 - follower
    rows[at + card] = OUT
    rows[at + LED] = -1
    rows[at + TURN] = winner
    rows[at + POINTS + winner] += (
        game[ACE_TO_LOW + led % game[RANKS]]
        + game[ACE_TO_LOW + card % game[RANKS]]
        + rows[at + WAITING + winner]
    )
    rows[at + WAITING + winner] = 0
    rows[at + TRICKS + winner] += 1
    rows[at + UNDRAWN] = 1 if is_open(at, rows) else 0
    for held in range(24):
        if rows[at + held] == SOUTH or rows[at + held] == NORTH:
            return
    if rows[at + CLOSER] < 0 or game[LAST_WHEN_CLOSED]:
        rows[at + POINTS + winner] += game[LAST_TRICK]
    count_out(at, rows, game)


# ------------------------------------------------------------------------------ how a deal ends


def claim(at: int, rows: Numbers, game: Numbers) -> None:
    """The side to move announces 66, rightly."""
    side = rows[at + TURN]
    if rows[at + CLOSER] == side:
        finish(side, close_made(at, rows, game), at, rows, game)
    elif rows[at + CLOSER] == 1 - side:
        finish(side, close_lost(BEATEN_CLOSE, at, rows, game), at, rows, game)
    else:
        finish(side, win_over(1 - side, at, rows, game), at, rows, game)


def count_out(at: int, rows: Numbers, game: Numbers) -> None:
    """All cards are played and nobody has announced; the side to move has won the last trick."""
    last = rows[at + TURN]
    closer = rows[at + CLOSER]
    if closer >= 0:
        other = 1 - closer
        short = rows[at + POINTS + closer] < 66
        if short or (game[UNCLAIMED_CLOSED] and last != closer):
            finish(other, close_lost(FAILED_CLOSE, at, rows, game), at, rows, game)
        elif game[UNCLAIMED_CLOSED] or rows[at + POINTS + other] < 66:
            finish(closer, close_made(at, rows, game), at, rows, game)
        else:
            finish(0, 0, at, rows, game)
        return
    south = rows[at + POINTS]
    north = rows[at + POINTS + 1]
    if game[UNCLAIMED] == LAST_TRICK_WINS:
        finish(last, 1, at, rows, game)
    elif game[UNCLAIMED] == HIGHER_TOTAL:
        winner = 0 if south > north else 1
        finish(
            winner, win_over(1 - winner, at, rows, game) if south != north else 0, at, rows, game
        )
    elif (south >= 66) == (north >= 66):
        finish(0, 0, at, rows, game)
    else:
        winner = 0 if south >= 66 else 1
        finish(winner, win_over(1 - winner, at, rows, game), at, rows, game)


def finish(winner: int, game_points: int, at: int, rows: Numbers, game: Numbers) -> None:
    """The deal is over, and so many game points go to the winner; with 0 nobody has won."""
    points = given(winner, game_points, game) if game_points else 0
    rows[at + OVER] = 1
    rows[at + RESULT] = points if winner == 0 else -points


def given(winner: int, game_points: int, game: Numbers) -> int:
    """What a win makes with what is carried, and no more than the match needs."""
    return min(game_points + game[CARRY], game[NEEDED + winner])


def win_over(loser: int, at: int, rows: Numbers, game: Numbers) -> int:
    """1, 2 or 3 game points by what the loser has now."""
    return worth(rows[at + POINTS + loser], rows[at + TRICKS + loser], game)


def worth(card_points: int, tricks: int, game: Numbers) -> int:
    """1, 2 or 3 game points by what the losing side has."""
    if (card_points if game[SCHWARZ_BY_POINTS] else tricks) == 0:
        return 3
    return 2 if card_points < 33 else 1


def close_made(at: int, rows: Numbers, game: Numbers) -> int:
    """What the closer makes who succeeds now."""
    if game[VALUED_AT_CLOSING]:
        return worth(rows[at + POINTS_THEN], rows[at + TRICKS_THEN], game)
    return win_over(1 - rows[at + CLOSER], at, rows, game)


def close_lost(price: int, at: int, rows: Numbers, game: Numbers) -> int:
    """What the other side gets if the closer fails now; `price` is the column that tells."""
    trickless = rows[at + TRICKS_THEN] == 0
    if trickless and game[SIX_IF_TRICKLESS]:
        return 6
    if game[price] == DOUBLE:
        return 2 * win_over(rows[at + CLOSER], at, rows, game)
    return 3 if trickless and game[price] == TWO_OR_THREE else 2


# ------------------------------------------------------------------------------- states as numbers


def row_of(state: State) -> list[int]:
    """A state as a row."""
    cards = pack(state.variant)
    row = [OUT] * ROW
    for card in state.stock:
        row[cards.index(card)] = STOCK
    for number, side in enumerate(SIDES):
        for card in state.hands[side]:
            row[cards.index(card)] = number + 1
        row[POINTS + number] = state.card_points[side]
        row[WAITING + number] = state.provisional[side]
        row[TRICKS + number] = state.tricks[side]
    row[TURN] = SIDES.index(state.turn)
    row[LED] = -1 if state.led is None else cards.index(state.led)
    row[UNDRAWN] = int(state.undrawn)
    row[STOCK_LEFT] = len(state.stock)
    row[TURN_UP] = cards.index(state.stock[-1]) if state.stock else -1
    row[CLOSER] = -1
    if state.closed is not None:
        side, row[POINTS_THEN], row[TRICKS_THEN] = state.closed
        row[CLOSER] = SIDES.index(side)
    return row


def game_of(state: State) -> list[int]:
    """What does not change in the deal of a state."""
    rules = rules_of(state.variant)
    cards = pack(state.variant)
    ranks = rules["ranks"]

    def number(name: str) -> int:
        return WORDS[name].index(rules[name]) if name in WORDS else int(rules[name])

    game = [0] * GAME
    game[RANKS] = len(ranks)
    for place, rank in enumerate(ranks):
        game[ACE_TO_LOW + place] = rules["card_points"][rank]
    game[KING] = ranks.index("K")
    game[QUEEN] = ranks.index("Q")
    game[LAST_TRICK] = number("last_trick")
    game[LAST_WHEN_CLOSED] = number("last_trick_when_closed")
    game[FOLLOW] = int("follow" in rules["duties"])
    game[HEAD] = int("head" in rules["duties"])
    game[TRUMP_IF_VOID] = int("trump" in rules["duties"])
    game[LATE_MARRIAGES] = number("marriages_without_stock")
    game[SHOW_UNDRAWN] = number("show_undrawn")
    game[LOW_RANK] = ranks.index(rules["exchange_rank"])
    game[EXCHANGE_TRICK] = number("exchange_needs_trick")
    game[EXCHANGE_FOLLOWING] = number("exchange_following")
    game[EXCHANGE_UNDRAWN] = number("exchange_undrawn")
    game[EXCHANGE_CLOSED] = number("exchange_closed")
    game[CLOSE_UNDRAWN] = number("close_undrawn")
    game[CLOSE_HIDDEN] = number("close_hidden")
    game[SCHWARZ_BY_POINTS] = number("schwarz")
    game[VALUED_AT_CLOSING] = number("success")
    game[FAILED_CLOSE] = number("failed_close")
    game[BEATEN_CLOSE] = number("beaten_close")
    game[SIX_IF_TRICKLESS] = number("six_if_trickless")
    game[UNCLAIMED] = number("unclaimed")
    game[UNCLAIMED_CLOSED] = number("unclaimed_closed")
    game[TRUMP] = SUITS.index(state.trump)
    game[CARRY] = state.carry
    for side, name in enumerate(SIDES):
        game[NEEDED + side] = 15 if state.match is None else rules["match"] - state.match[name]
    for place, card in enumerate(reversed(state.stock)):
        game[ORDER + place] = cards.index(card)
    return game
