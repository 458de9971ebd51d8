"""What competitions hold about a person, and how a player leaves them for good. Results stay, under the pseudonym."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games import people as tables
from games.models import HeldSeat, Seating
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import TEAM_NAME_LENGTH, Membership, Team
from tock_league.common import clock
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported
from tock_league.common.transactions import writing
from tock_league.journal.people import redact_all

from .models import (
    CheckIn,
    Competition,
    CompetitionRole,
    Correction,
    Entry,
    FormerSeed,
    LateEntry,
    Match,
    PairingWish,
    PartnerAnswer,
    PartnerSearch,
    PlaceProposal,
    ResultSignature,
    ResultVersion,
    RosterSpot,
    Side,
    StandingOverride,
    TalkLine,
    TalkMute,
    TalkReport,
)
from .models.partner import TEXT_LENGTH
from .models.talk import LINE_LENGTH
from .services.results.versions import line_told
from .services.rounds.opening import table_name
from .services.seasons import roles

LONG_OVER = ("finished", "archived", "cancelled")
AHEAD = ("published", "open", "closed", "running", "suspended")
PLAYS_ON = ("pending", "accepted", "waitlisted", "checked_in", "playing")
# Public texts that may be changed, by model, with the path to the competition.
TEXTS: tuple[tuple[type[Model], str, str], ...] = (
    (Competition, "reason", "pk"),
    (Entry, "reason", "competition"),
    (CompetitionRole, "reason", "competition"),
    (StandingOverride, "reason", "group__stage__competition"),
    (Match, "label", "competition"),
    (PartnerSearch, "text", "competition"),
    (PairingWish, "reason", "competition"),
    (FormerSeed, "reason", "competition"),
)
KEEP_TALK = timedelta(days=30)
KEEP_SEARCHES = timedelta(days=30)  # a line of a partner desk that is closed


def events_of(person: Person) -> list[Competition]:
    """Return the competitions that the person played or held an office in."""
    if person.player is None:
        return []
    mine = Q(entries__roster__player=person.player) | Q(entries__player=person.player) | Q(roles__player=person.player)
    return list(Competition.objects.filter(mine).distinct().order_by("pk"))


def obstacles(person: Person) -> Iterator[Obstacle]:
    """Yield the competitions that the person still plays in, and those that bear the person's name."""
    if person.player is None:
        return
    spots = RosterSpot.objects.filter(player=person.player, left__isnull=True, entry__state__in=PLAYS_ON)
    alone = Entry.objects.filter(player=person.player, state__in=PLAYS_ON)
    found = Competition.objects.filter(
        Q(pk__in=spots.values("competition")) | Q(pk__in=alone.values("competition")), state__in=AHEAD
    )
    for competition in found.order_by("pk"):
        yield Obstacle(
            "plays_on",
            _("You are still entered in %(event)s: withdraw, or let a substitute take your place, or wait for its end.")
            % {"event": competition.name},
        )
    named = Leaving(person, "", person.player.updated_at)
    for title in [event.name for event in events_of(person)]:
        if named.is_named_in(title):
            yield Obstacle(
                "named_event", _("%(event)s bears your name: an organiser renames it first.") % {"event": title}
            )


def forget(leaving: Leaving) -> None:
    """End offices; delete what is on partner desks and in talk; take the name out of the texts of officials.

    A text under a hash, or in an append-only table, is replaced under a redaction (decision 0028).
    """
    player = leaving.person.player
    if player is None:
        return
    for role in CompetitionRole.objects.filter(player=player, until__isnull=True).order_by("competition", "pk"):
        roles.end(by=SITE, role=role)
    PartnerSearch.objects.filter(player=player).delete()
    PartnerAnswer.objects.filter(player=player).delete()
    TalkLine.objects.filter(player=player).delete()
    TalkReport.objects.filter(by=player).delete()
    TalkMute.objects.filter(Q(player=player) | Q(muted=player)).delete()
    clean_texts(leaving)
    _clean_desks(leaving)
    _clean_talk(leaving)
    redact_all(_within(Correction, "competition", leaving), ("reason",), leaving)
    redact_all(_within(ResultVersion, "match__competition", leaving).exclude(reason=""), ("reason",), leaving)


def clean_texts(leaving: Leaving) -> None:
    """Put the pseudonym into the texts of officials that no hash covers."""
    for model, field, path in TEXTS:
        for row in _within(model, path, leaving).exclude(**{field: ""}).order_by("pk").iterator(500):
            text = getattr(row, field)
            if leaving.is_named_in(text):
                longest: int = model._meta.get_field(field).max_length  # type: ignore[union-attr, assignment]
                model._default_manager.filter(pk=row.pk).update(**{field: leaving.cleaned(text)[:longest]})
                leaving.changed.append(f"{model._meta.label_lower} {row.pk} {field}")
    _clean_entry_names(leaving)


