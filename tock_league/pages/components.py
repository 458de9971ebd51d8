"""The context of the components page: a sample for each component, in the shapes that the includes' heads list.

The samples are plain objects in place of rows: the page reads no database, so that it looks the same everywhere.
"""

from datetime import datetime, timedelta
from types import SimpleNamespace as Sample
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tock_league.arbitration.models import Ruling
from tock_league.competitions.models import Entry
from tock_league.competitions.selectors.results.fact_words import FACTS

RULES = "shawinigan/1"
TEAMS = ("Les Draveurs", "Les Vieux Pieux", "Case Huit", "Les Jokers")
PEOPLE = ("Martine Gélinas", "Réjean Lampron")


class SampleForm(forms.Form):
    """A field of each kind."""

    email = forms.EmailField(label=_("E-mail"))
    team = forms.ChoiceField(label=_("Team"), choices=[(name, name) for name in TEAMS], required=False)
    club = forms.ChoiceField(label=_("Club"), choices=[(name, name) for name in TEAMS[:2]], widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason, shown to everybody"),
        help_text=_("1 is the strongest. The draw keeps the first seeds apart as long as it can."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    agreed = forms.BooleanField(label=_("Yes, I play"), required=False)


def samples(now: datetime) -> dict[str, Any]:
    """Return the page's context; `now` is the instant around which the samples' dates lie."""
    competition = _competition(now)
    table = [_standing(number, name) for number, name in enumerate(TEAMS, 1)]
    return {
        "form": SampleForm(initial={"email": "martine@example.org"}, prefix="whole"),
        "faulty_form": SampleForm({"faulty-email": "martine"}, prefix="faulty"),
        "competition": competition,
        "made": Sample(
            lines=table,
            has_results=True,
            qualify=2,
            qualified=2,
            points_part="p-1",
            margin_part="m-1",
            pages=((1, 4), (5, 8)),
            first=1,
        ),
        "line": table[0],
        "round": Sample(matches=(), rest=8),
        "matches": [_match(competition, now, **state) for state in MATCHES],
        "bracket": _bracket(now),
        "drawn": Sample(parts=_parts()),
        "podium": [Sample(rank=rank, entry=_entry(name), name=name) for rank, name in enumerate(TEAMS[:3], 1)],
        "entries": [_entry_view(state) for state in ("pending", "accepted", "checked_in", "withdrawn")],
        "rulings": [
            Sample(ruled=Sample(superseded_by=""), last=Sample(outcome=outcome, outcome_label=outcome.label))
            for outcome in Ruling.Outcome
        ],
        "board": _board(),
        "hand": ("AH", "7S", "JD", "JK"),
        "figures": Sample(row=_row(1, TEAMS[0]), chemistry=None),
    }


def _competition(now: datetime) -> Sample:
    return Sample(
        slug="sample",
        name=gettext("Competitions"),
        rules=RULES,
        cap=None,
        is_planned=False,
        on_paper=False,
        starts_at=now + timedelta(days=2),
        entries_close_at=now + timedelta(days=1),
        check_in_from=now + timedelta(days=2, hours=-1),
        check_in_until=now + timedelta(days=2, minutes=-10),
        size=8,
    )


MATCHES: tuple[dict[str, Any], ...] = (
    {"is_decided": True, "score": "2 – 1"},
    {"is_decided": True, "score": "1 – 0", "how": FACTS["no_show"]},
    {"is_decided": True, "score": "0 – 1", "how": FACTS["adjudicated"]},
    {"table_slug": "sample", "is_live": True},
    {"table_slug": "sample", "mine": True},
    {
        "is_decided": True,
        "own": Sample(name=TEAMS[1], outcome="loss"),
        "opponents": TEAMS[0],
        "opposing_players": ", ".join(PEOPLE),
        "own_score": "0 – 1",
    },
    {"nobody_came": True},
    {"state": "void"},
    {},
)


def _match(competition: Sample, now: datetime, *, state: str = "scheduled", **more: Any) -> Sample:
    match = Sample(slug="sample", competition=competition, round=Sample(number=1), state=state, table_no=None, room="")
    usual = {
        "is_decided": False, "how": "", "is_live": False, "mine": False, "nobody_came": False,
        "table_slug": "", "games": (), "score": "",
    }  # fmt: skip
    sides = {"home": Sample(outcome="win", name=TEAMS[0]), "away": Sample(outcome="loss", name=TEAMS[1])}
    return Sample(
        match=match, title=f"{TEAMS[0]} – {TEAMS[1]}", starts_at=now, round_name="", **sides, **(usual | more)
    )


def _entry(name: str, state: str = "accepted") -> Sample:
    team = Sample(slug="sample", name=name, club=None)
    return Sample(
        slug="sample", seed=None, team=team, state=state, why="", get_state_display=lambda: Entry.State(state).label
    )


def _entry_view(state: str) -> Sample:
    spots = [
        Sample(player=Sample(slug="sample", display_name=name), is_substitute=False, here=True, confirmed=False)
        for name in PEOPLE
    ]
    return Sample(entry=_entry(TEAMS[0], state), name=TEAMS[0], spots=spots)


def _standing(rank: int, name: str) -> Sample:
    wins = 4 - rank
    return Sample(
        row=Sample(
            ordinal=rank, rank=rank, played=3, wins=wins, ties=0, losses=3 - wins, has_terms=True, has_margin=False
        ),
        name=name,
        entry=Sample(slug=f"sample-{rank}", state="playing", team=None, player=None),
        points=2 * wins,
        margin=wins * 3 - 4,
        is_own=rank == 2,
        is_out=False,
        separated_by="",
        ahead_by="",
        points_terms=[Sample(match_slug="sample", round=1, opponent=TEAMS[0], value=2 * wins, note="")],
        margin_terms=(),
        form=("win", "loss", "tie")[:rank],
        roster=[Sample(slug="sample", display_name=person) for person in PEOPLE],
        below="",
        why=(),
        left_out=(),
    )


def _parts() -> list[Sample]:
    made = [
        Sample(key=str(number), number=number, last=0, is_shown=number == 1, is_own=number == 2) for number in (1, 2)
    ]
    return [*made, Sample(key="last", number=0, last=4, is_shown=False, is_own=False)]


def _bracket(now: datetime) -> Sample:
    places = [
        Sample(seed=seed, name=name, short=name, score=3 - seed, won=seed == 1, known=True, y=36 + 39 * (seed - 1))
        for seed, name in enumerate(TEAMS[:2], 1)
    ]
    view = Sample(title=f"{TEAMS[0]} – {TEAMS[1]}", mine=False, table_slug="", match=Sample(label=""))
    node = Sample(
        view=view, places=places, slug="sample", number=1, column=1, leads_to=None, is_live=False, when=now, status="",
        label=view.title, title="", x=0, y=36, width=248, score_x=236, middle=75, caption_y=132,
    )  # fmt: skip
    column = Sample(x=124, title=_("Bracket"), nodes=[node])
    return Sample(width=252, height=144, lines=(), columns=[column])


def _row(rank: int, name: str) -> Sample:
    return Sample(
        rank=rank, name=name, score=1480, interval=120, games=24, wins=14, provisional=False, tied=False, gap=""
    )


def _board() -> Sample:
    marbles = {"0": ["h4", "t9", "r", "r"], "1": ["t18", "t46", "r", "r"], "2": ["h4", "t62", "r", "r"], "3": ["t54"]}
    return Sample(marbles=marbles, fresh=[1, 3], targets=[["t0", 0, "move"]])
