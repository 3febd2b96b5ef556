"""Themes: where each holds and where it nearly does, and that none says what search denies."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, permutations
from random import Random

import pytest

from tables import F1, F2, at_random, renamed
from trainer.grading import Report, report, reports
from trainer.notation import format_position, format_table, parse_position, parse_view
from trainer.rules import SOUTH, VARIANTS, Position, deal, view
from trainer.rules.cards import suit_of
from trainer.rules.play import legal_moves, marriages, may_exchange, play
from trainer.rules.position import CLOSE, DRAW, EXCHANGE, Kind, swap_sides
from trainer.search import Answer, DoubleDummy, play_answer
from trainer.themes import NAMES, themes_of
from trainer.themes.spot import played, spot

KING_OR_QUEEN = "russian66 S:.KQ.Q.K N:..AT9.J C DKDJHTSACTSJCACQ {}/2-12/2 S closed=S12/2"
ROUND_A_JACK = "schnapsen S:J.AQJ..A N:{} C DACJ 21/2-{}/2 S"

HOLDS: dict[str, list[str]] = {
    "ducking": [
        # To trump the Queen with a spade loses, and so does a diamond: the Nine of clubs goes.
        "foster66 S:KJ..KJ.9 N:Q.T..TJ S - 30/4-50/3 S HQ",
        # The King is left to North, and the Ace takes the Ten later.
        "russian66 S:K.T.AJ.Q N:A.K.TQ. H - 29/3-29/4 S DK",
    ],
    "unblocking": [
        # The King forces out the Ace, and the Ten is high; or the other way round.
        "schnapsen S:Q..TKJ. N:.T.AQ.K S - 52/5-21/1 S",
        # A club forces out the Ten, and the other club wins the last trick.
        "russian66 S:..QJ.QJ N:K.Q.T.T D SQHTS9D9CACKSJDAC9DK 32/2-6/1 S closed=N11/1",
    ],
    "exit": [
        # The Ace of hearts would keep the lead; the Queen of clubs gives it up, to a trump.
        "german66 S:K.AJ..Q N:TQ.Q.Q. S - 45/5-36/3 S",
        # Hearts or the trump go to North, though the Ace of spades could be led.
        "foster66 S:AQ.T..Q N:K9.A..K C STC9 47/3-37/4 S said=S:H closed=N26/2",
    ],
    "throw-in": [
        # North trumps the Jack of diamonds and must then lead from Ace and King.
        "schnapsen S:TQJ..J. N:AK.T..K H - 61/5-33/1 S said=N:D",
        # North trumps the Ten of diamonds and must lead a heart to Ten and Queen.
        "schnapsen S:.TQ.T. N:.AK..Q C - 52/4-27/3 S",
    ],
    "forcing out a trump": [
        # The King of spades costs North the Ace of trumps.
        "schnapsen S:ATK..J. N:.Q.A.AK D - 19/2-45/4 S",
        # A heart costs North the King of trumps.
        "russian66 S:Q.KJ..Q N:AK..Q.K C DKCJ 61/3-39/4 S said=S:H closed=N30/1",
    ],
    "drawing trumps": [
        # North's Queen would trump a heart.
        "schnapsen S:T.AT.Q. N:Q..TJ.A S - 45/4-15/2 S",
        # The Ace draws the Queen; a plain lead meets a trump.
        "german66 S:K..TK.A N:.T..TKQ C - 57/6-27/2 S said=S:D",
    ],
    "sure tricks first": [
        # A heart wins; a spade is trumped, and North has the lead.
        "russian66 S:AT.AT.. N:.K.Q9.T D - 53/4-48/4 S said=S:S;N:H",
        # The Ace of clubs brings 66 home.
        "german66 S:QJ...A9 N:K.K.Q.K D - 65/6-24/2 S",
    ],
    "taking the trick": [
        # A Queen, but King or Queen of trumps must take it.
        "foster66 S:..KQ.QJ9 N:9.KJ..K D - 38/3-57/4 S SQ",
        # A Jack, but Ace or Ten must take it.
        "schnapsen S:T.AQ..AT N:A.K.TK. S SQSJ 5/1-34/3 S CJ",
    ],
    "saving a trump": [
        # Both clubs are needed when North leads spades and diamonds.
        "schnapsen S:.AQ..QJ N:A..A.TK C - 51/5-14/1 S",
        # The King of trumps is needed after the Ten has gone.
        "german66 S:K.AJ..Q N:TQ.Q.Q. S - 45/5-36/3 S",
    ],
    "winning cheaply": [
        # The Jack of trumps wins; King and Queen are a marriage.
        "schnapsen S:T.KQJ.T. N:.AT..TQ H - 21/2-52/3 S CK said=N:C",
        # Nine or Queen of trumps wins; the Ace is for later.
        "russian66 S:AK...AQ9 N:Q.Q..KJ C - 25/3-50/4 S DK",
    ],
    "bringing points home": [
        # Both trumps win; the King brings two card points more.
        "schnapsen S:.Q.KJ.TK N:.A.AT.A D - 19/2-25/3 S ST",
        # 51 and 11 and 4 are 66; the Nine would leave 62.
        "russian66 S:TK.K9..TQ N:.TQ.TK.A H - 51/4-9/2 S DA said=S:S",
    ],
    "throwing cheaply": [
        # The King or the Ten falls to the Ace; six card points decide about schneider.
        "schnapsen S:TQ.TK.Q. N:.Q..ATQ H - 59/4-13/1 S HA said=S:S",
        # Again the King and not the Ten.
        "foster66 S:TK.T..KJ9 N:J.Q..ATQ S - 27/2-23/4 S SA",
    ],
    "guarding a Ten": [
        # The King of diamonds stays beside the Ten.
        "schnapsen S:.K.TK.K N:AK..A.T H - 62/6-0/0 S",
        # King or Ten of spades led lets the Ace catch the Ten.
        "russian66 S:TK.AQ.. N:A9..Q.9 D HKCADKHTCKD9 27/3-18/2 S closed=N6/2",
    ],
    "keeping to take": [
        # A club kept takes an Ace.
        "schnapsen S:.AQ..QJ N:A..A.TK C - 51/5-14/1 S",
        # The Ten of trumps is kept for the Queen; the King of spades is led.
        "foster66 S:TK.T..9 N:.QJ.TQ. H HAH9 49/3-18/4 S closed=S18/4",
    ],
    "holding back the marriage": [
        # First the Ten of clubs, then hearts are shown.
        "foster66 S:.KQ.A.T N:T.AT..K C - 26/3-31/5 S",
        # First the Ten of trumps.
        "schnapsen S:.TQ..TKQ N:.K.AK.AJ H - 38/3-20/2 S",
    ],
    "declaring in time": [
        # The twenty of diamonds comes now or never.
        "foster66 S:Q.A.KQ. N:K..AT.A D HQD9 25/2-35/5 S closed=N13/1",
        # Without the twenty South stays in schneider.
        "schnapsen S:K.TKQ..K N:T..K.ATQ S - 26/2-51/3 S said=N:D",
    ],
    "King or Queen": [
        # The Queen is led: the King's card point more is missing in the end.
        KING_OR_QUEEN.format(18),
        # After closing the Queen of diamonds, and not the King.
        "schnapsen S:.QJ.KQ.T N:ATJ.K..A C HTCQ 20/2-27/2 S",
    ],
    "keeping the pair": [
        # King and Queen of trumps stay together; diamonds are thrown.
        "schnapsen S:.KQ.TKQ. N:Q.A..AT H DJHJ 13/1-42/3 S CJ",
        # The trick is won with the Ace of spades, and hearts are declared.
        "foster66 S:A.KQJ.Q.J N:TQ.A9..Q S SKS9 16/2-46/3 S SJ",
    ],
    "keeping out a marriage": [
        # The Ace of clubs takes a card of North's marriage.
        "foster66 S:AT.KJ..A N:.A.A.KQJ H - 59/3-52/4 S said=S:H;N:D",
        # North must not declare diamonds.
        "schnapsen S:T.Q.A.TK N:.K.TKQ.Q H - 32/3-46/2 S said=N:S",
    ],
    "showing": [
        # 27 and 40 are 67; led, the King or the Queen would fall to the Ace.
        "schnapsen S:T.KQ.T. N:.AT..TQ H - 27/3-52/3 S said=N:C",
        # 37 and 40 are 77.
        "foster66 S:TK.KQ.Q. N:A.T.A.AK H - 37/6-32/1 S said=N:C",
    ],
    "announcing": [
        # 68, and every card led would be trumped.
        "russian66 S:AK..Q.J N:.Q.AT.K H - 68/5-44/3 S said=S:S;N:C",
        # 66, and North is still in schneider.
        "foster66 S:TK..TK. N:.KJ.A.9 H - 66/5-29/3 S said=S:D",
    ],
    "taking the turn-up": [
        # The Queen taken makes a royal marriage.
        "foster66 S:T.Q.K9.Q N:.K9.TJ.K D SKSADADQ 39/4-12/1 S closed=S12/1",
        # The Ace of trumps is taken for the Jack.
        "schnapsen S:Q.AQ.QJ. N:K.TK.T.K D DKCTCQDA 25/2-13/1 S",
    ],
    "late exchange": [
        # The stock is closed, and the Nine may still be exchanged.
        "foster66 S:T.Q.K9.Q N:.K9.TJ.K D SKSADADQ 39/4-12/1 S closed=S12/1",
        # In reply to a lead, in a hand that North has closed.
        "german66 S:A.TQ.9.KJ N:TJ..Q.AT D HACQSQHKDKDA 0/0-8/3 S DT closed=N0/0",
    ],
    "leaving the turn-up": [
        # The Nine stays in hand as a trump to lose with.
        "german66 S:TK9.A.TJ. N:AJ..A.AT S CJDKD9CKHKHTH9CQDQSQ 0/0-5/1 S C9 closed=N0/0",
        # A spade is led, and the turn-up stays.
        "foster66 S:AT9..K.T9 N:K.TQ.A.AJ C DTSQSJCQ 9/2-17/2 S",
    ],
    "playing for the turn-up": [
        # The Queen of clubs is thrown, and the Jack of trumps drawn.
        "schnapsen S:.T.ATK.Q N:K.Q..AJ H DQHJ 14/1-41/3 S DJ",
        # A club is thrown, and the King of trumps drawn.
        "german66 S:AQ..T9.KJ N:..QJ.AT9 D SKDK 27/2-29/3 S H9",
    ],
    "closing to force following": [
        # Closed, the Aces of diamonds and spades are followed to.
        "schnapsen S:A.AT.AQ. N:TQ..T.AK D HKDK 5/1-63/3 S said=N:SC",
        # Closed, North must follow to the hearts.
        "german66 S:Q.ATJ..Q N:T.Q..ATK S C9S9 32/3-21/3 S undrawn",
    ],
    "closing for schneider": [
        # North has 20 and may not come to 33.
        "schnapsen S:J.AQJ..A N:AK.T.J.T C DACJ 21/2-20/2 S",
        # North has 7.
        "russian66 S:A.AK.K.T N:T.TQ..AQ H DAH9 25/4-7/2 S undrawn",
    ],
    "closing for schwarz": [
        # Five points are missing, and a diamond brings them.
        "schnapsen S:QJ.Q.AT. N:AT.T..TK H CQHJ 61/4-0/0 S said=S:D",
        # Nineteen are missing, and the Ace of diamonds catches the Ten.
        "german66 S:.TJ.AJ.QJ N:.AKQ.T.AK H S9H9 47/5-0/0 S",
    ],
    "refusing to close": [
        # The Jack of clubs is led with the stock open.
        "schnapsen S:.TKQ.K.J N:AT.A.QJ. D HJDT 35/3-13/1 S",
        # To draw wins; closed, no lead does, for want of a few points.
        "foster66 S:T.T.TQ.A N:AK.QJ..Q D DKDA 19/3-19/3 S undrawn",
    ],
    "drawing first": [
        # The draw brings the Nine of clubs and North the Jack of hearts; then South closes.
        "foster66 S:T.AK.KJ. N:KQJ..AT. S C9HJCTSA 46/4-10/1 S undrawn said=S:H",
        # The draw brings the Ten of diamonds.
        "russian66 S:TK.J.A.K N:.AK.QJ.Q D DTC9HTDK 18/3-24/2 S undrawn",
    ],
    "closing before drawing": [
        # A draw would bring North the Nine of trumps.
        "foster66 S:A..K.TQJ N:TKQJ...A S DTS9 54/4-16/2 S undrawn said=S:D",
        "german66 S:Q.ATJ..Q N:T.Q..ATK S C9S9 32/3-21/3 S undrawn",
    ],
    "defeating a close": [
        # Only the Ace of diamonds keeps North short.
        "foster66 S:..AKQJ. N:TK..T.K H SQH9 38/3-51/4 S said=N:C closed=N17/2",
        # Only the Queen of trumps does.
        "german66 S:A.QJ..Q N:.T.TQ.J C STSKHAC9 21/2-30/4 S closed=N6/1",
    ],
    "playing for schneider": [
        # Diamonds win too, but North gets out of schneider.
        "schnapsen S:A..TK.K N:TK.K..Q H - 44/4-26/2 S",
        # The Ace of diamonds ends it while North has 16.
        "german66 S:TKJ..A. N:A..9.KQ C - 59/6-16/2 S",
        # North, who has closed, pays double: 4 while it is below 33.
        "russian66 S:.T.AK9. N:9..TQ.9 S HQCACJCTSAHAHJH9CKSK 11/2-13/1 S closed=N6/1",
    ],
    "playing for schwarz": [
        # The King of trumps brings 66 before North has a trick.
        "schnapsen S:.K.TK.K N:AK..A.T H - 62/6-0/0 S",
        # So do the trumps here.
        "russian66 S:.TKJ.Q. N:.Q9.T9. D HADKSACJS9SJC9DJ 56/4-0~20/0 S said=N:C closed=S0/0",
    ],
    "keeping out of schneider": [
        # A Ten led comes home.
        "schnapsen S:.K.TQ.T N:.A.K.KJ S - 20/2-52/4 S",
        # The King of clubs brings South to 33.
        "german66 S:.TK..K9 N:..AT9.Q D - 30/5-48/3 S",
    ],
    "keeping out of schwarz": [
        # The Jack of clubs keeps the cards that win a trick.
        "schnapsen S:.AQ.TJ.J N:TK.K..Q C SQCK 0/0-53/4 S DA",
        # The Ace of spades is a trick, and so is the King of trumps.
        "german66 S:A.AK.K.AK N:.Q.TQ.T9 D CQD9 0/0-36/5 S ST",
    ],
    "last trick": [
        # Who wins the last trick wins the deal.
        "schnapsen S:Q..TKJ. N:.T.AQ.K S - 52/5-21/1 S",
        # The ten of the last trick brings South home.
        "russian66 S:Q.T9.9. N:AT.K.Q. D - 40/5-39/3 S",
    ],
    "counting": [
        # North comes to 32 or to 33.
        "russian66 S:Q.ATK.. N:9..AJ.K S - 45/5-30/3 S",
        "schnapsen S:A...TKJ N:.TJ.T.A C - 29/2-51/4 S said=N:D",
    ],
}
"""For each theme positions in which it holds, and what the right choice is about there."""

NEARLY: dict[str, list[str]] = {
    "ducking": [
        # With twenty more the Jack of spades wins the trick and the deal.
        "foster66 S:KJ..KJ.9 N:Q.T..TJ S - 50/4-50/3 S HQ",
        # With twenty more for North the King must be taken.
        "russian66 S:K.T.AJ.Q N:A.K.TQ. H - 29/3-49/4 S DK",
    ],
    "unblocking": [
        # Any diamond will do: nothing hangs on the one that it frees.
        "schnapsen S:Q..TKJ. N:.TQ.A.K S - 52/5-21/1 S",
        # A heart that nothing frees is lost as well.
        "german66 S:.J9.Q.Q N:.A..ATK D - 55/5-21/3 S",
        # The Ace brings the points that end the deal: Queen and Jack lack only those.
        "russian66 S:K..J.AQJ N:AT..TK.9 D - 56/6-7/1 S",
    ],
    "exit": [
        # With twenty more the Ace of hearts is right as well.
        "german66 S:K.AJ..Q N:TQ.Q.Q. S - 65/5-36/3 S",
        # The Ace of spades, which keeps the lead, is right.
        "foster66 S:AQ.T..Q N:K.A9..K C STC9 47/3-37/4 S said=S:H closed=N26/2",
    ],
    "throw-in": [
        # Without the Ace of spades North may well lead them.
        "schnapsen S:TQJ..J. N:K.AT..K H - 61/5-33/1 S said=N:D",
        # North trumps the Ten of diamonds, but to lead then costs nothing.
        "foster66 S:..T9.TQ N:9.A..AJ S - 53/5-20/3 S",
    ],
    "forcing out a trump": [
        # North can follow to a spade.
        "schnapsen S:ATK..J. N:Q..A.AK D - 19/2-45/4 S",
        # The Ace of spades wins, and is right as well.
        "russian66 S:A.KJ..Q N:KQ..Q.K C DKCJ 61/3-39/4 S said=S:H closed=N30/1",
    ],
    "drawing trumps": [
        # With twenty more the Queen of diamonds is right as well.
        "schnapsen S:T.AT.Q. N:Q..TJ.A S - 65/4-15/2 S",
        # The Ace to lead is a plain one.
        "german66 S:K.A.TK. N:.T..TKQ C - 57/6-27/2 S said=S:D",
        # North's Jack of trumps is drawn, but it would do no harm.
        "schnapsen S:K.TQJ..T N:.A.ATK.J C - 52/3-21/2 S said=S:H",
    ],
    "sure tricks first": [
        # The Ten of clubs loses its points, and not just the lead.
        "russian66 S:A.AT..T N:T.K.Q9. D - 53/4-48/4 S said=S:S;N:H",
        # With twenty more for North a spade is right as well.
        "german66 S:QJ...A9 N:K.K.Q.K D - 65/6-44/2 S",
    ],
    "taking the trick": [
        # A Nine or Jack of clubs may be thrown instead.
        "foster66 S:..KQ.KJ9 N:9.KJ..Q D - 38/3-57/4 S SQ",
        # The Queen of hearts may be thrown instead.
        "schnapsen S:T.AQ..AT N:A.TK.K. S SQSJ 5/1-34/3 S CJ",
        # A Ten led is no poor trick.
        "foster66 S:AKJ... N:Q.K.. C - 22/3-64/6 S ST",
        # The King of spades does as well as the Ace or Ten of trumps.
        "schnapsen S:K.Q.AT.Q N:A.K.K.T D CAHADQDJ 12/1-18/2 S SQ",
    ],
    "saving a trump": [
        # A trump is right.
        "schnapsen S:.AQ..QJ N:AK..A.T C - 51/5-14/1 S",
        # With twenty more the King of trumps is right.
        "german66 S:K.AJ..Q N:TQ.Q.Q. S - 65/5-36/3 S",
        # The Ace of trumps is kept, but a card that counts nothing would do in its place.
        "schnapsen S:J..K.A N:K.J.Q. C - 41/3-53/4 S",
    ],
    "winning cheaply": [
        # The Ten wins; the cheaper King and Queen are wrong.
        "schnapsen S:T.TKQ.T. N:.AJ..TQ H - 21/2-52/3 S CK said=N:C",
        # The Ace is right as well as the Nine.
        "russian66 S:K...AKQ9 N:AQ.Q..J C - 25/3-50/4 S DK",
    ],
    "bringing points home": [
        # The Ace brings the most and is wrong.
        "schnapsen S:.Q.AKJ.T N:.A.T.AK D - 19/2-25/3 S ST",
        # The Nine does as well as the King.
        "russian66 S:K.KQ9..TQ N:T.T.TK.A H - 51/4-9/2 S DA said=S:S",
        # Queen and Jack of trumps lose by more than the points they lack.
        "schnapsen S:T..AQJ.Q N:AK.T..T D SQHKDTDK 5/1-28/2 S SJ",
    ],
    "throwing cheaply": [
        # The King costs more than its points.
        "foster66 S:TK9.T..KJ N:J.Q..ATQ S - 27/2-23/4 S SA",
        # The Ten costs the deal, points or not.
        "schnapsen S:TQ.TQ.Q. N:.K..ATQ H - 59/4-13/1 S HA said=S:S",
    ],
    "guarding a Ten": [
        # North has not the Ace of diamonds.
        "schnapsen S:.K.TK.K N:AK.A..T H - 62/6-0/0 S",
        # The King of spades is right.
        "russian66 S:TK.AQ.. N:A.9.Q.9 D HKCADKHTCKD9 27/3-18/2 S closed=N6/2",
    ],
    "keeping to take": [
        # The trumps are right, and there is nothing to keep them for.
        "schnapsen S:.AQ..QJ N:AK..A.T C - 51/5-14/1 S",
        # Without the Jack of hearts North has but one trump: the Ten is right too.
        "foster66 S:TK.T..9 N:.Q.TQ.J H HAH9 49/3-18/4 S closed=S18/4",
    ],
    "holding back the marriage": [
        # North, with the Ace of clubs, must not get in: declare at once.
        "foster66 S:.KQ.A.T N:T.T..AK C - 26/3-31/5 S",
        # With twenty more it is shown at once.
        "foster66 S:.KQ.A.T N:T.AT..K C - 46/3-31/5 S",
        # The marriage is not declared later either: the Ace of trumps and others do without.
        "schnapsen S:Q.K.KQ.A N:T.AT.T.K C HQDJDACJ 37/2-55/1 S said=S:S;N:C",
    ],
    "declaring in time": [
        # The marriage can wait.
        "foster66 S:Q.A.KQ. N:.K.AT.A D HQD9 25/2-35/5 S closed=N13/1",
        # A heart without a word does as well.
        "schnapsen S:K.TKQ..K N:..TK.ATQ S - 26/2-51/3 S said=N:D",
    ],
    "King or Queen": [
        # With twenty more either will do.
        KING_OR_QUEEN.format(38),
        "schnapsen S:.QJ.KQ.T N:ATJ.K..A C HTCQ 40/2-27/2 S",
    ],
    "keeping the pair": [
        # The King is of spades, and makes no pair.
        "schnapsen S:K.Q.TKQ. N:Q.A..AT H DJHJ 13/1-42/3 S CJ",
        # The stock is gone, and a marriage counts no more.
        "german66 S:..A.ATKQ N:K.TK9.J. H - 30/3-31/4 S",
    ],
    "keeping out a marriage": [
        # North has the King of clubs without the Queen.
        "foster66 S:AT.KJ..A N:Q.A.A.KJ H - 59/3-52/4 S said=S:H;N:D",
        # North has King and Queen of hearts, but a marriage counts no more.
        "german66 S:A.9..K N:.KQ..Q C - 71/5-24/4 S",
        # North would declare the royal marriage, but wins without it too.
        "schnapsen S:T.TK..T N:..KQJ.Q D - 53/4-41/2 S said=N:C",
    ],
    "showing": [
        # North has not the Ace: the Queen may be led as well.
        "schnapsen S:T.KQ.T. N:.T..ATQ H - 27/3-52/3 S said=N:C",
        "foster66 S:TK.KQ.Q. N:A..AT.AK H - 37/6-32/1 S said=N:C",
    ],
    "announcing": [
        # The Ace of spades, which North must follow to, does as well.
        "russian66 S:AK..Q.J N:T.Q.A.K H - 68/5-44/3 S said=S:S;N:C",
        # So does the King of clubs.
        "foster66 S:T..TK.K N:.KJ.A.9 H - 66/5-29/3 S said=S:D",
    ],
    "taking the turn-up": [
        # The Ten of spades or hearts does as well.
        "foster66 S:T.Q.K9.Q N:9.K.TJ.K D SKSADADQ 39/4-12/1 S closed=S12/1",
        "foster66 S:.TQ.K9.Q N:.K9.TJ.K D SKSADADQ 39/4-12/1 S closed=S12/1",
    ],
    "late exchange": [
        # The stock is open and four cards are left: that is early.
        "schnapsen S:Q.AQ.QJ. N:K.TK.T.K D DKCTCQDA 25/2-13/1 S",
        # It is late, but not needed.
        "foster66 S:T.Q.K9.Q N:9.K.TJ.K D SKSADADQ 39/4-12/1 S closed=S12/1",
    ],
    "leaving the turn-up": [
        # Without a trick nobody may exchange after Foster.
        "foster66 S:TK9.A.TJ. N:AJ..A.AT S CJDKD9CKHKHTH9CQDQSQ 0/0-5/1 S C9 closed=N0/0",
        # With twenty more the exchange does no harm.
        "foster66 S:AT9..K.T9 N:K.TQ.A.AJ C DTSQSJCQ 29/2-17/2 S",
    ],
    "playing for the turn-up": [
        # The Ten is of spades: a diamond must win the trick.
        "schnapsen S:T..ATK.Q N:K.Q..AJ H DQHJ 14/1-41/3 S DJ",
        # With twenty more for North a trump must win it.
        "german66 S:AQ..T9.KJ N:..QJ.AT9 D SKDK 27/2-49/3 S H9",
        # It matters who draws the turn-up, and South wins the trick either way.
        "foster66 S:TJ.T.TK.Q N:AK.Q9.Q. H CJHK 31/1-60/4 S SQ said=S:C;N:S",
        # The trick is left to North, but not for the sake of the Ace of trumps.
        "schnapsen S:K.Q.J.AJ N:.T.TK.T D CQDA 14/1-32/3 S CK",
    ],
    "closing to force following": [
        # Closing is right, but not because of following suit.
        "schnapsen S:A.T.ATQ. N:TQ.A..AK D HKDK 5/1-63/3 S said=N:SC",
        "russian66 S:Q.ATJ..Q N:T.Q..ATK S C9S9 32/3-21/3 S undrawn",
    ],
    "closing for schneider": [
        # With twenty more North is out of schneider, and closing is right all the same.
        "schnapsen S:J.AQJ..A N:AK.T.J.T C DACJ 21/2-40/2 S",
        "russian66 S:A.AK.K.T N:T.TQ..AQ H DAH9 25/4-27/2 S undrawn",
    ],
    "closing for schwarz": [
        # With the stock open the deal would be lost: closing does more than make it schwarz.
        "german66 S:.QJ.AJ.QJ N:.ATK.T.AK H S9H9 47/5-0/0 S",
        # North holds a guard to the Ten.
        "german66 S:.TJ.AJ.QJ N:.AK.TQ.AK H S9H9 47/5-0/0 S",
    ],
    "refusing to close": [
        # With twenty more closing is right as well.
        "schnapsen S:.TKQ.K.J N:AT.A.QJ. D HJDT 55/3-13/1 S",
        # Closing fails by far: it does not tempt.
        "foster66 S:TQ.T.T.A N:AK.QJ..Q D DKDA 19/3-19/3 S undrawn",
    ],
    "drawing first": [
        # South draws, and does not close then.
        "foster66 S:J.AK.KJ. N:TKQ..AT. S C9HJCTSA 46/4-10/1 S undrawn said=S:H",
        # To close at once is right as well.
        "russian66 S:T.AJ.A.K N:K.K.QJ.Q D DTC9HTDK 18/3-24/2 S undrawn",
    ],
    "closing before drawing": [
        # With a diamond for its Jack of trumps North may draw: that is right as well.
        "foster66 S:A..K.TQJ N:TKQ..J.A S DTS9 54/4-16/2 S undrawn said=S:D",
        # With twenty more for North only drawing is right.
        "german66 S:Q.ATJ..Q N:T.Q..ATK S C9S9 32/3-41/3 S undrawn",
    ],
    "defeating a close": [
        # The Ten of spades does it as well.
        "foster66 S:T..AKQ. N:K..TJ.K H SQH9 38/3-51/4 S said=N:C closed=N17/2",
        # North succeeds whatever is led.
        "german66 S:A.QJ..Q N:.T.TQ.J C STSKHAC9 21/2-50/4 S closed=N6/1",
    ],
    "playing for schneider": [
        # A wrong lead loses the deal.
        "schnapsen S:AK..K.K N:T.K.T.Q H - 44/4-26/2 S",
        # North has 36.
        "german66 S:TKJ..A. N:A..9.KQ C - 59/6-36/2 S",
    ],
    "playing for schwarz": [
        # A wrong lead loses the deal.
        "russian66 S:.TKJ.Q. N:Q.9.T9. D HADKSACJS9SJC9DJ 56/4-0~20/0 S said=N:C closed=S0/0",
        # North gets a trick whatever is led.
        "schnapsen S:.K.TK.K N:AK.A..T H - 62/6-0/0 S",
    ],
    "keeping out of schneider": [
        # With twenty more the deal is won.
        "schnapsen S:.K.TQ.T N:.A.K.KJ S - 40/2-52/4 S",
        # It is won with the Ace of diamonds too.
        "german66 S:.T.A.K9 N:.K.T9.Q D - 30/5-48/3 S",
        # All that is worse is to close, and a close that fails costs 2 whatever South has.
        "foster66 S:TKJ9..Q.Q N:Q.AT.TK9. H DJCKCTH9 40/3-4/1 S",
    ],
    "keeping out of schwarz": [
        # South gets a trick with the Ace of spades too, but stays in schneider.
        "german66 S:A.AK.K.AK N:Q..TQ.T9 D CQD9 0/0-36/5 S ST",
        # South wins the deal.
        "russian66 S:AK.AT..K9 N:T.QJ9.J. C - 0/0-52/6 S CA",
    ],
    "last trick": [
        # With twenty more South does not need it.
        "russian66 S:Q.T9.9. N:AT.K.Q. D - 60/5-39/3 S",
        # South shows a marriage.
        "schnapsen S:KQ..TJ. N:.T.AQ.K S - 52/5-21/1 S",
    ],
    "counting": [
        # A wrong lead loses more than three card points.
        "russian66 S:Q.AT.K. N:9..AJ.K S - 45/5-30/3 S",
        "german66 S:AK..Q9.TQ N:J.AK.J.A D - 30/1-38/5 S DA said=S:S",
    ],
}
"""For each theme decisions in which it does not hold, and what is different there."""


@cache
def solved(line: str) -> Report:
    """The finished report on a line."""
    return report(parse_position(line))


def pairs(lines: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(theme, line) for theme, listed in lines.items() for line in listed]


@pytest.mark.parametrize(("theme", "line"), pairs(HOLDS))
def test_it_holds(theme: str, line: str) -> None:
    assert theme in themes_of(solved(line))


@pytest.mark.parametrize(("theme", "line"), pairs(NEARLY))
def test_it_nearly_holds(theme: str, line: str) -> None:
    assert spot(solved(line)) is not None
    assert theme not in themes_of(solved(line))


def test_every_theme_has_its_examples_and_a_sentence() -> None:
    for lines in (HOLDS, NEARLY):
        assert list(lines) == list(NAMES)
        assert all(len(listed) >= 2 for listed in lines.values())
    assert all(sentence.endswith(".") for sentence in NAMES.values())
    assert len(set(NAMES.values())) == len(NAMES)


# ------------------------------------------------------------------------------------- on a stream


def stream(seed: int) -> Iterator[Position]:
    """Late positions of random deals of every variant, some of them in closed hands."""
    rng = Random(f"themes {seed}")
    while True:
        for row in VARIANTS.values():
            start = replace(deal(row, rng, pone=rng.randrange(2)), carry=rng.choice([0, 0, 0, 1]))
            played = at_random(start, rng, without="66 !" if rng.random() < 0.3 else "66 ! cl")
            late = [p for p in played if p.over is None and len(legal_moves(p)) > 2]
            late = [p for p in late if len(p.stock) <= 4 or p.closed is not None]
            if late:
                yield rng.choice(late)


RARE = {
    "unblocking": 50,
    "throw-in": 133,
    "forcing out a trump": 69,
    "King or Queen": 538,
    "taking the turn-up": 279,
    "late exchange": 295,
    "leaving the turn-up": 481,
    "defeating a close": 159,
    "counting": 7,
}
"""Themes that come up in less than one position of 200, and a stream that has one early."""


@pytest.fixture(scope="module")
def decisions() -> list[tuple[Position, tuple[str, ...]]]:
    """Positions of a stream where some choice is wrong, and their themes."""
    rare = [position for seed in RARE.values() for position in islice(stream(seed), 10)]
    found = [(each, report(each)) for each in (*islice(stream(1), 320), *rare)]
    return [(each, themes_of(known)) for each, known in found if spot(known) is not None]


def test_every_theme_comes_up(decisions: list[tuple[Position, tuple[str, ...]]]) -> None:
    count = {theme: sum(theme in themes for _, themes in decisions) for theme in NAMES}
    assert [theme for theme in NAMES if not count[theme]] == []
    assert [theme for theme in NAMES if count[theme] > len(decisions) / 3] == []
    assert sum(bool(themes) for _, themes in decisions) > len(decisions) / 2


def test_themes_come_in_the_order_of_their_names(
    decisions: list[tuple[Position, tuple[str, ...]]],
) -> None:
    order = list(NAMES)
    for _, themes in decisions:
        assert list(themes) == sorted(themes, key=order.index)


def test_the_side_to_move_makes_no_difference(
    decisions: list[tuple[Position, tuple[str, ...]]],
) -> None:
    for position, themes in decisions[::2]:
        assert themes_of(report(swap_sides(position))) == themes


def test_the_names_of_the_suits_make_no_difference(
    decisions: list[tuple[Position, tuple[str, ...]]],
) -> None:
    rng = Random(24)
    orders = list(permutations(range(4)))
    for position, themes in decisions[1::2]:
        assert themes_of(report(renamed(position, rng.choice(orders)))) == themes


@pytest.mark.parametrize("theme", ["exit", "ducking", "closing for schneider", "keeping the pair"])
def test_no_name_of_a_suit_changes_a_hand_picked_theme(theme: str) -> None:
    for line in HOLDS[theme][:2]:
        position = parse_position(line)
        for names in permutations(range(4)):
            assert theme in themes_of(report(renamed(position, names)))


# ------------------------------------------------------------------------------ against the search


class Look:
    """A decision as the test sees it, searched apart from the report."""

    def __init__(self, position: Position) -> None:
        self.position, self.me = position, position.turn
        self.solver = DoubleDummy()
        self.values = {each: self.value(play_answer(position, each)) for each in whole(position)}
        self.most = max(self.values.values())
        self.best = [answer for answer, value in self.values.items() if value == self.most]
        self.worse = [answer for answer, value in self.values.items() if value < self.most]

    def value(self, position: Position) -> int:
        return self.solver.value_for(self.me, position)

    def wins(self, answer: Answer) -> bool:
        led, card = self.position.led, played(answer)
        beats = self.position.variant.beats
        return None not in (led, card) and beats(card or 0, led or 0, self.position.trump)

    def trump(self, answer: Answer) -> bool:
        card = played(answer)
        return card is not None and suit_of(card) == self.position.trump

    def ending(self) -> bool:
        """Whether nobody draws after any of the best choices."""
        return not any(play_answer(self.position, each).open_stock for each in self.best)

    def replies(self, answer: Answer) -> dict[int, bool]:
        """The cards that may be played to a card led, and whether each of them beats it."""
        after = play_answer(self.position, answer)
        beats = self.position.variant.beats
        return {
            move.card: beats(move.card, played(answer) or 0, after.trump)
            for move in legal_moves(after)
            if move.kind is Kind.CARD and move.card is not None
        }

    def levels(self) -> set[int]:
        """What the choices are worth without what is carried."""
        carry = self.position.carry
        return {value - carry if value > 0 else value + carry for value in self.values.values()}

    def top(self) -> int:
        """The best of these levels, halved where a failed closer pays double."""
        closed, double = self.position.closed, self.position.variant.failed_close == "double"
        north_pays = double and closed is not None and closed.side != self.me
        return max(self.levels()) // 2 if north_pays else max(self.levels())

    def all_end(self, *kinds: Kind) -> bool:
        return all(answer[-1].kind in kinds for answer in self.best)

    def costs(self, move: object) -> bool:
        """Whether a move is possible, and every choice with it is worse than the best."""
        having = [answer for answer in self.values if move in answer]
        return bool(having) and all(answer in self.worse for answer in having)


def whole(position: Position) -> Iterator[Answer]:
    """Every way to choose, as one answer that ends with the choice.

    Without a wrong announcement, and without a marriage card led in silence.
    """
    moves = DoubleDummy().evaluate_moves(position)
    for move in moves:
        if move.kind is Kind.CARD and replace(move, kind=Kind.MARRIAGE) in moves:
            continue
        if move.kind in (Kind.CLOSE, Kind.EXCHANGE):
            for rest in whole(play(position, move)):
                yield (move, *rest)
        else:
            yield (move,)


def zugzwang(look: Look) -> bool:
    """Whether the other side, once it has the lead, would be better off without it."""
    for answer in look.best:
        after = play_answer(look.position, answer)
        ends = [after]
        if look.position.led is None:
            values = {move: look.value(play(after, move)) for move in legal_moves(after)}
            least = min(values.values())
            ends = [play(after, move) for move, value in values.items() if value == least]
        for end in ends:
            if end.turn == look.me or look.value(replace(end, turn=look.me)) >= look.value(end):
                return False
    return True


def a_few_points_matter(look: Look) -> bool:
    """Whether three card points more or less, for either side, change what a choice is worth."""
    position = look.position
    for south, north in ((3, 0), (-3, 0), (0, 3), (0, -3)):
        mine, theirs = position.card_points
        points = (max(0, mine + south), max(0, theirs + north))
        if Look(replace(position, card_points=points)).values != look.values:
            return True
    return False


def has_pair(position: Position, side: int) -> bool:
    return bool(marriages(position.hands[side]))


def holds_a_guarded_ten(position: Position) -> bool:
    mine, theirs = (position.hands[side] for side in (position.turn, 1 - position.turn))
    tens = [suit for suit in range(4) if mine >> suit * 8 + 6 & 1 and theirs >> suit * 8 + 7 & 1]
    return any(mine >> suit * 8 & 0b00111111 for suit in tens)


DENIED: dict[str, Callable[[Look], bool]] = {
    "ducking": lambda look: any(map(look.wins, look.values)) and not any(map(look.wins, look.best)),
    "unblocking": lambda look: (
        look.ending() and len({suit_of(played(answer) or 0) for answer in look.best}) == 1
    ),
    "exit": lambda look: (
        look.ending()
        and look.position.led is None
        and all(any(look.replies(answer).values()) for answer in look.best)
        and any(not any(look.replies(answer).values()) for answer in look.worse)
    ),
    "throw-in": zugzwang,
    "forcing out a trump": lambda look: not any(map(look.trump, look.best)) and look.ending(),
    "drawing trumps": lambda look: all(map(look.trump, look.best)) and look.ending(),
    "sure tricks first": lambda look: (
        look.position.led is None
        and not any(beats for answer in look.best for beats in look.replies(answer).values())
    ),
    "taking the trick": lambda look: all(map(look.wins, look.best)),
    "saving a trump": lambda look: (
        any(map(look.trump, look.worse)) and not any(map(look.trump, look.best))
    ),
    "winning cheaply": lambda look: (
        all(map(look.wins, look.best)) and any(map(look.wins, look.worse))
    ),
    "bringing points home": lambda look: (
        all(map(look.wins, look.best)) and any(map(look.wins, look.worse))
    ),
    "throwing cheaply": lambda look: (
        look.position.led is not None and not any(map(look.wins, look.best))
    ),
    "guarding a Ten": lambda look: holds_a_guarded_ten(look.position),
    "keeping to take": lambda look: all(played(answer) is not None for answer in look.best),
    "holding back the marriage": lambda look: (
        has_pair(look.position, look.me) and not any(a[-1].kind in SAID for a in look.best)
    ),
    "declaring in time": lambda look: look.all_end(Kind.MARRIAGE),
    "King or Queen": lambda look: any(
        answer[-1].kind is Kind.MARRIAGE and len(look.replies(answer)) for answer in look.best
    ),
    "keeping the pair": lambda look: (
        has_pair(look.position, look.me)
        and (look.position.variant.marriage_late or look.position.open_stock)
    ),
    "keeping out a marriage": lambda look: (
        has_pair(look.position, 1 - look.me) or look.position.open_stock
    ),
    "showing": lambda look: look.all_end(Kind.SHOW),
    "announcing": lambda look: (
        look.all_end(Kind.CLAIM) and look.position.card_points[look.me] >= 66
    ),
    "taking the turn-up": lambda look: all(EXCHANGE in answer for answer in look.best),
    "late exchange": lambda look: (
        (
            all(EXCHANGE in answer for answer in look.best)
            and not (look.position.led is None and look.position.open_stock)
        )
        or len(look.position.stock) == 2
    ),
    "leaving the turn-up": lambda look: look.costs(EXCHANGE) and may_exchange(look.position),
    "playing for the turn-up": lambda look: (
        len(look.position.stock) == 2 and not any(map(look.wins, look.best))
    ),
    "closing to force following": lambda look: all(CLOSE in answer for answer in look.best),
    "closing for schneider": lambda look: (
        all(CLOSE in answer for answer in look.best) and max(look.levels()) == 2
    ),
    "closing for schwarz": lambda look: (
        all(CLOSE in answer for answer in look.best) and max(look.levels()) == 3
    ),
    "refusing to close": lambda look: look.costs(CLOSE),
    "drawing first": lambda look: (
        look.costs(CLOSE)
        and look.value(play_answer(look.position, (*look.best[0], CLOSE))) == look.most
    ),
    "closing before drawing": lambda look: look.position.undrawn and look.costs(DRAW),
    "defeating a close": lambda look: (
        len(look.best) == 1
        and look.most > 0
        and look.position.closed is not None
        and look.position.closed.side != look.me
    ),
    "playing for schneider": lambda look: look.top() == 2 and min(look.levels()) > 0,
    "playing for schwarz": lambda look: look.top() == 3 and min(look.levels()) > 0,
    "keeping out of schneider": lambda look: max(look.levels()) == -1 and -2 in look.levels(),
    "keeping out of schwarz": lambda look: -3 < max(look.levels()) < 0 and -3 in look.levels(),
    "last trick": Look.ending,
    "counting": a_few_points_matter,
}
"""What has to be so where a theme is named, found out by a search of the test's own."""
SAID = (Kind.MARRIAGE, Kind.SHOW)


