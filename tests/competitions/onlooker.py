"""What an onlooker of the public pages sees of a competition, and random changes of it.

The onlooker reads the selectors that the pages read, not those of the previews, and brings both to one normal form: the
difference that `selectors.changes.observed` describes.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tock_league.accounts.permissions import SITE
from tock_league.common import canonical, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import BracketEdge, Competition, Correction, Match
from tock_league.competitions.selectors.changes.world import world_of
from tock_league.competitions.selectors.entries import registration
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results.effective import advancing_of
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.services.changes.previews import preview_of
from tock_league.competitions.services.entries import late, returning, withdrawals
from tock_league.competitions.services.results import corrections, paper, rulings, settlement
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game

from .world import FIRST_ROUND, a_league, a_plan, a_team, a_tournament, under_way

KINDS: dict[str, tuple[TournamentPlan | None, int, int]] = {
    # how it is played, teams, and how many matches are decided at most before the changes begin
    "knockout": (a_plan(), 8, 8),
    "double_elimination": (a_plan("double_elimination"), 6, 11),
    "groups": (a_plan("groups_knockout", groups=2, qualify=2), 6, 10),
    "best": (a_plan("groups_knockout", groups=3, berths=4), 8, 9),
    "swiss": (a_plan("swiss", rounds=3), 5, 6),
    "league": (None, 4, 6),
}
CALLED = {"state", "starts_at", "table_no", "table"}  # what a call changes of a match
STATES = 9  # changes of one competition


def seen(competition: Competition) -> dict[str, Any]:
    """Return what the pages of the competition show, as plain JSON."""
    made = Competition.objects.select_related("regulations").get(pk=competition.pk)
    shown = matches.views(made.matches.all())
    entries = [view.entry for view in registration.entry_views(made)]
    slugs = {entry.pk: entry.slug for entry in entries}
    tables = {}
    if made.is_planned:
        for group, rows in standings.group_tables(made):
            tables[f"{group.stage.ordinal}.{group.ordinal}"] = rows
    else:
        tables[""] = standings.table(made)
    return {
        "state": made.state,
        "matches": {_place(view.match): _match(view, slugs) for view in shown},
        "entries": {entry.slug: {"state": entry.state, "final_rank": entry.final_rank} for entry in entries},
        "tables": {
            key: {
                row.entry.slug: {
                    "rank": row.row.rank,
                    "ordinal": row.row.ordinal,
                    "points": int(row.row.points.value),
                    "margin": int(row.row.margin.value),
                }
                for row in rows
            }
            for key, rows in tables.items()
        },
    }


def _place(match: Match) -> str:
    group = match.round.group
    return f"{group.stage.ordinal}.{group.ordinal}.{match.round.number}.{match.number}"


def _match(view: matches.MatchView, slugs: dict[int, str]) -> dict[str, Any]:
    result, table = view.effective, view.match.table
    sides = [[side.outcome, side.games, side.margin] for side in result.sides] if result.state == "decided" else []
    return {
        "seats": [slugs.get(side.entry_id or 0, "") for side in view.sides],
        "result": [result.state, result.fact, result.cause, result.ruled, sides],
        "state": view.match.state,
        "starts_at": view.starts_at.isoformat() if view.starts_at else None,
        "table_no": view.match.table_no,
        "table": table.state if table is not None and table.state in ("open", "playing") else "",
    }


def changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the difference of two views, in the form of a preview's facts."""
    found: dict[str, Any] = {}
    if before["state"] != after["state"]:
        found["state"] = [before["state"], after["state"]]
    for part in ("matches", "entries"):
        if rows := _rows(before[part], after[part]):
            found[part] = rows
    groups = {key: _rows(before["tables"].get(key, {}), after["tables"].get(key, {})) for key in after["tables"]}
    if any(groups.values()):
        found["tables"] = {key: rows for key, rows in groups.items() if rows}
    return found


