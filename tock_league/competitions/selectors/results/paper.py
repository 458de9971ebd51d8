"""Results on paper for pages: the newest statement, its signatures, and the matches that wait for a referee."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ...core.effective import ledger_of
from ...core.sheets import CAPPED, row_of
from ...models import Competition, Match, ResultEffect, ResultSignature, ResultVersion
from ..rounds.matches import MatchView, views
from ..seasons.counting import counting_of, reached_words
from .effective import counts, effects_in_force, effects_of, versions, versions_of


@dataclass(frozen=True)
class Sheet:
    """A match's newest paper."""

    version: int  # what a form sends back as `seen`; 0 while there is none
    # first to last, each as core.sheets stores it: (winner's position or None for a tie, lead), counts under a time cap
    games: tuple[tuple[int | None, ...], ...]
    signed_by: tuple[str, ...]  # in the order of signing
    positions: frozenset[int]  # the sides whose captain signed
    counts: bool  # whether it counts as a result
    at: datetime | None
    rival: tuple[tuple[int | None, ...], ...] = ()  # the games of the other side's paper, while the match is contested


NOTHING = Sheet(0, (), (), frozenset(), False, None)


def statements(match: Match) -> list[ResultVersion]:
    """Return the papers of a match, oldest first, with `signed` and `certified`; those before it was ordered again left
    out.

    Two queries.
    """
    order = effects_in_force().filter(match=match, kind=ResultEffect.Kind.REPLAY).last()
    since = order.after if order is not None else 0
    return list(versions().filter(match=match, sheet__isnull=False, version__gt=since))


def newest(match: Match) -> ResultVersion | None:
    """Return the newest of the match's papers. Two queries."""
    return next(reversed(statements(match)), None)


def counting_sheet(match: Match) -> list[tuple[int | None, ...]] | None:
    """Return the games of the match that count, in order, as core.sheets stores them; None where something else than
    games decided it, or nothing has. Three queries."""
    ledger = ledger_of(versions_of(match), effects_of(match), sides=match.sides, best_of=match.best_of)
    if ledger.whole is not None or not ledger.games:
        return None
    games = [slot for _number, slot in sorted(ledger.games.items())]
    return [tuple(row_of(slot.lines)) for slot in games]


def sheet_words(view: MatchView, games: Iterable[Sequence[int | None]]) -> str:
    """Return the games of a paper in words, first to last."""
    return "; ".join(game_words(view, game) for game in games)


def state_of(match: Match) -> str:
    """Return what the papers of an undecided match say: reported, contested, or "" while nobody has written one.

    Three queries.
    """
    waiting = [row for row in statements(match) if not counts(row, match.sides)]
    if not waiting:
        return ""
    last = waiting[-2:]
    signing = ResultSignature.objects.filter(result__in=last).values_list("side", flat=True)
    contested = len({str(row.sheet) for row in last}) > 1 and len(set(signing)) > 1
    return Match.State.CONTESTED if contested else Match.State.REPORTED


def signers(version: ResultVersion) -> list[str]:
    """Return the names under a paper, in the order of signing; for a 409 and for pages. One query."""
    rows = ResultSignature.objects.filter(result=version).select_related("signer").order_by("pk")
    return [row.signer.display_name for row in rows if row.signer is not None]


def sheet(match: Match) -> Sheet:
    """Return the newest paper of a match with who signed it. Four queries at most."""
    papers = statements(match)
    if not papers:
        return NOTHING
    last = papers[-1]
    made = _games(last)
    rivals = [_games(row) for row in papers[:-1] if _games(row) != made and match.state == Match.State.CONTESTED]
    return Sheet(
        version=last.version,
        games=made,
        signed_by=tuple(signers(last)),
        positions=frozenset(
            row.side.position for row in last.signatures.all() if row.side is not None and row.side.position is not None
        ),
        counts=counts(last, match.sides),
        at=last.recorded_at,
        rival=rivals[-1] if rivals else (),
    )


def signed_by_match(matches: Collection[Match]) -> dict[int, frozenset[int]]:
    """Return by match the `positions` of its `sheet`; matches without a paper are left out.

    Three queries, none without matches.
    """
    if not matches:
        return {}
    orders = effects_in_force().filter(match__in=matches, kind=ResultEffect.Kind.REPLAY)
    since = {order.match_id: order.after for order in orders}  # of several the last
    newest: dict[int, int] = {}
    rows = ResultVersion.objects.filter(match__in=matches, sheet__isnull=False).order_by("match", "version")
    for match, version, pk in rows.values_list("match", "version", "pk"):
        if version > since.get(match, 0):
            newest[match] = pk
    positions: dict[int, set[int]] = {match: set() for match in newest}
    signing = ResultSignature.objects.filter(result__in=newest.values())
    for match, position in signing.values_list("result__match", "side__position"):
        if position is not None:  # a referee signs for no side
            positions[match].add(position)
    return {match: frozenset(found) for match, found in positions.items()}


def game_words(view: MatchView, game: Sequence[int | None]) -> str:
    """Return a game of a paper, as core.sheets stores it, in words: who won, and by how much or with which scores."""
    winner, lead = game[0], game[1] or 0
    # Translators: a game on paper that was tied.
    name = view.sides[winner].name if winner is not None else pgettext("game", "tied")
    if len(game) == CAPPED:
        return _("%(who)s, %(scores)s (%(reached)s: %(counts)s)") % {
            "who": name,
            "scores": "\u00a0–\u00a0".join(str(score) for score in game[4:6]),
            "reached": reached_words(cap) if (cap := view.match.competition.regulations.cap) is not None else "",
            "counts": "\u00a0–\u00a0".join(str(one) for one in game[2:4]),
        }
    if winner is None or not lead:
        return name
    return f"{name}, {counting_of(view.match.competition.rules).words(lead)}"


def for_referee(competition: Competition) -> list[MatchView]:
    """Return the matches that wait for a referee: contested, or reported by one captain and not answered.

    Oldest first.
    """
    waiting = competition.matches.filter(state__in=(Match.State.CONTESTED, Match.State.REPORTED))
    return views(waiting.order_by("-state", "starts_at", "pk"))


def _games(row: ResultVersion) -> tuple[tuple[int | None, ...], ...]:
    return tuple(tuple(game) for game in row.sheet or ())
