"""What a decision is about: themes, each a tested claim about a solved position.

:func:`themes_of` names those that hold; :data:`NAMES` says what each is, in a sentence for
learners. A theme tells what the right choices do and the wrong ones do not, and search has shown
it: see :mod:`trainer.themes.spot` for what right and wrong mean, with cards concealed too.
"""

from __future__ import annotations

from collections.abc import Callable

from trainer.grading import Report
from trainer.themes import marriages, results, stock, tricks
from trainer.themes.spot import Spot, spot

THEMES: dict[str, tuple[Callable[[Spot], bool], str]] = {
    "ducking": (
        tricks.ducking,
        "Leave a trick that you could win to the other side.",
    ),
    "unblocking": (
        tricks.unblocking,
        "Force out a high card, or get rid of your own, that stands in the way.",
    ),
    "exit": (
        tricks.exit_,
        "Give up the lead on purpose, though you could keep it.",
    ),
    "throw-in": (
        tricks.throw_in,
        "Put the other side on lead where every lead costs it something.",
    ),
    "forcing out a trump": (
        tricks.forcing_out_a_trump,
        "Lead a plain card that the other side must spend a trump on.",
    ),
    "drawing trumps": (
        tricks.drawing_trumps,
        "Lead trumps, so that the other side keeps none that could harm you.",
    ),
    "sure tricks first": (
        tricks.sure_tricks_first,
        "Take the tricks that nothing can beat before the other side gets in.",
    ),
    "taking the trick": (
        tricks.taking_the_trick,
        "Spend a trump, an Ace or a Ten on a poor trick that must not be lost.",
    ),
    "saving a trump": (
        tricks.saving_a_trump,
        "Do not play a trump yet: it is needed later.",
    ),
    "winning cheaply": (
        tricks.winning_cheaply,
        "Win the trick, but keep your dearest card for later.",
    ),
    "bringing points home": (
        tricks.bringing_points_home,
        "Win the trick with the card that counts more.",
    ),
    "throwing cheaply": (
        tricks.throwing_cheaply,
        "Lose a trick with the card that gives away least.",
    ),
    "guarding a Ten": (
        tricks.guarding_a_ten,
        "Keep a low card beside a Ten, so that the Ace does not catch it.",
    ),
    "keeping to take": (
        tricks.keeping_to_take,
        "Keep the card that is to take a dear one of the other side's.",
    ),
    "holding back the marriage": (
        marriages.holding_back,
        "Do not declare a marriage yet, though you could.",
    ),
    "declaring in time": (
        marriages.declaring_in_time,
        "Declare a marriage now, since later is too late.",
    ),
    "King or Queen": (
        marriages.king_or_queen,
        "Choose which card of the marriage to lead.",
    ),
    "keeping the pair": (
        marriages.keeping_the_pair,
        "Keep King and Queen together for their marriage.",
    ),
    "keeping out a marriage": (
        marriages.keeping_out_a_marriage,
        "Do not let the other side declare a marriage that it holds.",
    ),
    "showing": (
        marriages.showing,
        "Show a marriage, without leading it, when its points are all you lack.",
    ),
    "announcing": (
        marriages.announcing,
        "Say 66 as soon as you have it.",
    ),
    "taking the turn-up": (
        stock.taking_the_turn_up,
        "Exchange the lowest trump for the turn-up before anything else.",
    ),
    "late exchange": (
        stock.late_exchange,
        "Remember the exchange: once closed, in reply to a lead, or at the last chance.",
    ),
    "leaving the turn-up": (
        stock.leaving_the_turn_up,
        "Leave the turn-up where it is for now, though you could exchange for it.",
    ),
    "playing for the turn-up": (
        stock.playing_for_the_turn_up,
        "Lose the trick before the last draw in order to draw the turn-up.",
    ),
    "closing to force following": (
        stock.closing_to_force,
        "Close the stock so that the other side has to follow suit.",
    ),
    "closing for schneider": (
        stock.closing_for_schneider,
        "Close the stock to win 2 while the other side is below 33.",
    ),
    "closing for schwarz": (
        stock.closing_for_schwarz,
        "Close the stock to win 3 before the other side gets a trick.",
    ),
    "refusing to close": (
        stock.refusing_to_close,
        "Keep the stock open, though closing looks good.",
    ),
    "drawing first": (
        stock.drawing_first,
        "Draw before you close.",
    ),
    "closing before drawing": (
        stock.closing_before_drawing,
        "Close before anybody draws.",
    ),
    "defeating a close": (
        results.defeating_a_close,
        "Make the other side fail that has closed the stock.",
    ),
    "playing for schneider": (
        results.playing_for_schneider,
        "Win 2 instead of 1: keep the other side below 33.",
    ),
    "playing for schwarz": (
        results.playing_for_schwarz,
        "Win 3: leave the other side without a trick.",
    ),
    "keeping out of schneider": (
        results.out_of_schneider,
        "The deal is lost: get to 33 and lose 1 instead of 2.",
    ),
    "keeping out of schwarz": (
        results.out_of_schwarz,
        "The deal is lost: get at least one trick and do not lose 3.",
    ),
    "last trick": (
        results.last_trick,
        "Play for the last trick, which decides the deal.",
    ),
    "counting": (
        results.counting,
        "Count exactly: two or three card points decide.",
    ),
}

NAMES: dict[str, str] = {name: sentence for name, (_, sentence) in THEMES.items()}
"""Each theme and what it is, in a sentence for learners."""


def themes_of(report: Report) -> tuple[str, ...]:
    """Return the themes of a position whose report is finished, in the order of :data:`NAMES`.

    None where no choice is wrong. Raises ValueError while choices are still being computed.
    """
    found = spot(report)
    if found is None:
        return ()
    return tuple(name for name, (holds, _) in THEMES.items() if holds(found))
