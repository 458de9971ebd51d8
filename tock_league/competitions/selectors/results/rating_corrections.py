"""The changes that a match's result requires in the rating log: games on paper, and corrections of rated games."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, QuerySet

from ratings.core.ladders import ladder_of
from ratings.models import ON_PAPER, RatedResult

from ...core.effective import PlainEffect, Version
from ...core.rated import PAPER, TIMED, PaperGame, Verdict, of_papers, verdicts
from ...models import Match, MatchGame, ResultEffect, ResultSignature, ResultVersion, RosterSpot, Side

# A game that ended when its match was decided already, or on a paper that does not stand: it belongs to no result.
OUTSIDE = Verdict("void", rated=False, reason="voided")
TICK = timedelta(microseconds=1)


@dataclass(frozen=True)
class Correction:
    """The next revision of a game in the rating log."""

    ladder: str
    source: str  # the log's name of the game
    kind: str
    ranks: tuple[int, ...]  # per team, 0 best
    rated: bool
    reason: str


@dataclass(frozen=True)
class Played:
    """A game on paper that counts and is not in the log yet, as it stands on the paper."""

    ladder: str
    source: str
    completed_at: datetime
    sides: tuple[tuple[int, ...], ...]  # player ids per team
    ranks: tuple[int, ...]  # per team, 0 best
    reason: str = PAPER


@dataclass(frozen=True)
class Logged:
    """The games at tables of some matches, each with its version, and their revisions in the rating log by source."""

    games: Sequence[MatchGame]
    log: Mapping[str, Sequence[RatedResult]]


def logged(games: Sequence[MatchGame], others: Iterable[str] = ()) -> Logged:
    """Return the games with what the rating log says about them, and about the sources `others`. One query at most."""
    sources = {str(row.game_id) for row in games} | set(others)
    found: dict[str, list[RatedResult]] = {}
    if sources:
        log = RatedResult.objects.filter(source__in=sources).select_related("ladder").order_by("source", "revision")
        for result in log:
            found.setdefault(result.source, []).append(result)
    return Logged(games, found)


def corrections_of(
    match: Match,
    versions: Sequence[Version],
    effects: Iterable[PlainEffect],
    new: Iterable[Played] = (),
    known: Logged | None = None,
) -> list[Correction]:
    """Return the corrections under these versions and effects, which may be others than those written; [] when the log
    agrees.

    Two queries, one more where there are papers, and one where older rows name no game. `new`: games that are about to
    enter the log. `known`: the games of the match without papers, which saves these two. A game that the table did not rate
    is never corrected: no ruling makes an unplayed game rated.
    """
    in_force = tuple(effects)
    said = verdicts(versions, in_force, sides=match.sides, best_of=match.best_of)
    games: dict[str, Verdict] = _on_paper(match, versions, in_force)
    played = [(row, getattr(row, "version", None)) for row in (_games_of(match) if known is None else known.games)]
    older = _without_game(match) if any(written is None for _row, written in played) else {}
    for row, written in played:
        number = written.version if written is not None else older.get(row.number)
        games[str(row.game_id)] = said.get(number, OUTSIDE) if number is not None else OUTSIDE
    log = (known or logged([row for row, _written in played], games)).log
    made = [
        _correction(log[source][0].ladder.key, log[source][0], log[source][-1], games[source], match.sides)
        for source in sorted(games.keys() & log.keys())
    ]
    for game in new:
        first = RatedResult(source=game.source, kind="result", ranks=list(game.ranks), rated=True, reason=game.reason)
        made.append(_correction(game.ladder, first, first, games[game.source], match.sides))
    return [correction for correction in made if correction is not None]


def _games_of(match: Match) -> QuerySet[MatchGame]:
    return MatchGame.objects.filter(match=match).select_related("version")


def _without_game(match: Match) -> dict[int | None, int]:
    """Return the versions of games from before a version named its game, by the game's number."""
    rows = ResultVersion.objects.filter(match=match, source=ResultVersion.Source.ENGINE, game__isnull=True)
    return dict(rows.values_list("game_number", "version"))


def _correction(ladder: str, first: RatedResult, last: RatedResult, verdict: Verdict, sides: int) -> Correction | None:
    if not first.rated:
        return None
    ranks = tuple(first.ranks)
    if verdict.winner is not None:
        ranks = _ranks(verdict.winner, sides)
    rated = verdict.rated
    if (last.kind, tuple(last.ranks), last.rated) == (verdict.kind, ranks, rated):
        return None
    reason = verdict.reason or ("ruling" if ranks != tuple(first.ranks) else first.reason)
    return Correction(ladder, first.source, verdict.kind, ranks, rated, reason)


