"""Swiss system without colours, first edition: entries with equal scores meet, and no two meet twice.

Page: docs/formats/swiss.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tock_league.common.numbers import is_whole

from ..contenders import Contender, contenders, digest, home_first, inputs_of, met_pairs, pair_of
from ..format import FormatError, History, NeedsRelaxing, Over, Pair, Pairing, RoundPlan
from ..kind import GROUP, MAX_ROUNDS, MOST_ENTRIES, PlanError, Settings, StagePlan, Texts
from ..matching import CRITERIA, Cost, Found, Limits, alternatives, costs, least


@dataclass(frozen=True)
class Options:
    """The settings of the format."""

    rounds: int = 5  # number of rounds
    clubs: str = "soft"  # meetings of entries of one club: "off" (free), "soft" (avoided) or "hard" (never)
    order: tuple[str, ...] = CRITERIA  # the costs, most important first; rematches are first and the lot is last

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", tuple(self.order))  # JSON has lists only
        if not is_whole(self.rounds) or not 1 <= self.rounds <= 30:
            raise ValueError("rounds is 1 to 30")
        if self.clubs not in ("off", "soft", "hard"):
            raise ValueError("clubs is off, soft or hard")
        if sorted(self.order) != sorted(CRITERIA) or self.order[0] != CRITERIA[0] or self.order[-1] != CRITERIA[-1]:
            raise ValueError(f"order holds {', '.join(CRITERIA)}; the first and the last stay in their places")


class Swiss:
    """Each round is paired from the results of the rounds before it."""

    key = "swiss/1"
    options = Options
    is_bracket = False
    all_meet = False
    pairs_as_it_goes = True
    # The strength of the opponents comes first, because not everybody meets.
    tiebreaks = ("buchholz_cut1", "buchholz", "head_to_head", "sonneborn_berger", "margin", "lots")

    def plan(self, entries: Sequence[int], options: Options) -> tuple[RoundPlan, ...]:
        """Return (): rounds depend on results. Raises FormatError for fewer than 2 entries or for doubles."""
        if len(entries) < 2:
            raise FormatError("too_few_entries", "a Swiss event needs at least two entries", "entries")
        if len(set(entries)) != len(entries):
            raise FormatError("entry_twice", "an entry is named twice", "entries")
        return ()

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the next round with its certificate, the top tables first.

        Raises FormatError: "round_unfinished", "too_few_entries", "no_bye_left" (an odd number, and all have had the
        bye), "too_many_forbidden"; NeedsRelaxing if only a rematch makes a pairing possible.
        """
        options: Options = history.options
        self.plan(history.entries, options)
        if len(history.rounds) >= options.rounds:
            return Over("all_rounds_played")
        inputs = inputs_of(history, seed, {**asdict(options), "order": list(options.order)})
        field = contenders(inputs)
        if len(field) < 2:
            raise FormatError("too_few_entries", "fewer than two entries can be paired", "entries")
        limits = _limits(inputs, met_pairs(inputs))
        cost = costs(field, limits, seed, options.order)
        found = least(field, cost, options.order)
        if found is None:
            raise _stuck(field, limits, seed)
        return _round(history, inputs, field, found, cost)

    def matches(self, entries: int, options: Options) -> tuple[int, ...]:
        """Return the number of matches of each round: half of the entries, rounded down."""
        return (entries // 2,) * options.rounds

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return points, then the organiser's criteria."""
        return ("points", *tiebreaks)

    def explain(self, pairing: Pairing) -> str:
        """Return the code of "least cost"; the round's certificate has the details."""
        return "least_cost"


def _limits(inputs: Mapping[str, Any], met: set[Pair]) -> Limits:
    forbidden, discouraged, relaxed = (
        {pair_of(*pair) for pair in inputs[key]} for key in ("forbidden", "discouraged", "relaxed")
    )
    return Limits(met, forbidden, discouraged, relaxed, inputs["options"]["clubs"])


def _stuck(field: Sequence[Contender], limits: Limits, seed: str) -> FormatError:
    """Return the error if no pairing was found, with the smallest set of rematches that allows one, if there is one."""
    if len(field) % 2 and all(entry.had_bye for entry in field):
        return FormatError("no_bye_left", "the field is odd and everybody has had the bye", "entries")
    free = Limits(limits.met, limits.forbidden, limits.discouraged, limits.met, limits.clubs)
    found = least(field, costs(field, free, seed))
    if found is None:
        return FormatError("too_many_forbidden", "the forbidden pairs leave no round", "forbidden")
    pairs = [pair_of(field[i].entry, field[j].entry) for i, j in found.pairs if j < len(field)]
    return NeedsRelaxing(tuple(sorted(pair for pair in pairs if pair in limits.met)))


def _round(
    history: History, inputs: Mapping[str, Any], field: Sequence[Contender], found: Found, cost: Cost
) -> RoundPlan:
    others = alternatives(found, cost)
    order: Sequence[str] = inputs["options"]["order"]

    def other(place: int) -> dict[str, Any] | None:
        if place not in others or place >= len(field):
            return None
        against, more = others[place]
        return {
            "entry": field[place].entry,
            "against": field[against].entry if against < len(field) else None,
            "costs": list(more),
        }

    pairs: list[dict[str, Any]] = []
    byes: list[dict[str, Any]] = []
    total = [0] * len(order)
    for i, j in sorted(found.pairs, key=lambda pair: (-_top(field, pair), pair)):
        vector = found.vectors[(i, j)]
        assert vector is not None
        total = [a + b for a, b in zip(total, vector, strict=True)]
        told = {"paid": list(vector), "alternatives": [made for at in (i, j) if (made := other(at)) is not None]}
        if j == len(field):
            byes.append({"entry": field[i].entry, "score": field[i].score, "rank": field[i].rank, **told})
            continue
        home, away = home_first(field[i], field[j], inputs["seed"])
        pairs.append(
            {
                "home": home.entry,
                "away": away.entry,
                "scores": [home.score, away.score],
                "ranks": [home.rank, away.rank],
                **told,
            }
        )
    present = {entry.entry for entry in field}
    certificate = {
        "version": 1,
        "engine": Swiss.key,
        "round": inputs["round"],
        "seed": inputs["seed"],
        "inputs": dict(inputs),
        "inputs_hash": digest(inputs),
        "scope": found.scope,
        "order": list(order),
        "weights": [str(weight) for weight in found.weights],
        "cost": total,
        "pairs": pairs,
        "byes": byes,
    }
    return RoundPlan(
        inputs["round"],
        tuple(Pairing((pair["home"], pair["away"])) for pair in pairs),
        byes=tuple(bye["entry"] for bye in byes),
        absent=tuple(entry for entry in history.entries if entry not in present),
        certificate=certificate,
    )


def _top(field: Sequence[Contender], pair: Pair) -> int:
    """Return the better score of a pair; the pair with the bye sorts last."""
    return -1 if pair[1] >= len(field) else max(field[pair[0]].score, field[pair[1]].score)


class SwissEvent:
    """The format as a whole tournament."""

    key = "swiss"
    place = 3
    most = MOST_ENTRIES
    fields = ("rounds", "clubs", "late_rounds", "late_points")

    def check(self, plan: Settings) -> None:
        """Raise PlanError if the number of rounds is out of its range."""
        if not 1 <= plan.rounds <= MAX_ROUNDS:
            raise PlanError("plan_rounds", "rounds")

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 2

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the one stage."""
        return (StagePlan(FORMAT.key, {"rounds": plan.rounds, "clubs": plan.clubs}, GROUP),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Swiss: a fixed number of rounds, always against a team with about as many points")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description with the number of rounds."""
        words = texts.ngettext("Swiss, %(rounds)s round", "Swiss, %(rounds)s rounds", plan.rounds)
        return words % {"rounds": plan.rounds}

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence on teams that come late."""
        if not plan.late_rounds:
            return [texts.gettext("No team is entered after the start.")]
        if plan.late_points == "tie":
            sentence = texts.ngettext(
                "A team that comes late may miss %(rounds)s round, which counts as a tie.",
                "A team that comes late may miss %(rounds)s rounds, each of which counts as a tie.",
                plan.late_rounds,
            )
        else:
            sentence = texts.ngettext(
                "A team that comes late may miss %(rounds)s round, which counts as lost.",
                "A team that comes late may miss %(rounds)s rounds, each of which counts as lost.",
                plan.late_rounds,
            )
        return [sentence % {"rounds": plan.late_rounds}]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match."""
        return str(plan.games(GROUP))


FORMAT = Swiss()
KIND = SwissEvent()
