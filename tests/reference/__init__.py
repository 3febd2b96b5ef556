"""A second implementation of the games, slow and plain, to hold the first one against.

It is written from the rule book alone, imports nothing of the trainer and no other library, and
takes pains to look different: a card is a two-letter string such as ``"SA"``, a hand is a tuple of
them, a position holds plain dictionaries by side, the rules of a variant are a dictionary of words
and numbers. Nothing is packed, nothing is pruned. Where the two implementations disagree, at least
one of them misreads the rules.

Strings go in and strings come out, so that whole positions can be compared as text:

>>> start = parse("foster66 S:A..J.K N:..AT.T H - 52/6-58/2 S")
>>> moves(start)
['66', 'CK', 'DJ', 'SA']
>>> line(play(play(start, "SA"), "DA"))
'foster66 S:..J.K N:..T.T H - 74/7-58/2 S'
>>> values(start)
{'CK': -1, 'DJ': -1, 'SA': 1}

========================  =====================================================================
``sixty_six``             the Sixty-Six family: variants, the position line, legal moves, play,
                          how a deal ends
``minimax``               the value of a position and of every move, and counts of positions
``alpha_beta``            the same value for whole deals, in whole numbers that numba can compile
``positions``             random positions small enough for the above
========================  =====================================================================

A game that is no relative of Sixty-Six gets a module of its own beside ``sixty_six``.
"""

from .minimax import perft, value, values
from .positions import many_states, random_state
from .sixty_six import State, deal, line, moves, parse, play, result, sensible

__all__ = [
    "State",
    "deal",
    "line",
    "many_states",
    "moves",
    "parse",
    "perft",
    "play",
    "random_state",
    "result",
    "sensible",
    "value",
    "values",
]
