"""Hints in four steps, each telling no more than its own: goal, idea, choices that do it, move."""

from __future__ import annotations

from trainer.explain import Reason, why
from trainer.explain.words import card_points, doing, number
from trainer.grading import Choice, Report
from trainer.notation import label_answer
from trainer.rules.cards import SUIT_NAMES, Hand, suit_cards, suit_of
from trainer.rules.outcome import value_against
from trainer.rules.position import SIDE_NAMES, Kind, Position, View
from trainer.search import decides

IDEAS = {
    "announce": "Count what you have won.",
    "show": "Count what you have won, and what you hold.",
    "broken marriage": "Two of your cards belong together.",
    "unsaid": "Two of your cards are worth more than they look.",
    "marriage now": "Two of your cards are worth more than they look.",
    "King or Queen": "It matters which card of a pair you lead.",
    "marriage waits": "A marriage need not be declared at the first chance.",
    "North's marriage": "What can the other side declare when it gets the lead?",
    "close to force": "What would change if suit had to be followed?",
    "close to fix": "The other side's count now need not be its count later.",
    "close to keep out": "Which cards of the stock would you rather not see drawn?",
    "stock brings": "What does the stock still bring you?",
    "draw gives": "Who gains more by the next draw?",
    "draw first": "Who gains more by the next draw?",
    "draw order": "Who draws which card after this trick?",
    "exchange": "Look at the turn-up.",
    "exchange feeds": "Look at the turn-up: who would win it?",
    "unguarded": "One of your high cards needs a guard.",
    "keep a guard": "One of your high cards needs a guard.",
    "keep to take": "One of your cards is to take a card that is still out.",
    "keep": "One of your high cards or trumps is needed later.",
    "throws points": "Count what the card you give away is worth.",
    "takes too little": "Count what the trick is worth with each card that wins it.",
    "must be won": "Can you afford to leave this trick to the other side?",
    "must be left": "Do you need this trick?",
    "last trump": "Look at the trumps that are still out.",
    "trumps": "Look at the trumps that are still out.",
    "duty to head": "The other side has to beat a card if it can.",
    "duty to trump": "The other side has to trump if it cannot follow.",
}
"""What to think about, by the kind of reason that speaks for the best choice."""


def hints(report: Report) -> tuple[str, str, str, str]:
    """Return four hints: the goal, the suit or idea, the choices that are best, and one to play.

    None tells what a later one is for. IndexError while the report has no choice yet.
    """
    best = _suggested(report)
    return _goal(report), _idea(report, best), _choices(report), _move(report, best)


def _suggested(report: Report) -> Choice:
    """Return the best choice to suggest: with every card seen the most natural one."""
    table = report.table
    if isinstance(table, Position):
        natural = (report.best.solver.best_move(table),)
        for choice in report.choices:
            if choice.answer == natural and choice.best:
                return choice
    return report.best


# ------------------------------------------------------------------------------------- the goal


def _goal(report: Report) -> str:
    table = report.table
    me, other = table.turn, 1 - table.turn
    north, goal, row = SIDE_NAMES[other], table.variant.goal, table.variant
    mine, theirs = table.card_points[me], table.card_points[other]
    if mine >= goal:
        return f"{goal} is enough, and {north} has {theirs}: what have your own tricks brought?"
    closed = table.closed
    if closed is not None and closed.side == other:
        return f"{north} has closed with {theirs}: keep {north} below {goal}."
    away = f"{goal} is {card_points(goal - mine)} away."
    if isinstance(table, Position) and report.best.game_points < 0:
        return f"{away} {_saving(report, mine)}"
    worth = value_against(table, theirs, table.tricks[other])
    if closed is not None and row.success_valued == "closing":
        worth = value_against(table, closed.card_points, closed.tricks)
        return f"{away} You have closed: a win is worth {worth}."
    if worth == 1:
        return f"{away} {north} has {theirs}: a win is worth 1."
    if worth == 3:
        lacking = "trick" if row.schwarz == "tricks" else "card point"
        return f"{away} A win is worth 3 while {north} has no {lacking}."
    return f"{away} A win is worth 2 while {north} is below {row.schneider}; {north} has {theirs}."


def _saving(report: Report, mine: int) -> str:
    """Return what there is to save in a lost deal."""
    table = report.table
    north, least = SIDE_NAMES[1 - table.turn], -round(report.best.game_points)
    if all(choice.best for choice in report.choices):
        return f"The deal is lost against best play: {north} scores {least}."
    lost = f"The deal is lost, but {north} need not score more than {least}"
    if mine < table.variant.schneider and least == 1:
        return f"{lost}: you are out of schneider with {table.variant.schneider}."
    return f"{lost}."


# ------------------------------------------------------------------------------------- the idea


def _idea(report: Report, best: Choice) -> str:
    table, first, move = report.table, best.answer[0], best.answer[-1]
    for reason in why(report, best):
        if reason.kind in IDEAS and (first.kind is not Kind.CLOSE or _of_closing(reason)):
            return IDEAS[reason.kind]
    if first.kind in (Kind.CLAIM, Kind.SHOW):
        return IDEAS["show"]
    if first.kind is Kind.CLOSE:
        return "Would it help if nobody drew any more and suit had to be followed?"
    if first.kind is Kind.EXCHANGE:
        return IDEAS["exchange"]
    if first.kind is Kind.DRAW:
        return "Do you want the next card of the stock?"
    assert move.card is not None
    if move.kind is Kind.MARRIAGE:
        return IDEAS["marriage now"]
    suit = suit_of(move.card)
    if table.led is not None:
        wins = table.variant.beats(move.card, table.led, table.trump)
        worth = card_points(table.variant.value(table.led))
        return (
            f"This trick, with {worth} so far, is worth winning."
            if wins
            else "You need not win this trick: which card can you spare?"
        )
    if suit == table.trump:
        out = _out(table, suit)
        count = "none" if not out else number(out.bit_count())
        return f"Think of trumps: {count} can be against you."
    return f"Look at your {SUIT_NAMES[suit]}."


def _of_closing(reason: Reason) -> bool:
    return reason.kind.startswith("close to ")


def _out(table: Position | View, suit: int) -> Hand:
    """Return the cards of a suit that the other side may hold."""
    if isinstance(table, Position):
        return suit_cards(table.hands[1 - table.turn], suit)
    return suit_cards((table.unseen & ~table.lacks) | table.known, suit)


# ------------------------------------------------------------------------------------ the choices


def _choices(report: Report) -> str:
    listed = [c for c in report.choices if isinstance(report.table, Position) or decides(c.answer)]
    best = [choice for choice in listed if choice.best]
    if len(best) == len(listed):
        return "Every choice is as good as any other here."
    if len(best) == 1:
        return f"One choice of {number(len(listed))} is better than all the others."
    names = "; ".join(doing(choice.answer, report.table) for choice in best)
    return f"{number(len(best)).capitalize()} of {number(len(listed))} choices are best: {names}."


def _move(report: Report, best: Choice) -> str:
    return f"{label_answer(best.answer, report.table)}."
