"""Official rules of the Association Shawiniganaise de Tock International, first edition: docs/rules/shawinigan-1.md."""

from games.engine.tock.rules import Back, Every, Forward, Out, Replay, Sacrifice, Split, Swap, Table, TockRules, pips

RULES = TockRules(
    id="shawinigan/1",
    tables={4: Table(teams=(2,), jokers=2)},
    hands=(5, 4, 4),
    dealer_moves=Every.DECK,
    exchange=Every.GAME,
    jumps=True,
    shelters=True,
    cards=pips(2, 3, 6, 8, 9)
    | {
        "A": (Out(), Forward(1)),
        "4": (Back(4),),
        "5": (Forward(5, any_marble=True),),
        "7": (Split(7, legs=2),),
        "10": (Forward(10), Sacrifice()),
        "J": (Swap(fresh_mover=False),),
        "Q": (Forward(12),),
        "K": (Out(), Forward(13, eats_passed=True)),
        "JK": (Out(), Forward(18), Replay()),
    },
)
