"""The "Tock air" rule sheet, first edition: docs/rules/tock-air-1.md."""

from games.engine.tock.rules import Back, Every, Forward, Out, Split, Swap, Table, TockRules, pips

RULES = TockRules(
    id="tock-air/1",
    tables={4: Table(teams=(2,))},
    hands=(5, 4, 4),
    dealer_moves=Every.DECK,
    exchange=Every.DEAL,
    throws_in=True,
    cards=pips(2, 3, 5, 6, 8, 9, 10)
    | {
        "A": (Out(), Forward(1), Forward(11)),
        "4": (Back(4),),
        "7": (Split(7, legs=4, eats_passed=True),),
        "J": (Swap(),),
        "Q": (Forward(12),),
        "K": (Out(), Forward(13)),
    },
)
