"""A stateful test of the ratings: everything that can happen to a ladder, also in the middle of a recomputation.

One seed is one history. A recomputation consults the history between the parts of its work: there games end, rulings
are made, workers rate, the process is killed, or a second recomputation is asked for. At rest the stored rows must be
what a replay of the log gives, bit for bit, and no task may have failed. `python -m tests.soak.ratings --runs 500` runs
many seeds.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any
from unittest import mock

from games.announcements import GameVoided
from ratings import services, tasks
from ratings.models import Generation, Ladder, RatedResult, Rating, WaitingResult
from ratings.services import audit, building, generations
from tock_league.accounts.models import Player
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock
from tock_league.common.transactions import writing

LADDER = "shawinigan:2"
PART = 3  # games of a transaction of a recomputation, so that a short history has many parts


class Killed(BaseException):
    """The process of a recomputation has died."""


class Machine:
    """A history of a ladder."""

    def __init__(
        self, seed: int, at: clock.Frozen, people: list[Player], homes: list[Club], finish: Callable[..., int]
    ) -> None:
        self.dice = random.Random(seed)
        self.at, self.people, self.homes, self.finish = at, people[:9], homes, finish
        self.games: list[int] = []
        self.merged: set[int] = set()
        self.done: list[str] = []
        self.at_rest = False

    def run(self, steps: int) -> None:
        """Take `steps` steps, then come to rest and check."""
        with self._interrupted():
            for _ in range(steps):
                self.step()
                if self.dice.random() < 0.15:
                    self.rest()
            self.rest()

    def step(self) -> None:
        """Do one thing that the history calls for."""
        deeds = [
            (10, self.game), (2, self.late_game), (2, self.reverse), (2, self.void), (1, self.season), (2, self.merge),
            (1, self.separate), (6, self.rate), (4, self.recompute), (1, self.move), (1, self.expire),
        ]  # fmt: skip
        deed = self.dice.choices([deed for _n, deed in deeds], [n for n, _deed in deeds])[0]
        self.done.append(deed.__name__)
        deed()

    def game(self) -> None:
        """Let a game end now."""
        self.at.advance(hours=self.dice.choice([1, 5, 30]))
        self._play(clock.now())

    def late_game(self) -> None:
        """Let a game that ended some time ago be known now."""
        self._play(clock.now() - timedelta(hours=self.dice.choice([2, 50, 300])))

    def _play(self, when: Any) -> None:
        four = self.dice.sample(self.people, 4)  # also somebody who was merged and signs in as before
        self.games.append(self.finish(four[:2], four[2:], finished_at=when, rated=self.dice.random() < 0.9))

    def _of_log(self) -> tuple[Ladder, RatedResult] | None:
        if not self.games:
            return None
        ladder = Ladder.objects.get(key=LADDER)
        return ladder, RatedResult.objects.get(ladder=ladder, source=str(self.dice.choice(self.games)), revision=1)

    def reverse(self) -> None:
        """Let a ruling turn a result round."""
        if (found := self._of_log()) is not None:
            last = RatedResult.objects.filter(ladder=found[0], source=found[1].source).order_by("-revision")[0]
            services.revise(
                ladder=found[0], source=found[1].source, ranks=last.ranks[::-1], reason="ruling", ruling="000098"
            )

    def void(self) -> None:
        """Let a game count no more."""
        if self.games:
            with writing():
                services.log_void(GameVoided(game_id=self.dice.choice(self.games)))

    def season(self) -> None:
        """Begin a season."""
        if (ladder := Ladder.objects.filter(key=LADDER).first()) is not None:
            services.log_season(ladder=ladder, name=str(len(self.done)), at=clock.now())

    def merge(self) -> None:
        """Let two players be known as one person."""
        former, kept = self.dice.sample(self.people[3:], 2)
        if former.pk not in self.merged and kept.pk not in self.merged and services.log_merge(
            former=former.pk, kept=kept.pk
        ):  # fmt: skip
            self.merged.add(former.pk)

    def separate(self) -> None:
        """Let a merge be known as wrong."""
        if self.merged:
            former = self.dice.choice(sorted(self.merged))
            services.log_separation(former=former)
            self.merged.discard(former)

    def rate(self) -> None:
        """Let a worker rate what waits."""
        self.at.advance(seconds=2)
        if Ladder.objects.filter(key=LADDER).exists():
            services.rate_waiting(ladder_key=LADDER)

    def move(self) -> None:
        """Let somebody change clubs."""
        person = self.dice.choice(self.people)
        tie = Membership.objects.filter(player=person, home=True, until__isnull=True).select_related("club").first()
        if tie is not None:
            clubs.leave(by=person, club=tie.club)
        clubs.join(by=person, club=self.dice.choice(self.homes))

    def expire(self) -> None:
        """Let weeks pass, and the hourly task run."""
        self.at.advance(days=self.dice.choice([1, 20, 40]))
        services.expire_boards()

    def recompute(self) -> None:
        """Let a worker recompute the ladder; it may be killed."""
        if Ladder.objects.filter(key=LADDER).exists():
            try:
                services.rebuild_if_free(ladder_key=LADDER, cause="history")
            except Killed:
                self.done.append("killed")

    @contextmanager
    def _interrupted(self) -> Iterator[None]:
        """Let things happen between the transactions of a recomputation: after each part it reads, and before the switch."""
        log, write, switch = building._log, building._write_states, generations._switch

        def reading(*given: Any) -> Iterator[list[RatedResult]]:
            for part in log(*given):
                yield part
                self.meanwhile()

        def writing_states(*given: Any) -> None:
            self.meanwhile()
            write(*given)

        def switching(*given: Any) -> bool:
            self.meanwhile()
            return switch(*given)

        with ExitStack() as stack:
            stack.enter_context(mock.patch.object(building, "PART", PART))
            stack.enter_context(mock.patch.object(generations, "ATTEMPTS", self.dice.choice([1, 2])))
            stack.enter_context(mock.patch.object(building, "_log", reading))
            stack.enter_context(mock.patch.object(building, "_write_states", writing_states))
            stack.enter_context(mock.patch.object(generations, "_switch", switching))
            yield

    def meanwhile(self) -> None:
        """Do what other processes do while this one recomputes; or let it die."""
        if self.at_rest:
            return
        if self.dice.random() < 0.03:
            raise Killed
        while self.dice.random() < 0.5:
            deeds = [self.game, self.late_game, self.reverse, self.void, self.rate, self.move, self.expire]
            deed = self.dice.choice(deeds)
            self.done.append(f"({deed.__name__})")
            deed()

    def rest(self) -> None:
        """Let the workers finish, and compare everything with a replay from nothing."""
        if not Ladder.objects.filter(key=LADDER).exists():
            return
        self.at_rest = True
        self.at.advance(seconds=2)
        while services.rate_waiting(ladder_key=LADDER).resting is not None:
            pass
        tasks.rebuild_ladder(ladder_key=LADDER)  # as the sweep does while a ladder is dirty
        ladder = Ladder.objects.get(key=LADDER)
        assert ladder.dirty_from is None
        assert not WaitingResult.objects.exists()
        assert [str(found) for found in audit.differences()] == []
        stored, replayed = services.verify(ladder_key=LADDER)
        assert stored == replayed
        states = list(Generation.objects.filter(ladder=ladder).values_list("state", flat=True))
        assert states.count("live") == 1
        assert not Rating.objects.exclude(generation__in=Generation.objects.all()).exists()
        self.at_rest = False
