"""`{% load shapes %}`: the rules, the table and the games of a competition, in words."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.urls import reverse
from django.utils import translation
from django.utils.formats import localize
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.families.words import Text
from games.selectors import rule_sets
from tock_league.common import clock

from ..core.plan import TournamentPlan
from ..models import Competition, Entry, Match, MatchGame
from ..selectors.entries.partners import has_desk, visible
from ..selectors.rounds.odds import Odds
from ..selectors.seasons.counting import counted_words, difference_words, length_words, scored_column
from ..selectors.seasons.shapes import SIDES, table_words

register = template.Library()


@register.filter
def odds_of(odds: Mapping[int, Odds] | None, match: Match) -> Odds | None:
    """`{% with odds|odds_of:view.match as chances %}`: the match's odds in `odds`, by the match's id; None for none."""
    return odds.get(match.pk) if isinstance(odds, Mapping) else None


@register.filter
def rules_name(competition: Competition) -> str:
    """`{{ competition|rules_name }}`: "Tock (French rules)"."""
    return rule_sets.name_of(competition.rules)


@register.filter
def rules_page(competition: Competition) -> str:
    """`{% url 'pages:rules' competition|rules_page %}`: the page that explains them."""
    return rule_sets.page_of(competition.rules)


@register.filter
def table_of(competition: Competition) -> str:
    """`{{ competition|table_of }}`: "6 seats, 3 against 3"."""
    return table_words(competition.seats)


@register.filter
def length_of(competition: Competition) -> str:
    """`{{ competition|length_of }}`: "5 rounds", "to the ace, and past it"; "" where a game's length is never chosen."""
    return length_words(competition)


@register.filter
def has_partner_desk(competition: Competition, viewer: Any) -> bool:
    """`{% if competition|has_partner_desk:viewer %}`: whether the reader may look for partners for it now, once signed in."""
    if not has_desk(competition):
        return False
    return visible(viewer, competition) if viewer else competition.is_planned or competition.club_id is None


@register.filter
def summary(plan: TournamentPlan) -> str:
    """`{{ plan|summary }}`: "Swiss, 5 rounds"."""
    return plan.chosen.summary(plan, translation)


@register.filter
def counted(competition: Competition) -> Text:
    """`{{ competition|counted }}`: the column of what games are counted by, "Marbles" or "Levels"."""
    return counted_words(competition.rules, competition.cap)


@register.filter
def scored(competition: Competition) -> Text:
    """`{{ competition|scored }}`: the column of what is scored under a time cap, "" where games go to their end."""
    cap = competition.cap
    return scored_column(cap) if cap is not None else ""


@register.filter
def difference(competition: Competition) -> Text:
    """`{{ competition|difference }}`: the same as a criterion, "marble difference" or "level difference"."""
    return difference_words(competition.rules, competition.cap)


@register.filter
def is_tied(game: MatchGame) -> bool:
    """`{% if game|is_tied %}`: whether it was played to a tie, as one of a fixed number of rounds or under a time cap may be."""
    return game.game.reason in ("played", "time") and len(set(game.game.ranks or (0, 1))) == 1


@register.filter
def seat_at(position: int, index: int) -> int:
    """`{{ side.position|seat_at:forloop.counter0 }}`: the seat of a side's player, in roster order."""
    return position + SIDES * index


@register.simple_tag
def explained(value: Any, has_terms: object, address: str, entry: Entry, part: str) -> str:
    """`{% explained line.points line.row.has_terms address line.entry made.points_part %}`: the figure, linked to the terms that
    make it up: `part` of the entry's page, which `standings.js` opens in place.

    `address`: that of an entry `_`. Without terms there is nothing to explain, and the figure stands alone.
    """
    if not has_terms:
        return format_html("{}", localize(value))
    # A long table would spend its time on reversing addresses.
    return format_html('<a data-why href="{}{}/#{}">{}</a>', address[:-2], entry.slug, part, localize(value))


@register.simple_tag
def entry_link(entry: Entry, name: str) -> str:
    """`{% entry_link line.entry line.name %}`: the name of an entry, which leads to its team or player."""
    if entry.team is not None:
        return format_html('<a href="{}">{}</a>', reverse("pages:team", args=[entry.team.slug]), name)
    if entry.player is not None:
        return format_html('<a href="{}">{}</a>', reverse("pages:player", args=[entry.player.slug]), name)
    return format_html("{}", name)


@register.filter
def seconds_until(at: datetime) -> int:
    """`{{ competition.step_due_at|seconds_until }}`: whole seconds from now, 0 when the moment has passed."""
    return max(0, math.ceil((at - clock.now()).total_seconds()))


@register.filter
def splitted(words: str) -> list[str]:
    """`{% for minutes in "1 2 3"|splitted %}`: the words of a constant."""
    return words.split()


MARKS = {
    "win": ("form-won", pgettext_lazy("letter for a match won", "W"), _("won")),
    "tie": ("form-drawn", pgettext_lazy("letter for a match tied", "T"), _("tied")),
    "loss": ("form-lost", pgettext_lazy("letter for a match lost", "L"), _("lost")),
}


@register.simple_tag
def form_marks(form: Sequence[str]) -> str:
    """`{% form_marks line.form %}`: the last results, a letter each. `form`: "win", "tie", "loss"; read as one image."""
    return _form_marks(tuple(form), translation.get_language()) if form else ""


@lru_cache(maxsize=1024)
def _form_marks(form: tuple[str, ...], _language: str | None) -> str:
    made = [MARKS[outcome] for outcome in form]
    letters = format_html_join("", '<i class="{}">{}</i>', ((look, letter) for look, letter, _word in made))
    words = ", ".join(str(word) for _look, _letter, word in made)
    return format_html('<span class="recent-form" role="img" aria-label="{}">{}</span>', words, letters)
