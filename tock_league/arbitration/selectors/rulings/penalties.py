"""Findings over time: of a player, of a pair, of a competition. Quashed ones stay listed and are marked."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import QuerySet

from tock_league.accounts.minors import masked
from tock_league.accounts.models import Player
from tock_league.clubs.models import Team
from tock_league.competitions.models import Competition, RosterSpot

from ...core import penalties as law
from ...models import Ruling
from ..cases.kinds import is_shielded
from ..cases.words import infraction_words, penalty_words
from .context import running


@dataclass(frozen=True)
class PenaltyRow:
    """One finding with its penalty."""

    at: datetime  # when it was signed
    day: date  # of the act
    number: str  # of the case
    ref: str  # of the ruling
    player: Player
    competition: Competition
    row: str  # the code of the row of the penalty table
    infraction: str
    penalty: str
    penalty_label: str
    step: int  # of the row, 1 for the first finding
    in_force: bool  # not superseded


def penalties_of_player(player: Player, viewer: Player | None = None) -> list[PenaltyRow]:
    """Return the player's findings, the newest first, of games that are over; a minor's conduct to the minor alone."""
    found = _findings().filter(offender=player)
    if viewer is not None and viewer.pk == player.pk:
        return [_row(ruling, player) for ruling in found]
    return [row for row in _rows(found) if row.player.slug]


def penalties_of_pair(team: Team) -> list[PenaltyRow]:
    """Return the findings against players of the team in the competitions it entered, the newest first."""
    spots = RosterSpot.objects.filter(entry__team=team)
    pairs = set(spots.values_list("competition", "player"))
    found = _findings().filter(
        case__competition__in={competition for competition, _player in pairs},
        offender__in={player for _competition, player in pairs},
    )
    return [row for row in _rows(found) if row.player.slug and (row.competition.pk, row.player.pk) in pairs]


def penalties_of_competition(competition: Competition) -> list[PenaltyRow]:
    """Return the findings of a competition, the newest first. Two queries."""
    return _rows(_findings().filter(case__competition=competition))


def _findings() -> QuerySet[Ruling]:
    """Return findings with a penalty, without those of running games."""
    return (
        Ruling.objects.filter(offender__isnull=False, outcome=Ruling.Outcome.UPHELD, confirms__isnull=True)
        .exclude(penalty=law.NONE)
        .exclude(running("case__"))
        .select_related("case__competition", "offender", "superseded_by", "event")
        .order_by("-signed_at", "-pk")
    )


def _rows(found: QuerySet[Ruling]) -> list[PenaltyRow]:
    """Return the rows for the public: a minor's conduct under a pseudonym. One query more for each finding of conduct."""
    return [_row(ruling, _public(ruling, ruling.offender)) for ruling in found if ruling.offender is not None]


def _public(ruling: Ruling, offender: Player) -> Player:
    return masked(offender) if is_shielded(ruling) else offender


def _row(ruling: Ruling, player: Player) -> PenaltyRow:
    return PenaltyRow(
        at=ruling.signed_at,
        day=ruling.day,
        number=ruling.case.number,
        ref=ruling.ref,
        player=player,
        competition=ruling.case.competition,
        row=ruling.row,
        infraction=infraction_words(ruling.table_version, ruling.row),
        penalty=ruling.penalty,
        penalty_label=penalty_words(ruling.table_version, ruling.penalty),
        step=ruling.step,
        in_force=not hasattr(ruling, "superseded_by"),
    )
