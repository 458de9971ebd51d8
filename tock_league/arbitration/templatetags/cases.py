"""`{% load cases %}`: durations, penalties, states and acts in the reader's words."""

from datetime import datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.durations import lasting
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.rounds.matches import MatchView

from ..core import penalties
from ..models import Case
from ..selectors.cases import concerns, lookup, queues, result_disputes
from ..selectors.cases.positions import place_words
from ..selectors.cases.words import infraction_words, subject
from ..selectors.rulings import book, proposals, sanctioned

register = template.Library()
register.filter("lasting", lasting)

# The state tag of a case: its colour shows the urgency for the reader, its word what the case waits for.
COLOURS = {
    Case.State.FILED: "bad",
    Case.State.TRIAGE: "warn",
    Case.State.ASSIGNED: "warn",
    Case.State.HEARING: "warn",
    Case.State.APPEALED: "info",
    Case.State.PANEL_FORMED: "info",
    Case.State.DELIBERATING: "info",
    Case.State.RULED: "good",
    Case.State.APPEAL_RULED: "good",
    Case.State.FINAL: "good",
}
DIGITS = 10  # of a number that could be a row of a record


@register.filter
def in_text(words: str) -> str:
    """Return a date for the middle of a sentence: French writes days and months in lower case."""
    return words[:1].lower() + words[1:] if (get_language() or "").startswith("fr") else words


@register.simple_tag
def counting(at: datetime | None, way: str) -> SafeString:
    """`{% counting call.filed_at "up" %}`: a duration that goes on in the browser, up from or down to an instant."""
    if at is None:
        return format_html("")
    gone = (clock.now() - at).total_seconds()
    words = lasting(gone if way == "up" else -gone)
    return format_html('<span data-{}="{}">{}</span>', way, int(at.timestamp() * 1000), words)


@register.filter
def penalty(code: str) -> str:
    """Return the name of a penalty in the reader's language; none for "none"."""
    found = [table.penalties[code] for table in penalties.all_tables() if code in table.penalties]
    words = found[-1] if found else None
    return words.of(get_language() or "fr") if words is not None else code


@register.filter
def short_number(number: str) -> str:
    """000123 of TL-2026-000123: the form used in lists and titles."""
    return number.rsplit("-", 1)[-1]


@register.filter
def about(case: Case) -> str:
    """`{{ case|about }}`: what a case is about: the finding once there is one."""
    return subject(case)


@register.simple_tag
def state_tag(case: Case) -> SafeString:
    """`{% state_tag case %}`: the state of a case as a coloured word."""
    label = case.get_state_display()
    if case.state == Case.State.FILED and case.origin == Case.Origin.DISPUTE and not case.heard:
        return format_html('<span class="tag info">{}</span>', gettext("answer expected"))
    return format_html('<span class="tag {}">{}</span>', COLOURS.get(Case.State(case.state), ""), label)


@register.simple_tag
def place_in(game: Game, seq: object) -> str:
    """`{% place_in case.game case.seq %}`: where in a game a row stands, numbered as in the replay."""
    text = str(seq) if len(str(seq)) < DIGITS else ""
    number = int(text) if text.isascii() and text.isdecimal() else 0
    return place_words(game, number)