def played_on_paper(match: Match, versions: Sequence[Version], effects: Iterable[PlainEffect]) -> list[Played]:
    """Return the games on paper that stand and are not in the log, first to last.

    No query without a paper, else five at most.

    They are dated by the signature that made the paper count, a microsecond apart, so that the ladder takes them in
    their order. Who sat: the starters when the match's paper was first written. Where a seat was empty nobody is rated.
    """
    games = [
        game
        for game in of_papers(versions, effects, sides=match.sides, best_of=match.best_of)
        if game.verdict.reason != TIMED  # such a game enters the log only once a correction says that it was finished
    ]
    if not games:
        return []
    sources = {source_of(match, game.number, game.order): game for game in games}
    known = set(RatedResult.objects.filter(source__in=sources, revision=1).values_list("source", flat=True))
    new = {source: game for source, game in sources.items() if source not in known}
    ladder = str(ladder_of(match.competition.rules, match.sides))
    made = []
    for number, effect in sorted({(game.version, game.effect) for game in new.values()}):
        signed, since = _corrected(effect) if effect else _signed(match, number)
        sides = _who_sat(match, since)
        if signed is None or sides is None:
            continue
        made += [
            Played(ladder, source, signed - (game.last - game.number) * TICK, sides, _ranks(game.winner, match.sides))
            for source, game in new.items()
            if (game.version, game.effect) == (number, effect)
        ]
    return made


def _signed(match: Match, version: int) -> tuple[datetime | None, datetime]:
    """Return when the paper got its last signature, and when the first paper of the match was written."""
    signed = ResultSignature.objects.filter(result__match=match, result__version=version).aggregate(at=Max("at"))["at"]
    paper = ResultVersion.objects.get(match=match, version=version)
    first = ResultVersion.objects.filter(match=match, sheet__isnull=False, order=paper.order_id).order_by("version")[0]
    return signed, first.recorded_at


def _corrected(effect: int) -> tuple[datetime, datetime]:
    """Return when the match was played on the paper that a correction brought: at its result before, if it had one."""
    row = ResultEffect.objects.select_related("match").get(pk=effect)
    at = row.decided_at or row.signed_at
    return at, at


def source_of(match: Match, number: int, order: int | None) -> str:
    """Return the log's name of a game on paper; a game replayed by the effect `order` has a name of its own."""
    return f"{ON_PAPER}{match.slug}:{number}" + (f":{order}" if order is not None else "")


def _on_paper(match: Match, versions: Sequence[Version], effects: Iterable[PlainEffect]) -> dict[str, Verdict]:
    """Return the verdicts on all games on paper that the match can have in the log.

    One query where there is a paper.
    """
    if not any(version.sheet for version in versions) and not any(effect.sheet for effect in effects):
        return {}
    orders = ResultEffect.objects.filter(match=match, kind=ResultEffect.Kind.REPLAY).values_list("pk", flat=True)
    said = {
        source_of(match, number, order): OUTSIDE for number in range(1, match.best_of + 1) for order in (None, *orders)
    }
    standing: list[PaperGame] = of_papers(versions, effects, sides=match.sides, best_of=match.best_of)
    return said | {source_of(match, game.number, game.order): game.verdict for game in standing}


def _who_sat(match: Match, at: datetime) -> tuple[tuple[int, ...], ...] | None:
    """Return each side's players at that time, in seat order; None unless every seat was taken."""
    entries = list(
        Side.objects.filter(match=match, kind=Side.Kind.SEAT).order_by("position").values_list("entry", flat=True)
    )
    spots = RosterSpot.objects.filter(
        Q(left__isnull=True) | Q(left__gt=at), entry__in=entries, role=RosterSpot.Role.STARTER, joined__lte=at
    ).order_by("slot", "pk")
    players: dict[int, list[int]] = {}
    for spot in spots:
        players.setdefault(spot.entry_id, []).append(spot.player_id)
    sides = tuple(tuple(players.get(entry or 0, ())) for entry in entries)
    people = [person for side in sides for person in side]
    size = match.competition.side_size
    whole = all(len(side) == size for side in sides) and len(set(people)) == len(people)
    return sides if whole else None


def _ranks(winner: int, sides: int) -> tuple[int, ...]:
    return tuple(0 if position == winner else 1 for position in range(sides))
