"""Every match: the chain of its versions, what the engine certified, its state, and its games in the rating log."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet

from games.fold import TableState
from games.models import Game, Table
from games.selectors.games import certificate_of
from ratings.models import ON_PAPER, RatedResult
from tock_league.common import canonical
from tock_league.common.differences import Difference, compared, difference
from tock_league.common.models import OutboxRow
from tock_league.journal.store.redactions import digest_of, permitted

from ...models import Match, MatchGame, ResultLine, ResultVersion
from ...selectors.results.effective import effects_of, resolved, versions_of, with_versions
from ...selectors.results.rating_corrections import corrections_of, played_on_paper
from ..results.certified import fact_of, lines_of
from ..results.propagation import state_of
from ..results.versions import FIRST, body_of
from .recorded import recorded_digest

S = Match.State
RESULTS = (S.CONFIRMED, S.AWARDED, S.VOID, S.REPORTED, S.CONTESTED)
CHUNK = 100
LOG = RatedResult._meta.db_table


def differences() -> Iterator[Difference]:
    """Yield what differs, match by match; a dozen queries a match. What waits for a worker is no difference."""
    after = 0
    while matches := list(_matches().filter(pk__gt=after).order_by("pk")[:CHUNK]):
        for match in matches:
            yield from _versions(match)
            yield from _match(match)
        after = matches[-1].pk
    yield from _unsettled()


def of_game(game: Game, state: TableState) -> Iterator[Difference]:
    """Yield what the result of a finished game differs from: its folded end says who won, and by how much. Two queries."""
    row = MatchGame.objects.select_related("version", "match__competition__regulations").filter(game_id=game.pk).first()
    certified = certificate_of(game, state)
    if row is None or certified is None:
        return
    yield from compared(row, {"record_hash": game.chain}, name=f"{row.match.slug} game {row.number}")
    version = getattr(row, "version", None)
    if version is None:
        return
    yield from compared(version, {"fact": fact_of(certified)}, name=_name(version, row.match))
    cap = row.match.competition.regulations.cap
    wanted = [(line.position, line.outcome, line.place, line.margin, line.scored) for line in lines_of(certified, cap)]
    stored = list(
        ResultLine.objects.filter(result=version)
        .order_by("position")
        .values_list("position", "outcome", "place", "margin", "scored")
    )
    if stored != wanted:
        yield Difference(
            ResultLine._meta.db_table, _name(version, row.match), "lines", f"are {stored}, the game says {wanted}"
        )


def _matches() -> QuerySet[Match]:
    return with_versions(
        Match.objects.select_related("competition__regulations", "table", "round__group__stage")
    ).prefetch_related("versions__game", "versions__order")


def _name(version: ResultVersion, match: Match) -> str:
    return f"{match.slug} {version.version}"


def _versions(match: Match) -> Iterator[Difference]:
    """Compare the hash chain of the versions.

    The hash of a version whose reason was redacted cannot be computed again: the journal's entry has told it.
    """
    last = FIRST
    texts = [row.pk for row in match.versions.all() if row.reason]
    redacted = permitted(ResultVersion._meta.db_table, "reason", texts) if texts else {}
    for place, row in enumerate(match.versions.all(), start=1):
        if row.version != place:
            yield difference(row, "version", f"is {row.version} where {place} is due", name=_name(row, match))
            return
        body = body_of(
            match.slug,
            version=row.version,
            game_number=row.game_number,
            fact=row.fact,
            source=row.source,
            reason=row.reason,
            evidence=_evidence(row),
            lines=row.lines.all(),  # type: ignore[arg-type]  # rows with the fields of a Line
            prev_hash=last,
            sheet=row.sheet,
            order=row.order,
            tied=row.tied,
        )
        wanted = canonical.digest(body)
        if row.pk in redacted and redacted[row.pk] == digest_of(row.reason):
            wanted = recorded_digest(match, row.version)
        if (row.prev_hash, row.hash) != (last, wanted):
            yield difference(row, "hash", "the version is not the one that was written", name=_name(row, match))
            return
        last = row.hash


def _evidence(row: ResultVersion) -> str:
    """Return the hash of the record that a version rests on; older rows do not name their game."""
    if row.game is not None:
        return row.game.record_hash
    if row.source != ResultVersion.Source.ENGINE:
        return ""
    older = MatchGame.objects.filter(match=row.match_id, number=row.game_number or 0).first()
    return older.record_hash if older is not None else ""


def _match(match: Match) -> Iterator[Difference]:
    """Compare the match's state, and the rating log, with its effective result."""
    versions, effects = versions_of(match), effects_of(match)
    effective = resolved(match, versions, effects)
    state = state_of(match, effective)
    if match.state != state and (match.state in RESULTS or state in RESULTS):
        yield from compared(match, {"state": str(state)}, name=match.slug)
    if match.state in (S.CONFIRMED, S.AWARDED) and match.decided_at is None:
        yield difference(match, "decided_at", "is empty, the match is decided", name=match.slug)
    for played in played_on_paper(match, versions, effects):
        yield Difference(LOG, played.source, "source", f"the game of match {match.slug} is not in the log")
    for correction in corrections_of(match, versions, effects):
        found = f"should be {correction.kind}, ranks {list(correction.ranks)}, rated {correction.rated}"
        yield Difference(LOG, correction.source, "ranks", found)


def _unsettled() -> Iterator[Difference]:
    """Yield the finished games of match tables without a settlement, and rated games that are not in the log."""
    promised = OutboxRow.objects.filter(
        task="tock_league.competitions.tasks.settle_game", done_at__isnull=True
    ).values_list("key", flat=True)
    settled = Exists(MatchGame.objects.filter(game_id=OuterRef("pk")))
    of_match = Exists(Match.objects.filter(table_id=OuterRef("table_id")))
    over = Game.objects.filter(of_match, state=Game.State.OVER, table__kind=Table.Kind.MATCH)
    for game in over.exclude(settled).order_by("pk").iterator(CHUNK):
        if not promised.filter(key=str(game.pk)).exists():
            yield difference(game, "state", "is over, and no match has its result", name=game.slug)
    after = 0
    while games := list(Game.objects.filter(pk__gt=after, rated=True).order_by("pk")[:CHUNK]):
        logged = {
            row.source: row
            for row in RatedResult.objects.filter(source__in=[str(game.pk) for game in games], revision=1)
        }
        for game in games:
            row = logged.get(str(game.pk))
            if row is None:
                yield Difference(LOG, str(game.pk), "source", f"the rated game {game.slug} is not in the log")
            else:
                wanted = {"ranks": list(game.ranks or []), "completed_at": game.finished_at, "rated": True}
                yield from compared(row, wanted, name=row.source)
        after = games[-1].pk
    yield from _without_game()


def _without_game() -> Iterator[Difference]:
    """Yield the rows of the log that name a game that is not there."""
    after = 0
    rows = RatedResult.objects.filter(kind=RatedResult.Kind.RESULT).exclude(source__startswith=ON_PAPER)
    while some := list(rows.filter(pk__gt=after).order_by("pk")[:CHUNK]):
        ids = {int(row.source) for row in some if row.source.isdecimal()}
        known = set(Game.objects.filter(pk__in=ids).values_list("pk", flat=True))
        for row in some:
            if not row.source.isdecimal() or int(row.source) not in known:
                yield difference(row, "source", "names a game that is not there", name=row.source)
        after = some[-1].pk
