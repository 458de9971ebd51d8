"""The common rules of the French article for 4, 6 and 8 players, first edition: docs/rules/tock-1.md."""

from games.engine.tock.rules import Back, Centre, Every, Forward, Out, Split, Swap, Table, TockRules, pips

_LARGE = {"5": (Forward(5, over_fresh=True),), "JK": (Out(), Forward(18))}

RULES = TockRules(
    id="tock/1",
    tables={
        4: Table(teams=(2, 4)),
        6: Table(teams=(2, 3, 6), packs=2, jokers=2, cards=_LARGE),
        8: Table(teams=(2, 4, 8), packs=2, jokers=2, cards=_LARGE | {"K": (Out(), Forward(13), Centre())}),
    },
    hands=(5, 4, 4),
    dealer_moves=Every.DEAL,
    exchange=Every.DEAL,
    cards=pips(2, 3, 5, 6, 8, 9)
    | {
        "A": (Out(), Forward(1)),
        "4": (Back(4),),
        "7": (Split(7, legs=4, eats_passed=True),),
        "10": (Forward(10, next_burns=True),),
        "J": (Swap(own=True),),
        "Q": (Forward(12),),
        "K": (Out(), Forward(13)),
    },
)
