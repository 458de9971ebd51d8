"""The Spanish "Toc" article, first edition: docs/rules/toc-1.md."""

from games.engine.tock.rules import Back, Every, Forward, Out, Split, Swap, Table, TockRules, pips

RULES = TockRules(
    id="toc/1",
    tables={4: Table(teams=(2, 4))},
    hands=(5, 4, 4),
    dealer_moves=Every.DEAL,
    exchange=Every.DEAL,
    cards=pips(2, 3, 5, 6, 8, 9)
    | {
        "A": (Out(), Forward(1), Forward(11)),
        "4": (Back(4),),
        "7": (Split(7, legs=4, eats_passed=True),),
        "10": (Forward(10, next_burns=True),),
        "J": (Swap(own=True),),
        "Q": (Forward(12),),
        "K": (Out(), Forward(13)),
    },
)
