"""Where two players have met: then they are hardly one person, and games in which both sat count no more once merged."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Game
from ratings.models import ON_PAPER, RatingChange
from tock_league.accounts.models import Player
from tock_league.competitions.models import Match, RosterSpot, Side

SHOWN = 50
BEGUN = (Match.State.LIVE, Match.State.REPORTED, Match.State.CONTESTED, Match.State.CONFIRMED)


@dataclass(frozen=True)
class Meetings:
    """Where two players have met."""

    games: Sequence[str] = ()  # the public ids of games at whose table both sat
    matches: Sequence[str] = ()  # and of matches in which they were on different sides, or played on paper
    old: int = 0  # rated games whose record is no longer here

    def __len__(self) -> int:
        return len(self.games) + len(self.matches) + self.old


def meetings(one: Player, other: Player) -> Meetings:
    """Return where the two have met, at most SHOWN games and SHOWN matches, oldest first. About eight queries."""
    together = Game.objects.filter(table__seatings__player=one).filter(table__seatings__player=other)
    found = dict(together.distinct().values_list("pk", "slug"))
    rated = _rated(one) & _rated(other)
    ids = {int(source) for source in rated if source.isdigit()}
    found |= dict(Game.objects.filter(pk__in=ids - found.keys()).values_list("pk", "slug"))
    on_paper = {source.removeprefix(ON_PAPER).partition(":")[0] for source in rated if source.startswith(ON_PAPER)}
    matches = {row.slug for row in _opposed(one, other)} | on_paper
    games = [found[pk] for pk in sorted(found)]
    return Meetings(games[:SHOWN], sorted(matches)[:SHOWN], len(ids - found.keys()))


def _opposed(one: Player, other: Player) -> list[Match]:
    """Return the matches that were played, or have begun, with the two on the rosters of different sides."""
    mine, theirs = (set(RosterSpot.objects.filter(player=p).values_list("entry", flat=True)) for p in (one, other))
    found = []
    begun = Match.objects.filter(state__in=BEGUN).distinct().order_by("pk")
    rows = begun.filter(side_rows__entry__in=mine).filter(side_rows__entry__in=theirs)
    sides: dict[int, set[int]] = {}
    for match, entry in Side.objects.filter(match__in=rows, entry__isnull=False).values_list("match", "entry"):
        sides.setdefault(match, set()).add(entry)
    for row in rows:
        entries = sides.get(row.pk, set())
        if any(a != b for a in entries & mine for b in entries & theirs):
            found.append(row)
    return found


def _rated(player: Player) -> set[str]:
    """Return the sources of the rated games of a player."""
    changes = RatingChange.objects.filter(subject__key=str(player.pk), generation__state="live")
    return set(changes.values_list("source", flat=True))
