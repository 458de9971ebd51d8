"""Effective results, resolved from the versions that count and the rulings in force."""

from collections.abc import Iterable, Sequence

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from ...core.effective import Effective, Line, PlainEffect, Version, ledger_of, resolve
from ...core.sheets import lines_of
from ...models import Match, ResultEffect, ResultLine, ResultSignature, ResultVersion
from ...models.correction import PREFIX

BEHIND_ALL = 2**62  # sequence number of an effect that is not written yet


def with_versions(matches: QuerySet[Match]) -> QuerySet[Match]:
    """`matches` with their versions, lines and effects loaded: three queries more, however many matches."""
    return matches.prefetch_related(
        Prefetch("versions", versions()),
        Prefetch("versions__lines", ResultLine.objects.order_by("position")),
        Prefetch("effects", effects_in_force()),
    )


def versions() -> QuerySet[ResultVersion]:
    """Return all versions in order, each with `signed` (sides whose captain signed) and `certified` (by a referee)."""
    by_referee = ResultSignature.objects.filter(result=OuterRef("pk"), capacity=ResultSignature.Capacity.REFEREE)
    captains = Q(signatures__capacity=ResultSignature.Capacity.CAPTAIN)
    return ResultVersion.objects.annotate(
        signed=Count("signatures", filter=captains), certified=Exists(by_referee)
    ).order_by("match", "version")


def effects_in_force() -> QuerySet[ResultEffect]:
    """Return the effects that no ruling has lifted, in the order of signing."""
    return ResultEffect.objects.filter(lift__isnull=True).order_by("pk")


def counts(row: ResultVersion, sides: int) -> bool:
    """Return whether a version from `versions` counts: a paper needs the captains of all sides, or one referee."""
    if row.source != ResultVersion.Source.CAPTAIN:
        return True
    return bool(row.certified) or row.signed >= sides  # type: ignore[attr-defined]


def versions_of(match: Match) -> list[Version]:
    """Return the match's versions in the core's form.

    No query when the match comes from `with_versions`, else two (four with a paper).
    """
    rows: Iterable[ResultVersion]
    if "versions" in getattr(match, "_prefetched_objects_cache", {}):
        rows = match.versions.all()
    else:
        lines = Prefetch("lines", ResultLine.objects.order_by("position"))
        rows = ResultVersion.objects.filter(match=match).order_by("version").prefetch_related(lines)
        if any(row.source == ResultVersion.Source.CAPTAIN for row in rows):  # only a paper's signatures are looked at
            rows = versions().filter(match=match).prefetch_related(lines)
    return [plain(row, match.sides) for row in rows]


def effects_of(match: Match) -> list[PlainEffect]:
    """Return the effects in force on the match in the core's form.

    No query when the match comes from `with_versions`, else one.
    """
    rows: Iterable[ResultEffect] = (
        match.effects.all()
        if "effects" in getattr(match, "_prefetched_objects_cache", {})
        else effects_in_force().filter(match=match)
    )
    return [plain_effect(row) for row in rows]


def plain(row: ResultVersion, sides: int) -> Version:
    """Return a row of `versions` as plain data."""
    return Version(
        number=row.version,
        game=row.game_number,
        fact=row.fact,
        lines=tuple(
            Line(line.position, line.outcome, line.place, line.margin, line.scored, line.counted)
            for line in row.lines.all()
        ),
        sheet=lines_of(row.sheet or (), sides),
        counts=counts(row, sides),
        order=row.order_id,
    )


def plain_effect(row: ResultEffect) -> PlainEffect:
    """Return a row of `effects_in_force` as plain data; its id is its number in the order of signing.

    One query for a corrected paper whose match is not loaded.
    """
    return PlainEffect(
        seq=row.pk,
        kind=row.kind,
        after=row.after,
        game=row.game_number,
        position=row.position,
        entry=row.entry_id,
        amount=row.amount,
        keeps_place=row.keeps_place,
        sheet=lines_of(row.sheet or (), row.match.sides) if row.sheet else (),
        desk=row.ruling.startswith(PREFIX),
    )


def resolved(match: Match, versions: Sequence[Version], effects: Iterable[PlainEffect]) -> Effective:
    """Return the result of `match` under these versions and effects, which may differ from the stored ones."""
    return resolve(
        versions,
        effects,
        sides=match.sides,
        best_of=match.best_of,
        play_all=match.mode == Match.Mode.PLAY_ALL,
    )


def effective_of(match: Match) -> Effective:
    """Return the match's result; no query when it comes from `with_versions`, else three."""
    return resolved(match, versions_of(match), effects_of(match))


def advancing_of(match: Match) -> Effective:
    """Return the result that decides places in a bracket: rulings that keep everybody's place are left out."""
    return resolved(match, versions_of(match), going_forward(effects_of(match)))


def going_forward(effects: Iterable[PlainEffect]) -> list[PlainEffect]:
    """Return the effects that move places in a bracket."""
    return [effect for effect in effects if not effect.keeps_place]


def written_by_rules(match: Match, versions: Sequence[Version], effects: Iterable[PlainEffect]) -> ResultVersion | None:
    """Return the version by which the rules decide the match, or void it, because a side left or stays empty; None for
    any other result. One query, none when the match comes from `with_versions`."""
    whole = ledger_of(versions, effects, sides=match.sides, best_of=match.best_of).whole
    if whole is None or not whole.version:
        return None
    row = next(row for row in match.versions.all() if row.version == whole.version)
    return row if row.source == ResultVersion.Source.RULES else None


def by_rules(match: Match) -> ResultVersion | None:
    """Return what `written_by_rules` returns for the stored versions and effects. Four queries at most."""
    return written_by_rules(match, versions_of(match), effects_of(match))