@register.simple_tag
def act_words(planned: Any, options: Any) -> str:
    """`{% act_words act form.options %}`: what will happen at the table, in a sentence."""
    kind, _colon, number = planned.target.partition(":")
    seats = {player.seat: player.name for player in options.players}
    name = seats.get(int(number), "") if kind == "seat" else ""
    values = {"name": name, "seconds": abs(planned.amount) // 1000}
    if planned.type == "blind_burn":
        return gettext("%(name)s burns one card blind and loses a turn") % values
    if planned.type == "touch":
        return gettext("%(name)s must play what was touched") % values
    if planned.type == "rewind":
        backs = {back.to: back.label for back in options.rewinds}
        return gettext("taken back: %(what)s") % {"what": backs.get(planned.amount, "—")}
    if planned.type == "clock":
        form = gettext("%(name)s gets %(seconds)s s") if planned.amount > 0 else gettext("%(name)s loses %(seconds)s s")
        return form % values
    return gettext("the game is forfeited")


SENTENCES: dict[str, Text] = {
    "answer": gettext_lazy("A case is about your match; your side may answer."),
    "reply": gettext_lazy("The other side has appealed; your side may reply."),
    "rule": gettext_lazy("You hold this case."),
    "take": gettext_lazy("The case waits for a referee."),
    "second": gettext_lazy("A decision waits for a second referee."),
    "vote": gettext_lazy("The appeal waits for your vote."),
    "panel_rule": gettext_lazy("All have voted; the appeal waits for its ruling."),
    "form_panel": gettext_lazy("The appeal waits for its panel."),
    "name_outsider": gettext_lazy("The case lacks a referee without a conflict of interest."),
    "appeal": gettext_lazy("A ruling is about your match; your side may appeal."),
    "touched": gettext_lazy("A case is about your match."),
    "appealed": gettext_lazy("An appeal is about your match."),
    "ruled": gettext_lazy("A ruling is about your match."),
}


@register.filter
def concern(what: str) -> Text:
    """Return in a sentence what a case asks of its reader, or how it touches them (`selectors.cases.concerns`)."""
    return SENTENCES[what]


@register.simple_tag
def infraction_of(finding: Any) -> str:
    """`{% infraction_of one %}`: the infraction of a finding, by its row and the version of its penalty table."""
    return infraction_words(finding.table_version, finding.row)


@register.filter
def decision_lines(decision: Any, options: Any) -> list[tuple[str, Any]]:
    """`{% for line in decision|decision_lines:options %}`: what a decision says, as (label, words)."""
    return proposals.decision_lines(decision, options)


@register.inclusion_tag("arbitration/_of_match.html")
def cases_of_match(match: Match, viewer: Player | None) -> dict[str, Any]:
    """`{% cases_of_match match viewer %}`: the published rulings about a match, and the open cases its reader may see."""
    return {
        "concerns": concerns.concerns(viewer, match),
        "published": book.of_match(match),
        "undecided": queues.undecided_of_match(match, viewer),
    }


@register.simple_tag
def disputable_result(match: Match, viewer: Player | None) -> result_disputes.DisputableResult:
    """`{% disputable_result match viewer as asked %}`: whether the reader may dispute the result that people entered."""
    return result_disputes.disputable_result(match, viewer)


@register.simple_tag
def disputable_until(match: Match) -> datetime | None:
    """`{% disputable_until match as end %}`: until when the players may dispute the result that people entered, or None."""
    return result_disputes.disputable_until(match)


@register.simple_tag
def disputed(match: Match) -> str:
    """`{% disputed match as number %}`: the number of the case about the match that a referee has yet to decide, or ""."""
    return lookup.undecided_number(match)


@register.inclusion_tag("arbitration/_sanctioned_desk.html")
def sanctioned_teams(competition: Competition) -> dict[str, Any]:
    """`{% sanctioned_teams competition %}`: its teams that have a suspended or banned player, and what to do about them."""
    return {
        "rows": [
            {"touched": touched, "sentence": sanction.sentence(touched.player.display_name), "number": sanction.number}
            for touched, sanction in sanctioned.on_desk(competition)
        ]
    }


@register.simple_tag
def kept_out(view: MatchView, viewer: Player | None) -> dict[str, Any]:
    """`{% kept_out view viewer as kept %}`: the players of a match who are suspended or banned, for `_kept_out.html`,
    and whether the reader is one of them. Of minors, for conduct, only the players and organisers of the match read it."""
    players = [player for side in view.sides for player in side.players]
    found = sanctioned.kept_out(view.match, players)
    shielded = any(sanction.shielded for _player, sanction in found)
    concerned = shielded and (viewer in players or can(viewer, "match.move", view.match))
    return {
        "out": [
            {"sentence": sanction.match_sentence(player.display_name), "number": sanction.number}
            for player, sanction in found
            if concerned or not sanction.shielded
        ],
        "own": viewer in [player for player, _sanction in found],
    }


@register.inclusion_tag("arbitration/_kept_out.html")
def sanction_of(player: Player, viewer: Player | None) -> dict[str, Any]:
    """`{% sanction_of player viewer %}`: the suspension or ban of a player, on the player's page; of a minor, for conduct,
    only on the own page."""
    found = sanctioned.in_force([player.pk], published=True).values()
    shown = [one for one in found if player == viewer or not one.shielded]
    return {
        "out": [{"sentence": one.sentence(player.display_name), "number": one.number} for one in shown],
        "everywhere": True,
    }
