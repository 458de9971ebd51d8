"""`{% load leaderboard %}`: tags and filters that show ratings."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.models import Ladder
from ratings.selectors import words
from ratings.selectors.chart import chart as drawing
from ratings.selectors.profiles import Step

register = template.Library()


@register.filter
def grouped(value: int) -> str:
    """`{{ row.score|grouped }}`: a whole number with the language's grouping of digits."""
    return words.number(value)


@register.filter
def ladder_name(ladder: Ladder) -> str:
    """`{{ ladder|ladder_name }}`: "Shawinigan, 2 teams"."""
    return words.ladder_name(ladder.family, ladder.teams)


@register.filter
def of_pairs(ladder: Ladder) -> bool:
    """`{% if ladder|of_pairs %}`: whether its teams are called pairs."""
    return words.of_pairs(ladder.family, ladder.teams)


@register.filter
def seat_of(ident: int) -> int:
    """`{% marble row.subject_id|seat_of 28 %}`: the marble shown for a subject, 0..7; always the same one."""
    return int(ident) % 8


@register.simple_tag
def change(points: int | None) -> SafeString:
    """`{% change row.month %}`: a change in points with a sign, and in words for screen readers; a dash for None."""
    if points is None:
        return format_html('<span aria-hidden="true">–</span><span class="visually-hidden">{}</span>', words.no_games())
    sign = "▲" if points > 0 else "▼" if points < 0 else "="
    figure = words.number(abs(points)) if points else ""
    return format_html(
        '<span aria-hidden="true">{} {}</span><span class="visually-hidden">{}</span>',
        sign,
        figure,
        words.difference(points),
    )


@register.inclusion_tag("ratings/_chart.html")
def history_chart(steps: list[Step], name: str) -> dict[str, Any]:
    """`{% history_chart steps name %}`: the chart of a history, and a table with the same data."""
    return {"chart": drawing(steps), "steps": steps[::-1], "name": name}


@register.filter
def signed(points: int) -> str:
    """`{{ points|signed }}`: a number with its sign: +12, −3, 0."""
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{words.number(abs(points))}"


@register.filter
def unlocalized(value: float) -> str:
    """A coordinate for SVG, with a decimal point in every language."""
    return f"{value:.1f}"