def _rows(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for key in before.keys() | after.keys():
        old, new = before.get(key, {}), after.get(key, {})
        parts = {part: [old.get(part), new.get(part)] for part in old | new if old.get(part) != new.get(part)}
        if parts:
            made[key] = parts
    return made


def told(facts: dict[str, Any], instant: datetime) -> dict[str, Any]:
    """Return a preview's facts as an onlooker would see them: with times instead of seconds from now, without ratings."""
    made = {key: value for key, value in facts.items() if key != "ratings"}
    for parts in made.get("matches", {}).values():
        if isinstance(parts.get("starts_at", [None, None])[1], int):
            parts["starts_at"][1] = (instant + timedelta(seconds=parts["starts_at"][1])).isoformat()
    return made


def assert_sums(competition: Competition) -> None:
    """I12: the points of a table are those of its matches and byes, less those that rulings take from its entries."""
    world = world_of(Competition.objects.select_related("regulations").get(pk=competition.pk))
    for group, known in world.fields.items():
        rule = world.competition.regulations.points_rule
        rows = world.rows(group)
        gave = sum(meeting.points for row in rows for meeting in row.meetings)
        won = sum(meeting.outcome == "win" for row in rows for meeting in row.meetings)
        assert gave == rule.win * won
        taken = known.taken or {}  # also from entries that have been put out, which have no row
        assert sum(row.points.value for row in rows) == gave - sum(taken.get(row.entry, 0) for row in rows)


def assert_places(cup: Competition) -> None:
    """I11: an entry in a bracket's match came there by the result that counts for places, or was left there although a
    ruling changed the result."""
    for edge in BracketEdge.objects.filter(from_match__competition=cup).select_related("from_match", "to_match"):
        made = advancing_of(edge.from_match)
        seat = edge.to_match.side_rows.get(position=edge.to_position)
        if edge.to_match.versions.exists() and edge.to_match.state in ("confirmed", "reported"):
            continue  # it has been played; the tests above cover the effect of a ruling on it
        came = None
        if made.winner is not None:
            position = made.winner if edge.outcome == "winner" else 1 - made.winner
            if edge.only_position in (None, position):
                came = edge.from_match.side_rows.get(position=position).entry_id
        assert seat.entry_id in (came, None)


@dataclass
class History:
    """A competition in a random state, and the random changes that were made to it."""

    kind: str
    seed: int
    made: list[Callable[[], object]] = field(default_factory=list)  # what takes each change back, oldest first
    count: int = 0

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.kind}-{self.seed}")
        plan, teams, most = KINDS[self.kind]
        if plan is not None:
            later = self.dice.choice(["replay", "stand"])
            self.competition = a_tournament(teams, plan=plan, later=later, lots_seed=f"{self.kind} {self.seed}")
        else:
            self.competition = a_league(teams)
        for _ in range(self.dice.randint(1, most)):
            if not self._decide():
                break

    def _decide(self) -> bool:
        """Let somebody win a match that waits, on paper where that is how it is played."""
        if self.competition.is_planned:
            waiting = under_way(self.competition)
            if waiting:
                paper.certify(
                    by=SITE, match=waiting[0], games=[Game(self.dice.choice([0, 1]), self.dice.randint(1, 8))]
                )
            return bool(waiting)
        left = self.competition.matches.exclude(state__in=("confirmed", "awarded", "void")).order_by("pk").first()
        if left is not None:
            settlement.award(by=SITE, match=left, winner=self.dice.choice([0, 1, None]), reason="absents")
        return left is not None

    def step(self) -> str:
        """Preview a random change, make it, and compare; return what it was, "" where nothing was possible.

        Raises AssertionError where the onlooker saw something else than the preview said.
        """
        self.count += 1
        name = self.dice.choice(["ruling", "ruling", "correction", "correction", "leaving", "late", "back", "result"])
        if name == "result":
            return "result" if self._decide() else ""
        if name == "back":
            if not self.made:
                return ""
            self._compare(self.made.pop())
            return name
        act = getattr(self, f"_{name}")()
        if act is None:
            return ""
        return name if self._compare(act) else ""

    def restore(self) -> None:
        """Take every change back, newest first."""
        while self.made:
            try:
                self.made.pop()()
            except Conflict as refused:
                if refused.code != "paired":  # a late team stays once a round is paired with it
                    raise

    def _compare(self, act: Callable[[], object]) -> bool:
        """Compare what `act` does with its preview; False when it is refused."""
        before, left = seen(self.competition), list(self.made)
        try:
            shown = preview_of(self.competition, act)
        except (Conflict, Refused):
            self.made = left
            assert not changed(before, seen(self.competition))
            return False
        self.made = left
        if self.count % 4 == 0:
            assert not changed(before, seen(self.competition)), "the preview has written something"
        act()
        here = canonical.utf8(changed(before, seen(self.competition)))
        assert here == canonical.utf8(told(shown.facts, clock.now()))
        assert_sums(self.competition)
        assert_places(self.competition)
        return True

    def _decided(self) -> list[Match]:
        return list(self.competition.matches.filter(state__in=("confirmed", "awarded")).order_by("pk"))

    def _ruling(self) -> Callable[[], object] | None:
        decided = self._decided()
        if not decided:
            return None
        match, dice = self.dice.choice(decided), self.dice
        fault, position = dice.choice(["own", "other", "referee"]), dice.choice([0, 1])
        sides = [side.entry_id for side in match.side_rows.all() if side.entry_id]
        options = [
            EffectPlan("result", match.pk, None, position, fault=fault),
            EffectPlan("forfeit_match", match.pk, None, position, fault=fault),
            EffectPlan("forfeit_match", match.pk, fault=fault),
            EffectPlan("void", match.pk, fault=fault),
            EffectPlan("replay", match.pk, fault=fault),
        ]
        if match.round.group.stage.format[:5] != "knock":
            options.append(EffectPlan("points", match.pk, entry_id=dice.choice(sides), amount=dice.choice([-1, -2])))
        effect, number = dice.choice(options), f"TL-2026-{self.count:06}"

        def lift() -> object:
            lifts = rulings.effects_of(f"{number}/1", competition=self.competition)
            return rulings.apply(competition=self.competition, ruling=f"{number}/2", lifts=lifts)

        def sign() -> object:
            made = rulings.apply(competition=self.competition, ruling=f"{number}/1", effects=[effect])
            self.made.append(lift)
            return made

        return sign

    def _correction(self) -> Callable[[], object] | None:
        decided = self._decided()
        if not decided:
            return None
        match, dice = self.dice.choice(decided), self.dice
        other = dice.choice(list(self.competition.matches.order_by("pk")))
        right = dice.choice(
            [
                Right("paper", games=(Game(dice.choice([0, 1]), dice.randint(1, 8)),)),
                Right("paper", games=(Game(dice.choice([0, 1]), dice.randint(1, 8)),)),
                Right("no_show", absent=dice.choice([0, 1, None])),
                Right("reopen"),
                Right("move", other=other),
            ]
        )

        def correct() -> object:
            made = corrections._correct(SITE, match, right, "coquille", "")
            if made.reverts is None:
                self.made.append(lambda: self._take_back(made))
            return made

        return correct

    def _take_back(self, correction: Correction) -> object:
        """Take a correction back, unless a later one has done so by saying what stood before it."""
        if Correction.objects.filter(reverts=correction).exists():
            return None
        return corrections._take_back(SITE, correction, "elle était juste", "")

    def _leaving(self) -> Callable[[], object] | None:
        entries = list(self.competition.entries.filter(state="playing").order_by("pk"))
        if len(entries) < 3:
            return None
        entry, reason = self.dice.choice(entries), f"TL-2026-{self.count:06}/1"

        def disqualify() -> object:
            made = withdrawals.disqualify(by=SITE, entry=entry, reason=reason)
            self.made.append(lambda: returning.reinstate(by=SITE, entry=entry, reason=reason))
            return made

        return disqualify

    def _late(self) -> Callable[[], object] | None:
        if not self.competition.is_planned:
            return None
        team = a_team(f"Retardataires {self.count}")

        def enter() -> object:
            made = late._enter(SITE, self.competition, team, None)
            self.made.append(lambda: late._take_back(SITE, made))
            return made

        return enter


def _but_opened(start: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not restored: a round that was called meanwhile stays called, and a match that has not begun may
    have another table number, because its own may have been given to others."""
    made = {}
    for place, parts in found.get("matches", {}).items():
        called = start["matches"].get(place, {}).get("starts_at", "") is None and set(parts) <= CALLED
        if not called and set(parts) != {"table_no"}:
            made[place] = parts
    return {key: value for key, value in (found | {"matches": made}).items() if value}


def whole(kind: str, seed: int, hand: Any) -> int:
    """Run one history: its steps, and everything taken back; return how many previews were compared."""
    hand.set(FIRST_ROUND)
    history = History(kind, seed)
    start = seen(history.competition)
    clean = True
    compared = 0
    for _ in range(STATES):
        name = history.step()
        compared += bool(name) and name != "result"
        # What was decided since stays decided, and a Swiss round that was paired since stays paired.
        paired = kind == "swiss" and history.competition.matches.count() > len(start["matches"])
        clean = clean and name != "result" and not paired
    history.restore()
    if clean:
        assert _but_opened(start, changed(start, seen(history.competition))) == {}
    return compared