def _clean_entry_names(leaving: Leaving) -> None:
    """Put the pseudonym into the names that the person's teams had in past events, whoever played for them there."""
    teams = Team.objects.filter(spells__player=leaving.person.player)
    for entry in Entry.objects.filter(team__in=teams.values("pk")).exclude(name="").order_by("pk").iterator(500):
        if leaving.is_named_in(entry.name):
            Entry.objects.filter(pk=entry.pk).update(name=leaving.cleaned(entry.name)[:TEAM_NAME_LENGTH])
            leaving.changed.append(f"entry {entry.slug} name")


def _clean_desks(leaving: Leaving) -> None:
    """Put the pseudonym into what members of the person's clubs wrote on the partner desks there."""
    clubs = Membership.objects.filter(player=leaving.person.player).values("club")
    for row in PartnerSearch.objects.filter(club__in=clubs).order_by("pk").iterator(500):
        if leaving.is_named_in(row.text):
            PartnerSearch.objects.filter(pk=row.pk).update(text=leaving.cleaned(row.text)[:TEXT_LENGTH])
            leaving.changed.append(f"partner search {row.pk} text")


def _clean_talk(leaving: Leaving) -> None:
    """Put the pseudonym into what others said after games that the person played."""
    player = leaving.person.player
    tables, games = Seating.objects.filter(player=player).values("table"), HeldSeat.objects.filter(player=player)
    said = TalkLine.objects.filter(Q(game__table__in=tables) | Q(game__in=games.values("game")))
    for row in said.order_by("pk").iterator(500):
        if leaving.is_named_in(row.text):
            TalkLine.objects.filter(pk=row.pk).update(text=leaving.cleaned(row.text)[:LINE_LENGTH])
            leaving.changed.append(f"talk {row.pk} text")


def forget_talk() -> int:
    """Delete what was said more than KEEP_TALK ago, with its reports; return how many lines."""
    with writing():
        keys = list(TalkLine.objects.filter(at__lt=clock.now() - KEEP_TALK).values_list("pk", flat=True))
        TalkLine.objects.filter(pk__in=keys).delete()
    return len(keys)


def forget_searches() -> int:
    """Delete the lines of partner desks that have been closed, or too old, for KEEP_SEARCHES; return how many."""
    old = clock.now() - KEEP_SEARCHES
    over = Q(closed_at__lt=old) | Q(until__lt=old) | Q(state=PartnerSearch.State.OPEN, competition__state__in=LONG_OVER)
    with writing():
        keys = list(PartnerSearch.objects.filter(over).values_list("pk", flat=True))
        PartnerSearch.objects.filter(pk__in=keys).delete()
    return len(keys)


def _within(model: type[Model], path: str, leaving: Leaving) -> QuerySet[Any]:
    """Return the rows of the competitions that the person had to do with."""
    return model._default_manager.filter(**{f"{path}__in": [event.pk for event in leaving.events]})


def name_tables(leaving: Leaving) -> None:
    """Name the tables of the person's matches anew, by the present names of the sides; call it after clubs.people.forget.

    Names of tables are shortened where they are long, so that a part of the old name could be left.
    """
    if leaving.person.player is None:
        return
    mine = Q(entry__roster__player=leaving.person.player) | Q(entry__player=leaving.person.player)
    matches = Match.objects.filter(pk__in=Side.objects.filter(mine).values("match"), table__isnull=False)
    for match in matches.select_related("table").order_by("pk").iterator(500):
        sides = Side.objects.filter(match=match).select_related("entry__team", "entry__player").order_by("position")
        names = [leaving.cleaned(str(side.entry)) for side in sides]
        if match.table is not None and (match.table.name, list(match.table.team_names)) != (table_name(names), names):
            tables.rename(match.table, table_name(names), names)


def _of(model: Any, path: str, *fields: str, related: Sequence[str] = ()) -> Any:
    """Return the rows of a model whose column `path` names the player."""

    def rows(person: Person) -> Iterator[Row]:
        for row in model.objects.filter(**{path: person.player}).select_related(*related).order_by("pk"):
            yield exported(row, *fields)

    return rows


def _entries_of(person: Person) -> QuerySet[Entry]:
    mine = Q(roster__player=person.player) | Q(player=person.player)
    return Entry.objects.filter(mine).select_related("competition", "team", "player").distinct().order_by("pk")


