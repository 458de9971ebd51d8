"""The lessons, in their order. The player has seat 0 (A), the partner seat 2 (C).

The texts follow docs/rules/shawinigan-1.md; `tests/games/test_lessons.py` plays every lesson.
"""

from django.utils.translation import gettext_lazy as _

from .parts import LEFT, ME, PARTNER, RIGHT, Lesson, Task, burns, enters_heaven, for_the_partner, has, position, splits

NONE = "r r r r"
LESSONS = (
    Lesson(
        "out",
        _("Coming out"),
        _("An ace, a king or a joker brings a marble out of your reserve onto your start."),
        position([NONE] * 4, ["KS 9D 3C 6S", "8C QD 2H 6D", "AD 8S QC 3H", "9S 2C QH 6C"]),
        (
            Task(
                _("Press the king, then your start, the marked case 18."),
                has("out", ME),
                _("Bring a marble out with the king."),
                _("Your marble is out. It is fresh until it moves: nobody eats it, swaps it or passes it."),
                "KS out",
                ("burn 2H", "AD out", "burn 2C"),
            ),
        ),
    ),
    Lesson(
        "move",
        _("Moving"),
        _(
            "2, 3, 6, 8 and 9 move one of your marbles forward by their number, the queen by 12. Count from the next case."
        ),
        position(
            ["t0 r r r", NONE, "t36 r r r", NONE],
            ["9D 3C 6S QH", "8C QD 6D 3D", "8S QC 3H 2S", "9S QS 6C 2D"],
            [ME, PARTNER],
        ),
        (
            Task(
                _("Choose a card: the board shows where it leads. Then press that case."),
                has("move", ME),
                _("Move your marble forward."),
                _("That was your turn. Then the player at your left plays, and so on, clockwise."),
                "9D t0-t9",
                ("burn 3D", "8S t36-t44", "burn 2D"),
            ),
        ),
    ),
    Lesson(
        "burn",
        _("Burning a card"),
        _(
            "Who can play a card must play one. Who can play none burns one: it goes face up on the pile, without effect."
        ),
        position(
            [NONE, "t30 r r r", "t40 r r r", "t65 r r r"], ["2H 6D 9S QC", "8C QD 6H 3D", "8S QH 3H 2S", "9D QS 6C 2D"]
        ),
        (
            Task(
                _(
                    "Your marbles are in the reserve and no card brings one out. Press the card that you want to lose, twice."
                ),
                burns,
                _("Burn a card."),
                _("The card is burned. Keep aces, kings and jokers: they bring marbles out."),
                "burn 2H",
            ),
        ),
    ),
    Lesson(
        "eat",
        _("Eating a marble"),
        _("A marble that ends its move on another one sends it back to its reserve, even a partner’s or your own."),
        position(
            ["t20 r r r", NONE, "t23 r r r", "t29 r r r"], ["3C 9D 2H QS", "8C QD 6H 3D", "8S QH 3H 2S", "9S 6D 6C 2D"]
        ),
        (
            Task(
                _("D’s marble stands nine cases in front of yours. Eat it."),
                has("eaten", RIGHT),
                _("Allowed, but here eat D’s marble: play the 9. The 3 would eat your partner’s."),
                _("Eaten: that marble of D is in the reserve and must come out again."),
                "9D t20-t29",
            ),
        ),
    ),
    Lesson(
        "seven",
        _("The 7"),
        _("The 7 moves one of your marbles seven cases, or two of them that share exactly seven steps."),
        position(
            ["t12 t30 r r", "t15 r r r", NONE, NONE], ["7C 2H 9S QD", "8C QH 6H 3D", "8S QC 3H 2S", "9D 6D 6C 2D"]
        ),
        (
            Task(
                _("Share it: press the 7, three steps for the first marble (it eats B), the rest for the other one."),
                splits,
                _("Allowed, but here share the seven between your two marbles."),
                _("Each part was played with all its effects before the next one."),
                "7C t12-t15 t30-t34",
            ),
        ),
    ),
    Lesson(
        "jack",
        _("The jack"),
        _("The jack swaps one of your marbles with another player’s. Both must be on the track and unprotected."),
        position(
            ["t5 r r r", "t62 r r r", "t40 r r r", "t66 r r r"],
            ["JD 2S 8C 9H", "8D QD 6H 3D", "8S QC 3H 2H", "9D 6D 6C 2D"],
        ),
        (
            Task(
                _("D’s marble stands four cases before your pieu, where your heaven begins. Take its place."),
                has("swap", ME, "t5", RIGHT),
                _("Allowed, but D’s place is worth more: it is close to your heaven."),
                _("Most of a lap won. B’s marble could not be swapped: on its case 8 it is protected."),
                "JD t5xt66",
            ),
        ),
    ),
    Lesson(
        "five",
        _("The 5"),
        _("The 5 moves any marble on the track five cases forward, yours or not, protected or not."),
        position(["t10 r r r", "t14 r r r", NONE, NONE], ["5H 2C 9D QS", "8D QD 6H 3D", "8S QC 3H 2H", "9S 6D 6C 2D"]),
        (
            Task(
                _("B’s marble is about to come home. Take it five cases along the track, past its pieu."),
                has("move", LEFT, "t14", "t19"),
                _("Allowed, but here move B’s marble along the track, past its heaven."),
                _(
                    "Unless a 4 takes it back, it goes round again. You could have brought it home: who plays the card chooses."
                ),
                "5H t14-t19",
            ),
        ),
    ),
    Lesson(
        "eight",
        _("Case 8"),
        _("On a case 8 a marble is protected: it is not eaten, not swapped, and no other marble may stop there."),
        position(["t20 r r r", "t23 r r r", NONE, NONE], ["6S 3C 9D QH", "3D 9H 6D QC", "8S QD 3H 2H", "9S 8D 6C 2D"]),
        (
            Task(
                _("B’s marble is behind the next case 8. Stop on it, six cases on, and be safe."),
                has("move", ME, "t20", "t26"),
                _("Allowed, but your marble is safe only on the case 8: play the 6."),
                _("B could not stop there and went past. Only a 5 lets an opponent move your marble away."),
                "6S t20-t26",
                ("9H t23-t32", "burn 2H", "burn 2D"),
            ),
        ),
    ),
    Lesson(
        "home",
        _("The 4, and heaven"),
        _(
            "The 4 takes your marble back. At your pieu, two cases before your start, it may turn into heaven if the count fits."
        ),
        position(["t0 r r r", NONE, NONE, NONE], ["4S 6H 9D QC", "8C QD 2D 6D", "8S QH 3H 2S", "9S QS 6C 3D"], [ME]),
        (
            Task(
                _("Your marble stands on its start. Take it four cases back, behind your pieu."),
                has("move", ME, "t0", "t68"),
                _("Allowed, but that is the long way round: play the 4."),
                _("No lap is counted: your marble stands two cases before its pieu already."),
                "4S t0-t68",
                ("burn 2D", "burn 2S", "burn 3D"),
            ),
            Task(
                _("Now the 6: two cases to the pieu, then four places into heaven."),
                enters_heaven,
                _("Allowed, but that passes your heaven: play the 6 into it."),
                _("In heaven for good: nothing is eaten, swapped or taken back there."),
                "6H t68-h4",
            ),
        ),
    ),
    Lesson(
        "partner",
        _("Playing for the partner"),
        _("When your four marbles are in heaven, your cards move your partner’s."),
        position(
            ["h1 h2 h3 h4", "t50 r r r", "h4 t20 r r", "t10 r r r"],
            ["8H 2C KD 9S", "8C QD 6H 3D", "8S QH 3H 2S", "9D 6D 6C 2D"],
        ),
        (
            Task(
                _("Yours are home. Play any card for C, your partner."),
                for_the_partner,
                _("Move a marble of C."),
                _("You go on to be dealt cards and to play them, for C, until the end."),
                "8H t20-t28",
            ),
        ),
    ),
    Lesson(
        "win",
        _("Winning"),
        _("The first team with its eight marbles in heaven wins, at once."),
        position(
            ["h1 h2 h3 h4", "t50 h4 r r", "h2 h3 h4 t32", "t10 h4 r r"],
            ["3C 9D 6S QH", "8C QD 6H 3D", "8S QC 3H 2S", "9S 6D 6C 2D"],
        ),
        (
            Task(
                _("C’s last marble stands two cases before C’s pieu, and the first place in heaven is free. Win."),
                has("over"),
                _("Allowed, but the 3 wins now."),
                _("Won! You know enough for a real game."),
                "3C t32-h1",
            ),
        ),
    ),
)
BY_NAME = {one.name: one for one in LESSONS}


def lesson(name: str) -> Lesson | None:
    """Return the lesson of that name, or None."""
    return BY_NAME.get(name)


def following(one: Lesson) -> Lesson | None:
    """Return the lesson that follows, None after the last one."""
    return next(iter(LESSONS[LESSONS.index(one) + 1 :]), None)