def test_search_denies_no_theme(decisions: list[tuple[Position, tuple[str, ...]]]) -> None:
    assert list(DENIED) == list(NAMES)
    for position, themes in decisions:
        look = Look(position) if themes else None
        for theme in themes:
            assert look is not None
            assert DENIED[theme](look), (theme, format_position(position))


def test_what_may_not_be_together_is_not(
    decisions: list[tuple[Position, tuple[str, ...]]],
) -> None:
    closing = {"closing to force following", "closing for schneider", "closing for schwarz"}
    apart = [
        ({"ducking"}, {"taking the trick", "winning cheaply", "bringing points home"}),
        ({"exit"}, {"sure tricks first"}),
        ({"drawing trumps"}, {"forcing out a trump", "saving a trump"}),
        ({"holding back the marriage"}, {"declaring in time", "King or Queen", "showing"}),
        ({"refusing to close", "drawing first"}, {*closing, "closing before drawing"}),
        ({"refusing to close"}, {"drawing first"}),
        ({"leaving the turn-up"}, {"taking the turn-up", "late exchange"}),
        ({"closing for schneider"}, {"closing for schwarz", "playing for schneider"}),
        ({"playing for schneider"}, {"playing for schwarz", "keeping out of schneider"}),
        ({"showing"}, {"announcing"}),
    ]
    for _, themes in decisions:
        for one, other in apart:
            assert not (one & set(themes) and other & set(themes)), themes


