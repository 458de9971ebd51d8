"""The names of codes on case pages: events, effects, penalties, rows of the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.competitions.core.sheets import CAPPED
from tock_league.competitions.models import Entry

from ...core import cases, penalties
from ...core.effects import PlannedEffect
from ...core.penalties import Words
from ...models import Case, CaseEvent, Effect, Ruling
from .positions import taken_back

EVENTS: Mapping[str, Any] = {
    "filed": lambda: _("The case was filed."),
    "stated": lambda: _("A side added a few words."),
    "answered": lambda: _("The other side answered."),
    "unanswered": lambda: _("Play went on without a ruling; the case is decided after the game."),
    "lease_taken": lambda: _("A referee took the case."),
    "lease_renewed": lambda: _("The referee keeps the case a little longer."),
    "lease_released": lambda: _("The referee gave the case back."),
    "lease_expired": lambda: _("The referee’s time ran out; the case is free again."),
    "lease_lost": lambda: _("The referee no longer holds that role; the case is free again."),
    "dismissal_proposed": lambda: _("The referee finds the case not admissible; a second referee looks at it."),
    "dismissal_refused": lambda: _("The second referee does not agree; the case is decided."),
    "dismissed": lambda: _("The case was not admitted."),
    "withdrawn": lambda: _("Its opener took the case back."),
    "ruling_proposed": lambda: _("A decision is signed and waits for a second referee."),
    "ruled": lambda: _("The ruling was signed."),
    "replied": lambda: _("The other side replied to the appeal."),
    "panel_formed": lambda: _("Three referees were called to judge the appeal."),
    "panel_replaced": lambda: _("A place on the panel changed hands."),
    "voted": lambda: _("A member of the panel voted."),
    "appeal_ruled": lambda: _("The panel’s ruling was signed."),
    "became_final": lambda: _("The ruling is final."),
    "outsider_named": lambda: _("Every referee had a conflict of interest: the organiser named somebody from outside."),
}


def event_sentence(event: CaseEvent) -> str:
    """Return the sentence that describes an event, in the reader's language."""
    body = event.body
    match event.type:
        case "seat_viewed":
            return _("The referee looked at the hand of seat %(seat)s.") % {"seat": int(body["seat"]) + 1}
        case "escalated":
            if body.get("to") == "organiser":
                return _("The organiser is asked to see to the case.")
            return _("The case goes to the head referee.")
        case "ruling_refused":
            if body.get("why"):
                return _("Play went on before the second signature; the case is free again.")
            return _("The second referee did not sign; the case is free again.")
        case "deadline_passed":
            return _("The time to answer is over; silence admits nothing.")
        case "recused":
            if body.get("declared"):
                return _("A referee stepped aside.")
            return _("A referee was refused for a conflict of interest.")
        case "appealed":
            return _("A side appealed.")
        case "superseded":
            return _("Ruling %(ref)s has taken the place of this one.") % {"ref": body.get("by", "")}
    return str(EVENTS[event.type]())


def in_language(words: Words) -> str:
    """Return a text of the penalty table in the reader's language."""
    return words.of(get_language() or "fr")


def penalty_words(version: str, code: str) -> str:
    """Return the name of a penalty in its table."""
    return in_language(penalties.by_version(version).penalties[code])


def infraction_words(version: str, row: str) -> str:
    """Return the infraction of a row, or ""."""
    return in_language(penalties.by_version(version).row(row).infraction) if row else ""


# The kinds of case that name a family of offences; other families are named by their row.
_KINDS = {
    "talk": Case.Kind.TALK,
    "touch": Case.Kind.TOUCH,
    "illegal": Case.Kind.ILLEGAL,
    "clock": Case.Kind.CLOCK,
    "abuse": Case.Kind.CONDUCT,
}


def subject(case: Case) -> str:
    """Return what a case is about, for titles and lists: what was found, or before a ruling the kind that it was filed as.

    One query for a ruled case, none where its rulings are loaded.
    """
    found = in_force(case) if case.state in cases.RULED and not case.hushed else None
    if found is None:
        return str(case.get_kind_display())
    if found.outcome != Ruling.Outcome.UPHELD or not found.row:
        return str(found.get_outcome_display())
    family = penalties.by_version(found.table_version).row(found.row).family
    return str(_KINDS[family].label) if family in _KINDS else infraction_words(found.table_version, found.row)


def in_force(case: Case) -> Ruling | None:
    """Return the case's last ruling that it has not replaced itself; one that a panel upheld stays."""
    rulings = sorted(case.rulings.all(), key=lambda ruling: ruling.number)
    replaced = {ruling.supersedes_id for ruling in rulings}
    stands = [ruling for ruling in rulings if ruling.confirms_id is None and ruling.pk not in replaced]
    return stands[-1] if stands else None


