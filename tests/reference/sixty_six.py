"""The Sixty-Six family: four games, one table of rules, one small step at a time.

A `State` is never changed once it is made; every move makes a new one. Sides are the letters ``S``
and ``N``. Whatever the games differ in stands in `VARIANTS`, and the code asks that table.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

SUITS = ["S", "H", "D", "C"]
SIDES = ["S", "N"]
OTHER = {"S": "N", "N": "S"}

# ----------------------------------------------------------------------------------------- rules

FOSTER: dict[str, Any] = {
    # The pack, high card to low, and what each card counts toward 66.
    "ranks": ["A", "T", "K", "Q", "J", "9"],
    "card_points": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0},
    "hand": 6,
    # What the last trick adds, and whether it does so in a closed hand.
    "last_trick": 10,
    "last_trick_when_closed": False,
    # What the second player has to do once the stock is gone or closed.
    "duties": ["follow"],
    # Marriages: still allowed once the stock is gone or closed; whether one that lifts the count
    # to 66 may be shown before the draw. (On lead it may in every variant.)
    "marriages_without_stock": True,
    "show_undrawn": True,
    # Exchange of the lowest trump: by whom and when. `exchange_closed` says who may do it in a
    # closed hand: "both" (with a trick won), "other" (the closer's opponent, even without a trick,
    # when he leads or follows) or "nobody".
    "exchange_rank": "9",
    "exchange_needs_trick": True,
    "exchange_following": True,
    "exchange_undrawn": True,
    "exchange_closed": "both",
    # Closing.
    "close_undrawn": True,
    "close_hidden": 1,
    # A deal is worth 1, or 2 if the loser has fewer than 33, or 3 if the loser has no trick
    # ("tricks") or no card points ("points").
    "schwarz": "tricks",
    # A closer's success is valued by the other's count at the "end" or at the "closing".
    "success": "end",
    # What the other side gets: "two", "two or three" (3 if it has no trick; in a closer's case, had
    # none at the closing) or "double" (twice what the culprit's own count makes it). The close is
    # failed when the closer falls short, beaten when the other side announces 66 first.
    "failed_close": "two or three",
    "beaten_close": "two or three",
    "false_claim": "two or three",
    "closers_false_claim": "two or three",
    "six_if_trickless": False,
    # All cards played and nobody has announced. With the stock gone: "one has 66", "higher total",
    # "last trick". Closed: the "count" decides, or the closer must have 66 and the "last trick".
    "unclaimed": "one has 66",
    "unclaimed_closed": "count",
    # Game points that win the match.
    "match": 7,
}

RUSSIAN: dict[str, Any] = FOSTER | {
    "last_trick_when_closed": True,
    "duties": ["follow", "trump"],
    "show_undrawn": False,
    "exchange_following": False,
    "exchange_closed": "nobody",
    "schwarz": "points",
    "failed_close": "double",
    "beaten_close": "double",
    "false_claim": "double",
    "closers_false_claim": "double",
}

SCHNAPSEN: dict[str, Any] = FOSTER | {
    "ranks": ["A", "T", "K", "Q", "J"],
    "card_points": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2},
    "hand": 5,
    "last_trick": 0,
    "duties": ["follow", "head", "trump"],
    "show_undrawn": False,
    "exchange_rank": "J",
    "exchange_needs_trick": False,
    "exchange_following": False,
    "exchange_undrawn": False,
    "exchange_closed": "nobody",
    "close_undrawn": False,
    "success": "closing",
    "unclaimed": "last trick",
    "unclaimed_closed": "last trick",
}

GERMAN: dict[str, Any] = FOSTER | {
    "duties": ["follow", "head", "trump"],
    "marriages_without_stock": False,
    "show_undrawn": False,
    "exchange_following": False,
    "exchange_closed": "other",
    "beaten_close": "two",
    "false_claim": "two",
    "closers_false_claim": "two",
    "unclaimed": "higher total",
    "unclaimed_closed": "last trick",
}

VARIANTS: dict[str, dict[str, Any]] = {
    "foster66": FOSTER,
    "russian66": RUSSIAN,
    "german66": GERMAN,
    "schnapsen": SCHNAPSEN,
}

# What a word after a tilde changes, as in ``russian66~six``.
SWITCHES: dict[str, dict[str, Any]] = {"six": {"six_if_trickless": True}}


@cache
def rules_of(variant: str) -> dict[str, Any]:
    """The rules of a variant, with the changes its switches make."""
    name, *switches = variant.split("~")
    rules = dict(VARIANTS[name])
    for switch in switches:
        rules |= SWITCHES[switch]
    return rules


def pack(variant: str) -> list[str]:
    """All cards of the variant, suit by suit, high to low."""
    return [suit + rank for suit in SUITS for rank in rules_of(variant)["ranks"]]


# ----------------------------------------------------------------------------------------- state


@dataclass
class State:
    """A position with every card known. Dictionaries are by side; treat all of it as read-only."""

    variant: str
    hands: dict[str, tuple[str, ...]]  # in the order of `pack`
    trump: str
    stock: tuple[str, ...]  # next card first, turn-up last; empty when gone
    card_points: dict[str, int]
    provisional: dict[str, int]  # marriage points that wait for a first trick
    tricks: dict[str, int]
    turn: str  # who chooses; when the deal is over, who claimed or won the last trick
    led: str | None = None
    undrawn: bool = False  # a trick was won and its winner has not drawn
    won: dict[str, tuple[str, ...]] | None = None  # tricks, led card first; None: not known
    said: dict[str, tuple[str, ...]] | None = None  # suits of declared marriages
    closed: tuple[str, int, int] | None = None  # closer; the other's card points and tricks then
    carry: int = 0
    match: dict[str, int] | None = None
    over: tuple[str | None, int] | None = None  # who scored, and how many game points

    def but(self, **changes: Any) -> "State":
        """The same state with some parts changed."""
        new = State.__new__(State)
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new


def in_order(variant: str, cards: list[str]) -> tuple[str, ...]:
    """The cards in the order in which hands are written."""
    return tuple(card for card in pack(variant) if card in cards)


def deal(variant: str, rng: Random, pone: str = "S") -> State:
    """A fresh deal with `pone` to lead."""
    cards = pack(variant)
    rng.shuffle(cards)
    size = rules_of(variant)["hand"]
    stock = tuple(cards[2 * size :])
    return State(
        variant=variant,
        hands={
            pone: in_order(variant, cards[:size]),
            OTHER[pone]: in_order(variant, cards[size : 2 * size]),
        },
        trump=stock[-1][0],
        stock=stock,
        card_points={"S": 0, "N": 0},
        provisional={"S": 0, "N": 0},
        tricks={"S": 0, "N": 0},
        turn=pone,
        won={"S": (), "N": ()},
        said={"S": (), "N": ()},
    )


# -------------------------------------------------------------------------------------- notation


def parse(text: str) -> State:
    """The state that a face-up position line describes; the line is trusted."""
    fields = text.split()
    variant, south, north, trump, stock, points, turn = fields[:7]
    rest = fields[7:]
    led = None
    if rest and len(rest[0]) == 2:
        led = rest.pop(0)

    hands = {}
    for field in [south, north]:
        side, cards = field.split(":")
        hands[side] = tuple(
            suit + rank
            for suit, ranks in zip(SUITS, cards.split("."), strict=True)
            for rank in ranks
        )

    card_points, provisional, tricks = {}, {}, {}
    for side, field in zip(SIDES, points.split("-"), strict=True):
        count, tricks_won = field.split("/")
        count, _, waiting = count.partition("~")
        card_points[side] = int(count)
        provisional[side] = int(waiting or 0)
        tricks[side] = int(tricks_won)

    state = State(
        variant=variant,
        hands=hands,
        trump=trump,
        stock=() if stock == "-" else in_pieces(stock, 2),
        card_points=card_points,
        provisional=provisional,
        tricks=tricks,
        turn=turn,
        led=led,
        # Without a trick there is nothing to list, and so nothing is unknown.
        won={"S": (), "N": ()} if tricks == {"S": 0, "N": 0} else None,
        said={"S": (), "N": ()},
    )
    for field in rest:
        key, _, content = field.partition("=")
        if key == "undrawn":
            state = state.but(undrawn=True)
        elif key == "won":
            won = {"S": (), "N": ()} | by_side(content)
            state = state.but(won={side: tuple(won[side]) for side in SIDES})
        elif key == "said":
            said = {"S": (), "N": ()} | by_side(content)
            state = state.but(said={side: tuple("".join(said[side])) for side in SIDES})
        elif key == "closed":
            count, tricks_won = content[1:].split("/")
            state = state.but(closed=(content[0], int(count), int(tricks_won)))
        elif key == "carry":
            state = state.but(carry=int(content))
        elif key == "match":
            south_match, north_match = content.split("-")
            state = state.but(match={"S": int(south_match), "N": int(north_match)})
        elif key == "over" and content == "0":
            state = state.but(over=(None, 0))
        elif key == "over":
            state = state.but(over=(content[0], int(content[2:])))
        else:
            raise ValueError(f"unknown field: {field}")
    return state


def in_pieces(text: str, size: int) -> tuple[str, ...]:
    """The text cut into pieces of the size."""
    return tuple(text[start : start + size] for start in range(0, len(text), size))


def by_side(content: str) -> dict[str, tuple[str, ...]]:
    """``S:CKCA,CTDT;N:S9SA`` as the lists of words of the sides named."""
    sides = [part.split(":") for part in content.split(";")]
    return {side: tuple(words.split(",")) for side, words in sides}


def line(state: State, history: bool = True) -> str:
    """The position line of the state; without history, `won=` and `said=` are left out."""
    fields = [state.variant]
    for side in SIDES:
        suits = [
            "".join(card[1] for card in state.hands[side] if card[0] == suit) for suit in SUITS
        ]
        fields.append(side + ":" + ".".join(suits))
    fields.append(state.trump)
    fields.append("".join(state.stock) or "-")
    counts = []
    for side in SIDES:
        waiting = state.provisional[side]
        count = f"{state.card_points[side]}" + (f"~{waiting}" if waiting else "")
        counts.append(f"{count}/{state.tricks[side]}")
    fields.append("-".join(counts))
    fields.append(state.turn)
    if state.led is not None:
        fields.append(state.led)

    if state.undrawn:
        fields.append("undrawn")
    if history and state.won is not None:
        parts = [f"{side}:" + ",".join(state.won[side]) for side in SIDES if state.won[side]]
        if parts:
            fields.append("won=" + ";".join(parts))
    if history and state.said is not None:
        parts = [f"{side}:" + "".join(state.said[side]) for side in SIDES if state.said[side]]
        if parts:
            fields.append("said=" + ";".join(parts))
    if state.closed is not None:
        closer, points, tricks = state.closed
        fields.append(f"closed={closer}{points}/{tricks}")
    if state.carry:
        fields.append(f"carry={state.carry}")
    if state.match is not None:
        fields.append(f"match={state.match['S']}-{state.match['N']}")
    if state.over is not None:
        winner, game_points = state.over
        fields.append(f"over={winner}+{game_points}" if winner else "over=0")
    return " ".join(fields)


# ----------------------------------------------------------------------------------- legal moves


def moves(state: State) -> list[str]:
    """Every legal move as a word, sorted; right and wrong claims alike. None once it is over."""
    if state.over is not None:
        return []
    words = []
    if may_exchange(state):
        words.append("ex")
    if state.led is not None:
        words += cards_to_follow(state)
        return sorted(words)

    # From here on the side to move has the lead.
    words.append("66")
    if may_close(state):
        words.append("cl")
    for suit in marriages(state):
        if may_show(state):
            words.append(suit + "KQ!")
        if not state.undrawn:
            words += [suit + "Km", suit + "Qm"]
    if state.undrawn:
        words.append("dr")
    else:
        words += state.hands[state.turn]
    return sorted(words)


def sensible(state: State) -> list[str]:
    """The legal moves without false claims of 66, whether said or shown."""
    return [
        word
        for word in moves(state)
        if not (word == "66" or word.endswith("!")) or count_claimed(state, word) >= 66
    ]


def count_claimed(state: State, word: str) -> int:
    """The card points that the side to move has when it claims with this word."""
    count = state.card_points[state.turn]
    if word.endswith("!"):
        count += marriage_points(state, word[0])
    return count


def marriage_points(state: State, suit: str) -> int:
    """40 for the marriage in trumps, 20 for another."""
    return 40 if suit == state.trump else 20


def stock_is_open(state: State) -> bool:
    """Whether cards will still be drawn."""
    return bool(state.stock) and state.closed is None


def marriages(state: State) -> list[str]:
    """The suits in which the side to move, having the lead, holds a marriage it may declare."""
    if not stock_is_open(state) and not rules_of(state.variant)["marriages_without_stock"]:
        return []
    hand = state.hands[state.turn]
    return [suit for suit in SUITS if suit + "K" in hand and suit + "Q" in hand]


def may_show(state: State) -> bool:
    """Whether the side to move may show a marriage to end the deal: it needs a trick."""
    if state.undrawn and not rules_of(state.variant)["show_undrawn"]:
        return False
    return state.tricks[state.turn] > 0


def may_close(state: State) -> bool:
    """Whether the side to move, having the lead, may close."""
    rules = rules_of(state.variant)
    if not stock_is_open(state):
        return False
    if state.undrawn and not rules["close_undrawn"]:
        return False
    hidden = len(state.stock) - 1
    return bool(hidden >= rules["close_hidden"])


def may_exchange(state: State) -> bool:
    """Whether the side to move may swap the lowest trump for the turn-up."""
    rules = rules_of(state.variant)
    side = state.turn
    if not state.stock:
        return False
    if state.trump + rules["exchange_rank"] not in state.hands[side]:
        return False
    if state.closed is not None:
        if rules["exchange_closed"] == "nobody":
            return False
        if rules["exchange_closed"] == "other":
            return side != state.closed[0]
    if state.led is not None and not rules["exchange_following"]:
        return False
    if state.undrawn and not rules["exchange_undrawn"]:
        return False
    return state.tricks[side] > 0 or not rules["exchange_needs_trick"]


def cards_to_follow(state: State) -> list[str]:
    """The cards the side to move may play to the card led."""
    hand = list(state.hands[state.turn])
    if stock_is_open(state):
        return hand
    assert state.led is not None
    duties = rules_of(state.variant)["duties"]
    same_suit = [card for card in hand if card[0] == state.led[0]]
    if same_suit and "follow" in duties:
        heading = [card for card in same_suit if beats(state, card, state.led)]
        if heading and "head" in duties:
            return heading
        return same_suit
    trumps = [card for card in hand if card[0] == state.trump]
    if trumps and "trump" in duties:
        return trumps
    return hand


def beats(state: State, card: str, led: str) -> bool:
    """Whether the card wins against the card led."""
    if card[0] == led[0]:
        ranks = rules_of(state.variant)["ranks"]
        return bool(ranks.index(card[1]) < ranks.index(led[1]))
    return card[0] == state.trump


# ------------------------------------------------------------------------------------------ play


def play(state: State, word: str) -> State:
    """The state after the move; ValueError if it is not legal."""
    if word not in moves(state):
        raise ValueError(f"{word} is not legal in {line(state)}")
    return after(state, word)


def after(state: State, word: str) -> State:
    """The state after a move known to be legal."""
    if word == "66":
        return claim(state)
    if word == "dr":
        return draw(state)
    if word == "cl":
        return close(state)
    if word == "ex":
        return exchange(state)
    if word.endswith("!"):
        return claim(declare(state, word[0]))
    if word.endswith("m"):
        return lead(declare(state, word[0]), word[:2])
    if state.led is None:
        return lead(state, word)
    return follow(state, word)


def exchange(state: State) -> State:
    """The lowest trump and the turn-up change places; the same side is still to move."""
    low = state.trump + rules_of(state.variant)["exchange_rank"]
    hand = [card for card in state.hands[state.turn] if card != low] + [state.stock[-1]]
    return state.but(
        hands=state.hands | {state.turn: in_order(state.variant, hand)},
        stock=(*state.stock[:-1], low),
    )


def draw(state: State) -> State:
    """The winner of the trick takes the top card of the stock, the loser the next one."""
    winner, loser = state.turn, OTHER[state.turn]
    first, second, *rest = state.stock
    return state.but(
        hands={
            winner: in_order(state.variant, [*state.hands[winner], first]),
            loser: in_order(state.variant, [*state.hands[loser], second]),
        },
        stock=tuple(rest),
        undrawn=False,
    )


def close(state: State) -> State:
    """The stock is closed; what the other side has at this moment is kept."""
    other = OTHER[state.turn]
    return state.but(
        closed=(state.turn, state.card_points[other], state.tricks[other]), undrawn=False
    )


def declare(state: State, suit: str) -> State:
    """The marriage counts at once for a side with a trick, otherwise when it wins its first."""
    side = state.turn
    points = marriage_points(state, suit)
    if state.said is not None:
        suits = [one for one in SUITS if one == suit or one in state.said[side]]
        state = state.but(said=state.said | {side: tuple(suits)})
    if state.tricks[side]:
        return state.but(card_points=more(state.card_points, side, points))
    return state.but(provisional=more(state.provisional, side, points))


def more(counts: dict[str, int], side: str, number: int) -> dict[str, int]:
    """The counts with so many more for one side."""
    return counts | {side: counts[side] + number}


def without(state: State, card: str) -> dict[str, tuple[str, ...]]:
    """The hands after the side to move has played the card."""
    hand = tuple(held for held in state.hands[state.turn] if held != card)
    return state.hands | {state.turn: hand}


def lead(state: State, card: str) -> State:
    """The card lies on the table and the other side is to follow."""
    return state.but(hands=without(state, card), led=card, turn=OTHER[state.turn])


def follow(state: State, card: str) -> State:
    """The trick is complete: its winner takes it, and the deal may be at its end."""
    led = state.led
    assert led is not None
    follower, leader = state.turn, OTHER[state.turn]
    winner = follower if beats(state, card, led) else leader
    rules = rules_of(state.variant)
    hands = without(state, card)
    last = not hands["S"] and not hands["N"]

    gained = rules["card_points"][led[1]] + rules["card_points"][card[1]]
    gained += state.provisional[winner]
    if last and (state.closed is None or rules["last_trick_when_closed"]):
        gained += rules["last_trick"]

    won = state.won
    if won is not None:
        won = won | {winner: (*won[winner], led + card)}
    state = state.but(
        hands=hands,
        card_points=more(state.card_points, winner, gained),
        provisional=state.provisional | {winner: 0},
        tricks=more(state.tricks, winner, 1),
        turn=winner,
        led=None,
        undrawn=stock_is_open(state),
        won=won,
    )
    return count_out(state) if last else state


# ------------------------------------------------------------------------------ how a deal ends


def result(state: State) -> tuple[str | None, int] | None:
    """None while the deal goes on, else who scored (None for nobody) and the game points."""
    return state.over


def finish(state: State, winner: str | None, game_points: int) -> State:
    """The deal is over; what is carried is added, and no more is given than the match needs."""
    if winner is None:
        return state.but(over=(None, 0))
    game_points += state.carry
    if state.match is not None:
        needed = rules_of(state.variant)["match"] - state.match[winner]
        game_points = min(game_points, needed)
    return state.but(over=(winner, game_points))


def worth(state: State, card_points: int, tricks: int) -> int:
    """1, 2 or 3 game points by what the losing side has."""
    nothing = card_points == 0 if rules_of(state.variant)["schwarz"] == "points" else tricks == 0
    if nothing:
        return 3
    return 2 if card_points < 33 else 1


def penalty(state: State, kind: str, culprit: str, tricks_of_other: int) -> int:
    """The game points that the other side gets for a failure of the culprit."""
    price = rules_of(state.variant)[kind]
    if price == "two":
        return 2
    if price == "two or three":
        return 3 if tricks_of_other == 0 else 2
    return 2 * worth(state, state.card_points[culprit], state.tricks[culprit])


def claim(state: State) -> State:
    """The side to move announces 66, rightly or wrongly, and that ends the deal."""
    side, other = state.turn, OTHER[state.turn]
    right = state.card_points[side] >= 66
    closer = state.closed[0] if state.closed is not None else None
    if right and closer == other:
        return close_lost(state, "beaten_close")
    if right and closer == side:
        return close_made(state)
    if right:
        return finish(state, side, worth(state, state.card_points[other], state.tricks[other]))
    if closer == side:
        return close_lost(state, "closers_false_claim")
    return finish(state, other, penalty(state, "false_claim", side, state.tricks[other]))


def close_made(state: State) -> State:
    """The closer has made 66: it is worth what the other side has now, or had at the closing."""
    assert state.closed is not None
    closer, points, tricks = state.closed
    if rules_of(state.variant)["success"] == "end":
        points = state.card_points[OTHER[closer]]
        tricks = state.tricks[OTHER[closer]]
    return finish(state, closer, worth(state, points, tricks))


def close_lost(state: State, kind: str) -> State:
    """The closer has failed: the price depends on the tricks of the other side at the closing."""
    assert state.closed is not None
    closer, _, tricks = state.closed
    game_points = penalty(state, kind, closer, tricks)
    if rules_of(state.variant)["six_if_trickless"] and tricks == 0:
        game_points = 6
    return finish(state, OTHER[closer], game_points)


def count_out(state: State) -> State:
    """All cards are played and nobody has announced: the counts decide."""
    rules = rules_of(state.variant)
    points = state.card_points
    if state.closed is not None:
        closer = state.closed[0]
        if points[closer] < 66:
            return close_lost(state, "failed_close")
        if rules["unclaimed_closed"] == "last trick":
            return close_made(state) if state.turn == closer else close_lost(state, "failed_close")
        return finish(state, None, 0) if points[OTHER[closer]] >= 66 else close_made(state)

    if rules["unclaimed"] == "last trick":
        return finish(state, state.turn, 1)
    if rules["unclaimed"] == "higher total":
        home = [side for side in SIDES if points[side] > points[OTHER[side]]]
    else:
        home = [side for side in SIDES if points[side] >= 66]
    if len(home) != 1:
        return finish(state, None, 0)
    loser = OTHER[home[0]]
    return finish(state, home[0], worth(state, points[loser], state.tricks[loser]))
