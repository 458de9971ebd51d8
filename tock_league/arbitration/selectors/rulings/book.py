"""The public ruling book: decisions, their reasons, and the play they are about. Running games are excluded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.urls import reverse

from games.selectors.rule_sets import page_of
from tock_league.accounts.minors import masked
from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition, Match

from ...core import cases, penalties
from ...models import Appeal, Case, PanelSeat, Ruling
from ..cases.kinds import family_of, was_minor
from ..cases.words import infraction_words, penalty_words, planned_sentence, side_of, subject
from .context import running

SIZE = 20


@dataclass(frozen=True)
class PublishedRuling:
    """One ruling of a case. The texts (facts, reasons, ...) are "" for those who may not read them.

    Of a finding of conduct they are not published, whatever kind the opener of the case chose.
    """

    ref: str  # such as "TL-2026-000123/1"
    level: int  # 1 the referee, 2 the panel
    outcome: str
    outcome_label: str
    infraction: str
    row: str  # the code of a row of the penalty table, or ""
    step: int
    table_version: str
    penalty: str
    penalty_label: str
    standard_label: str
    deviation_reason: str
    offender: Player | None  # under a pseudonym and without an address: a minor, to the public (decision 0030)
    rules: tuple[str, ...]  # sections of the rules page
    rules_page: str  # the rules of the match; `rules` may name its sentences
    facts: str
    reasons: str
    dissent: str
    effects: tuple[str, ...]  # one sentence each, in the order of the ruling
    authors: tuple[str, ...]  # the names of those who signed
    as_head: bool
    signed_at: datetime
    superseded: str  # the ref of the ruling that replaced it, or ""
    confirms: bool  # whether it is a panel's ruling that upholds another one


@dataclass(frozen=True)
class Published:
    """A case of the book."""

    number: str
    case: Case
    competition: Competition
    match: Match
    title: str  # the names of the sides
    kind_label: str  # what was found
    state_label: str
    rulings: tuple[PublishedRuling, ...]  # the latest first
    appeals: tuple[Appeal, ...]
    replay_url: str  # of the position that the case is about, or ""
    filed_at: datetime
    signed_at: datetime  # of the latest ruling
    outsider: bool  # the organiser had to name a referee from outside
    superseded_by: str  # the ref of the ruling of a re-examination, or ""
    final: bool

    @property
    def last(self) -> PublishedRuling:
        """The ruling that is in force; one that a panel upheld stays in force."""
        return next(ruling for ruling in self.rulings if not ruling.confirms)


def publishable() -> QuerySet[Case]:
    """Return the cases of the book, the newest ruling first: ruled, of a public competition, their game over."""
    return (
        Case.objects.filter(state__in=sorted(cases.RULED))
        .exclude(running())
        .exclude(competition__state=Competition.State.DRAFT)
        .exclude(competition__is_rehearsal=True)
        .select_related("competition", "match", "game", "reviews")
        .prefetch_related(
            "match__side_rows__entry__team",
            "match__side_rows__entry__player",
            "rulings__effects",
            "rulings__offender",
            "rulings__author",
            "rulings__second",
            "rulings__superseded_by",
            "appeals__by",
            "panel__member",
            "reviewed_by__rulings",
            "reviews__rulings",
        )
        .order_by("-filed_at", "-pk")
    )


def book(*, competition: Competition | None = None, page: int | str = 1, size: int = SIZE) -> "Page[Any]":
    """Return a page of the book, whole or of one competition; the nearest page for a number out of range."""
    found = publishable()
    if competition is not None:
        found = found.filter(competition=competition)
    pages: Page[Any] = Paginator(found, size).get_page(page)
    pages.object_list = [view(case) for case in pages.object_list]
    return pages


def of_match(match: Match) -> list[Published]:
    """Return the published cases of one match, the newest first. One query when there are none."""
    return [view(case) for case in publishable().filter(match=match)]


def of_game(slug: str) -> list[Published]:
    """Return the published cases about one game, the newest first. One query when there are none."""
    return [view(case) for case in publishable().filter(game__slug=slug)]


def published(number: str) -> Published | None:
    """Return the case of that number, or None while it is not in the book."""
    case = publishable().filter(number=number).first()
    return view(case) if case is not None else None


def view(case: Case, *, texts: bool | None = None) -> Published:
    """Return a ruled case as the book shows it; `texts`: whether to show its texts, where the book does not decide it."""
    rulings = sorted(case.rulings.all(), key=lambda ruling: -ruling.number)
    names = [side_of(case, side.position) for side in case.match.side_rows.all() if side.position is not None]
    later = [ruling.ref for other in case.reviewed_by.all() for ruling in other.rulings.all()]
    return Published(
        number=case.number,
        case=case,
        competition=case.competition,
        match=case.match,
        title=" – ".join(names),
        kind_label=subject(case),
        state_label=case.get_state_display(),
        rulings=tuple(
            _ruling(case, ruling, not _of_conduct(case, ruling) if texts is None else texts, public=texts is None)
            for ruling in rulings
        ),
        appeals=tuple(case.appeals.all()),
        replay_url=replay_url(case),
        filed_at=case.filed_at,
        signed_at=rulings[0].signed_at,
        outsider=case.outsider,
        superseded_by=later[0] if case.state == "superseded" and later else "",
        final=case.state in ("final", "superseded"),
    )


def replay_url(case: Case) -> str:
    """Return the address of the position that the case is about, or "" without a game."""
    if case.game is None:
        return ""
    return f"{reverse('games:replay', args=[case.game.slug])}#{case.seq}"


def authors_of(case: Case, ruling: Ruling) -> tuple[str, ...]:
    """Return who signed: the referee, the second one where two signed, or the three members of the panel."""
    if ruling.level == 1:
        return tuple(signer.display_name for signer in (ruling.author, ruling.second) if signer is not None)
    seats: list[PanelSeat] = [seat for seat in case.panel.all() if seat.place is not None and seat.left_at is None]
    return tuple(seat.member.display_name for seat in sorted(seats, key=lambda seat: seat.place or 0))


def _of_conduct(case: Case, ruling: Ruling) -> bool:
    """Return whether a ruling is about conduct: by its finding, and without one by what the case claimed or found."""
    if ruling.row:
        return family_of(ruling) == penalties.CONDUCT
    before = case.reviews.rulings.all() if case.reviews is not None else ()
    return case.kind == Case.Kind.CONDUCT or any(
        family_of(other) == penalties.CONDUCT for other in [*case.rulings.all(), *before]
    )


def _ruling(case: Case, ruling: Ruling, texts: bool, *, public: bool) -> PublishedRuling:
    offender = ruling.offender
    if public and offender is not None and _of_conduct(case, ruling) and was_minor(ruling, offender):
        offender = masked(offender)
    return PublishedRuling(
        ref=f"{case.number}/{ruling.number}",
        level=ruling.level,
        outcome=ruling.outcome,
        outcome_label=ruling.get_outcome_display(),
        infraction=infraction_words(ruling.table_version, ruling.row),
        row=ruling.row,
        step=ruling.step,
        table_version=ruling.table_version,
        penalty=ruling.penalty,
        penalty_label=penalty_words(ruling.table_version, ruling.penalty),
        standard_label=penalty_words(ruling.table_version, ruling.standard),
        deviation_reason=ruling.deviation_reason if texts else "",
        offender=offender,
        rules=tuple(ruling.rules),
        rules_page=page_of(case.competition.rules),
        facts=ruling.facts if texts else "",
        reasons=ruling.reasons if texts else "",
        dissent=ruling.dissent if texts else "",
        effects=tuple(planned_sentence(effect, case, offender) for effect in ruling.effects.all()),
        authors=authors_of(case, ruling),
        as_head=ruling.as_head,
        signed_at=ruling.signed_at,
        superseded=ruling.superseded_by.ref if hasattr(ruling, "superseded_by") else "",
        confirms=ruling.confirms_id is not None,
    )
