"""Random sequences of what people try with cases: filing, judging, appealing, and playing all the while.

A sequence chooses a step that often follows in the state of a case, or any other, and lets somebody who may do it try it, or
anybody else. A step that is refused must write nothing; after a step that wrote something every promise must hold.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.core.management import CommandError

from games import store
from tock_league.arbitration.models import Case
from tock_league.common.errors import Refused

from .promises import Promises, marks, unlike
from .stage import Stage
from .steps_of_cases import Judging
from .steps_of_play import Playing

STEPS = 50
ATTEMPTS = 1_200  # a sequence that takes more has run dry
# What often follows in each state of a case.
FOLLOWS: dict[str, list[str]] = {
    "filed": ["take", "take", "take", "answer", "join", "statement", "withdraw"],
    "assigned": [
        "answer",
        "answer",
        "answer",
        "rule",
        "rule",
        "renew",
        "release",
        "escalate",
        "dismiss",
        "recuse",
        "take",
    ],
    "hearing": ["rule", "rule", "rule", "rule", "rule", "rule", "escalate", "lose_role", "dismiss", "take"],
    "triage": ["countersign", "countersign", "countersign", "agree", "disagree", "refuse_second"],
    "ruled": ["appeal", "appeal", "review", "file_again", "time"],
    "appealed": ["form_panel", "form_panel", "form_panel", "reply", "appeal", "file_again"],
    "panel_formed": ["reply", "reply", "vote", "appeal", "recuse", "fill_panel"],
    "deliberating": ["vote", "vote", "vote", "panel_rule"],
    "appeal_ruled": ["review", "appeal", "file_again", "time"],
    "final": ["review", "appeal", "file_again"],
    "superseded": ["review", "appeal", "panel_rule", "file_again"],
    "inadmissible": ["file_again", "take"],
    "withdrawn": ["file_again", "take"],
}
# What a player who is kept out tries, and everybody else too.
TAKING_PART = ["seat", "seat", "seat", "enter", "confirm", "admit", "substitute", "check_in", "report", "certify"]
AT_ANY_TIME = [
    "file",
    "file",
    "file",
    "call",
    "play",
    "resign",
    "open_table",
    "time",
    "give_role",
    "outsider",
    *TAKING_PART,
]
WEIGHTS = {"filed": 4, "assigned": 6, "hearing": 8, "triage": 8, "ruled": 4, "appealed": 8, "panel_formed": 8}
WEIGHTS |= {"deliberating": 10, "appeal_ruled": 2, "final": 2, "superseded": 1, "inadmissible": 1, "withdrawn": 1}


class Sequence50(Judging, Playing):
    """One sequence. `seen`: how often each step was made, and, as `step!code`, how often it was refused and why."""

    def __init__(self, stage: Stage, seed: int, hand: Any) -> None:
        super().__init__(stage, seed, hand)
        self.seen: Counter[str] = Counter()
        self.told: list[str] = []  # the steps so far, for the message of a failure

    def run(self) -> Counter[str]:
        """Make STEPS steps; return `seen`. Raises AssertionError with the steps that led there.

        A sequence can run dry: every case is final, every deadline is over and every table is closed. Then `seen` says so
        (`dry`), and the promises hold at its end too.
        """
        store.folded.clear()  # another sequence may have continued a game of the same key
        promises, before, made = Promises(), marks(), 0
        for _attempt in range(ATTEMPTS):
            name = self._choose()
            act = getattr(self, name)()
            if act is None:
                continue
            self.hand.advance(seconds=self.dice.randint(1, 20))
            after = self._attempt(name, act, before)
            if after is None:
                made += 1
                self._checked(promises.hold)
                after = marks()
            before = after
            if made == STEPS:
                break
        else:
            self.seen["dry"] = 1
        self._checked(promises.hold_at_the_end)
        return self.seen

    def _attempt(self, name: str, act: Callable[[], object], before: dict[str, Any]) -> dict[str, Any] | None:
        """Try a step; return the marks after it if it was refused or repeated something, None if it wrote something."""
        number = self.case.number if self.case is not None else ""
        code = ""
        try:
            act()
        except Refused as refused:
            code = refused.code
        after = marks()
        if code:
            self.seen[f"{name}!{code}"] += 1
            wrong = unlike(before, after, noted=(name, code) == ("take", "conflict"))
            assert not wrong, f"{name} was refused ({code}) and wrote to {wrong}\n{self._story()}"
            return after
        if not unlike(before, after):
            return after
        self.seen[name] += 1
        self.told.append(f"{name} {number}")
        return None

    def _checked(self, check: Callable[[], None]) -> None:
        try:
            check()
        except (AssertionError, CommandError) as broken:
            raise AssertionError(f"{broken}\n{self._story()}") from None

    def _story(self) -> str:
        return f"seed {self.seed}, {len(self.told)} steps: " + ", ".join(self.told)

    def _choose(self) -> str:
        """Choose a case and a step."""
        found = list(Case.objects.select_related("competition", "match", "game", "reviews").order_by("pk"))
        self.case = self.dice.choices(found, [WEIGHTS[case.state] for case in found])[0] if found else None
        roll = self.dice.random()
        if self.case is not None and roll < 0.66:
            return self.dice.choice(FOLLOWS[self.case.state])
        if roll < 0.84 and self.kept_out():
            return self.dice.choice(TAKING_PART)
        if self.case is not None and roll < 0.9:
            return self.dice.choice(FOLLOWS[self.dice.choice(list(FOLLOWS))])
        return self.dice.choice(AT_ANY_TIME)