def planned_sentence(effect: Effect | PlannedEffect, case: Case, offender: Player | None) -> str:
    """Return what an effect does or did. A burned card is not named, because it may be hidden."""
    names = {"who": who(effect, offender), "game": effect.game_number or 0, "side": side_name(effect, case)}
    match effect.type:
        case "blind_burn":
            return _("%(who)s: one card burned blind, turn passed.") % names
        case "owed_burn":
            return _("%(who)s: one card to burn blind; the game was over.") % names
        case "touch":
            return _("%(who)s: what was laid or touched had to be played.") % names
        case "rewind":
            return _rewound(effect, case)
        case "clock":
            seconds = abs(effect.amount) // 1000
            if effect.amount > 0:
                return ngettext("%(n)s second was given back.", "%(n)s seconds were given back.", seconds) % {
                    "n": seconds
                }
            return ngettext("%(n)s second was taken.", "%(n)s seconds were taken.", seconds) % {"n": seconds}
        case "table_forfeit" | "forfeit_game":
            return _("Game forfeited by %(side)s.") % names
        case "forfeit_match":
            return _("Match forfeited by %(side)s.") % names
        case "result":
            return _("The win goes to %(side)s.") % names
        case "paper":
            return _("The score is corrected: %(score)s.") % {"score": score_words(effect, case)}
        case "no_show":
            if effect.position is None:
                return _("Nobody came: both sides lose.")
            return _("%(side)s did not come.") % names
        case "void":
            return _("The game counts no longer.") if effect.game_number else _("The match counts no longer.")
        case "replay":
            return _("The game is played again.") if effect.game_number else _("The match is played again.")
        case "points":
            points = abs(effect.amount)
            return ngettext(
                "%(n)s match point taken from %(side)s.", "%(n)s match points taken from %(side)s.", points
            ) % (names | {"n": points})
        case "caution":
            return _("%(who)s: caution.") % names
        case "warning":
            return _("%(who)s: recorded warning.") % names
        case "exclusion":
            return _("%(side)s: out of the event.") % names
        case "suspension":
            return _("%(who)s: suspended.") % names
    return _("%(who)s: banned.") % names


def score_words(effect: Effect | PlannedEffect, case: Case) -> str:
    """Return the games won by each side in a corrected score: "Castors 1 – 0 Remparts"; more than two sides by commas."""
    if isinstance(effect, Effect):
        sheet: Sequence[Sequence[int | None]] = (
            effect.result_effect.sheet or () if effect.result_effect is not None else ()
        )
    else:
        sheet = effect.sheet
    if len(sheet) == 1 and len(sheet[0]) == CAPPED:  # one game under a time cap: what the sides scored
        names = [side_of(case, position) for position in range(case.match.sides)]
        return f"{names[0]} {sheet[0][4]} – {sheet[0][5]} {names[1]}"
    winners = [game[0] for game in sheet]
    names = [side_of(case, position) for position in range(case.match.sides)]
    won = [winners.count(position) for position in range(len(names))]
    if len(names) == 2:
        return f"{names[0]} {won[0]} – {won[1]} {names[1]}"
    return ", ".join(f"{name} {games}" for name, games in zip(names, won, strict=True))


def _rewound(effect: Effect | PlannedEffect, case: Case) -> str:
    assert case.game is not None  # only a game at its table is taken back
    at = effect.act_seq if isinstance(effect, Effect) and effect.act_seq else case.game.last_seq
    return taken_back(case.game, to=effect.amount, at=at)


def who(effect: Effect | PlannedEffect, offender: Player | None) -> str:
    """Return the name of the player whom an effect is about."""
    kind, _sep, pk = effect.target.partition(":")
    if kind == "player" and (offender is None or offender.pk != int(pk)):
        offender = Player.objects.filter(pk=int(pk)).first()
    return offender.display_name if offender is not None else "—"


def side_name(effect: Effect | PlannedEffect, case: Case) -> str:
    """Return the name of the side that an effect is about."""
    if effect.target.startswith("entry:"):
        entry = Entry.objects.filter(pk=int(effect.target.removeprefix("entry:"))).select_related("team").first()
        return str(entry) if entry is not None else "—"
    if effect.position is None:
        return "—"
    return side_of(case, effect.position)


def side_of(case: Case, position: int | None) -> str:
    """Return the name of the entry at that position of the case's match."""
    for side in case.match.side_rows.all():
        if side.position == position and side.entry is not None:
            return str(side.entry)
    return "—"