# ---------------------------------------------------------------------------------- cards concealed


def endings_as_seen(count: int) -> Iterator[Report]:
    """Reports on what South sees of closed hands and of the last six tricks."""
    for position in stream(3):
        settled = position.turn == SOUTH and not position.open_stock
        if settled and 3 <= position.hands[SOUTH].bit_count() <= 4:
            found = report(view(position, SOUTH))
            if spot(found) is not None:
                yield found
                count -= 1
        if not count:
            return


def test_concealed_cards_have_themes_that_fit_the_averages() -> None:
    named = 0
    for found in endings_as_seen(10):
        table, themes = found.table, themes_of(found)
        named += bool(themes)
        most = max(choice.game_points for choice in found.choices)
        better = [
            choice.answer
            for choice in found.choices
            if not choice.loss and choice.game_points > most - 0.25
        ]
        cards = [card for card in map(played, better) if card is not None]
        beats = [
            card
            for card in cards
            if table.led is not None and table.variant.beats(card, table.led, table.trump)
        ]
        trumps = [card for card in cards if suit_of(card) == table.trump]
        wrong = {
            "ducking": beats,
            "taking the trick": len(beats) < len(better),
            "saving a trump": trumps,
            "forcing out a trump": trumps,
            "drawing trumps": len(trumps) < len(better),
            "announcing": any(answer[-1].kind is not Kind.CLAIM for answer in better),
            "showing": any(answer[-1].kind is not Kind.SHOW for answer in better),
            "holding back the marriage": any(answer[-1].kind in SAID for answer in better),
            "exit": table.led is not None,
            "sure tricks first": table.led is not None,
        }
        assert not [theme for theme in themes if wrong.get(theme)], format_table(table)
    assert named >= 5