def _entries(person: Person) -> Iterator[Row]:
    for row in _entries_of(person):
        yield exported(row, "slug", "competition", "state", "reason", "seed", "final_rank", "created_at", name=str(row))


def _events(person: Person) -> Iterator[Row]:
    for row in events_of(person):
        yield exported(row, "slug", "name", "kind", "state", "rules", "starts_at")


def _matches(person: Person) -> Iterator[Row]:
    """Yield the matches of the person's entries, with the names of the sides."""
    sides = Side.objects.filter(entry__in=_entries_of(person).order_by())
    for row in (
        Match.objects.filter(pk__in=sides.values("match"))
        .select_related("competition", "table", "round")
        .prefetch_related("side_rows__entry__team", "side_rows__entry__player")
        .order_by("pk")
    ):
        names = [str(side.entry) for side in row.side_rows.all()]
        yield exported(row, "slug", "competition", "state", "starts_at", "decided_at", "table", sides=names)


def _results(person: Person) -> Iterator[Row]:
    """Yield the results of the person's matches, and those that the person entered, version by version."""
    sides = Side.objects.filter(entry__in=_entries_of(person).order_by())
    found = ResultVersion.objects.filter(Q(match__in=sides.values("match")) | Q(by=person.player))
    for row in found.select_related("match", "by").prefetch_related("lines").order_by("pk"):
        lines = [line_told(line) for line in row.lines.all()]
        yield exported(
            row, "match", "version", "game_number", "fact", "source", "reason", "recorded_at", "hash", "by", lines=lines
        )


SECTIONS = (
    Section("competitions", Competition._meta.label, _events),
    Section("entries", Entry._meta.label, _entries),
    Section(
        "rosters", RosterSpot._meta.label,
        _of(RosterSpot, "player", "competition", "entry", "role", "slot", "joined", "left", "confirmed_at",
            related=("competition", "entry")),
    ),
    Section(
        "check_ins", CheckIn._meta.label,
        _of(CheckIn, "player", "competition", "phase", "entry", "at", related=("competition", "entry")),
    ),
    Section("matches", Match._meta.label, _matches),
    Section("results", ResultVersion._meta.label, _results),
    Section(
        "signatures", ResultSignature._meta.label,
        _of(ResultSignature, "signer", "capacity", "at", "result", related=("result",)),
    ),
    Section(
        "competition_roles", CompetitionRole._meta.label,
        _of(CompetitionRole, "player", "competition", "name", "since", "until", "given_by", "outsider", "reason",
            related=("competition", "given_by")),
    ),
    Section(
        "corrections", Correction._meta.label,
        _of(Correction, "by", "competition", "number", "match", "kind", "reason", "at", related=("competition", "match")),
    ),
    Section(
        "partner_searches", PartnerSearch._meta.label,
        _of(PartnerSearch, "player", "club", "competition", "text", "team", "state", "since", "until", "closed_at",
            related=("club", "competition", "team")),
    ),
    Section(
        "partner_answers", PartnerAnswer._meta.label,
        _of(PartnerAnswer, "player", "state", "at", "search", related=("search",)),
    ),
    Section("talk", TalkLine._meta.label, _of(TalkLine, "player", "game", "text", "at", "removed_at", related=("game",))),
    Section("talk_mutes", TalkMute._meta.label, _of(TalkMute, "player", "muted", related=("muted",))),
    Section(
        "talk_reports", TalkReport._meta.label, _of(TalkReport, "by", "line", "at", "kept", "handled_at", related=("line",))
    ),
    Section(
        "place_proposals", PlaceProposal._meta.label,
        _of(PlaceProposal, "by", "match", "on_board", "state", "made_at", "answered_at", related=("match",)),
    ),
    Section(
        "pairing_wishes", PairingWish._meta.label,
        _of(PairingWish, "by", "competition", "kind", "low", "high", "reason", "at", "ended_at",
            related=("competition", "low", "high")),
    ),
    Section(
        "former_seeds", FormerSeed._meta.label,
        _of(FormerSeed, "by", "competition", "seed", "reason", "at", related=("competition",)),
    ),
    Section("late_entries", LateEntry._meta.label, _of(LateEntry, "by", "entry", "missed", "at", related=("entry",))),
    Section(
        "ties_settled", StandingOverride._meta.label,
        _of(StandingOverride, "by", "group", "entry", "place", "how", "reason", "at", related=("group", "entry")),
    ),
)  # fmt: skip