def test_with_one_layout_left_a_view_has_the_themes_of_the_position() -> None:
    """With the stock gone and every card counted South sees as much as face up.

    Where choices lose alike the card points, known face up alone, tell which is the more tempting.
    """
    compared = 0
    for position in islice(stream(4), 250):
        if position.turn != SOUTH or position.stock:
            continue
        face_up, as_seen = report(position), report(view(position, SOUTH))
        values = [choice.game_points for choice in face_up.choices if not choice.best]
        if spot(face_up) is None or len(values) != len(set(values)):
            continue
        compared += 1
        assert themes_of(face_up) == themes_of(as_seen), format_position(position)
    assert compared >= 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "theme"), [(F1, "closing for schneider"), (F2, "closing to force following")]
)
def test_the_closings_of_the_source_are_what_it_says(line: str, theme: str) -> None:
    """R. F. Foster, Sixty-Six, Closing: 13 against 32, and the count of 35."""
    themes = themes_of(report(parse_view(line), samples=20))
    assert theme in themes
    assert "holding back the marriage" in themes


def test_no_themes_without_a_wrong_choice() -> None:
    assert themes_of(solved("foster66 S:A... N:9... H - 60/6-49/5 S")) == ()


def test_a_marriage_card_led_in_silence_makes_no_decision() -> None:
    found = solved("foster66 S:.KQ.. N:..K.K H - 24/5-81/5 S")
    assert sorted(choice.best for choice in found.choices) == [False, False, True, True]
    assert themes_of(found) == ()


def test_a_report_that_is_not_finished_has_no_themes_yet() -> None:
    found = next(each for each in reports(parse_view(F1), samples=8) if each.waiting)
    with pytest.raises(ValueError, match="not finished"):
        themes_of(found)
