"""`{% load leaderboard %}`: tags and filters that show ratings."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ratings.models import Ladder
from ratings.selectors import why, words
from ratings.selectors.chart import chart as drawing
from ratings.selectors.profiles import Step
from tock_league.accounts.models import Player
from tock_league.accounts.templatetags.people import initials

register = template.Library()
LARGE = 36  # pixels: above this size a badge has larger letters


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


@register.simple_tag
def badge(players: Sequence[Player], size: int = 28) -> SafeString:
    """`{% badge row.players 28 %}`: a grey disc with initials for each player, `size` in pixels; decoration.

    The discs of a pair overlap. They have no colour, so that nobody takes them for the marble of a seat.
    """
    step = size * 3 // 4
    width = size + step * max(0, len(players) - 1)
    letters = [initials(player.display_name)[: 2 if len(players) == 1 else 1] for player in players]
    discs = format_html_join(
        "",
        '<circle cx="{0}" cy="{1}" r="{2}"/><text x="{0}" y="{1}" dy=".35em">{3}</text>',
        (
            (str(round(size / 2 + number * step)), str(size // 2), str(size // 2 - 1), letter)
            for number, letter in enumerate(letters)
        ),
    )
    return format_html(
        '<svg class="badge{0}" width="{1}" height="{2}" viewBox="0 0 {1} {2}" aria-hidden="true">{3}</svg>',
        " large" if size > LARGE else "",
        str(width),
        str(size),
        discs,
    )


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
def history_chart(
    steps: list[Step], name: str, ident: str = "ch", table: bool = True, within: tuple[int, int] | None = None
) -> dict[str, Any]:
    """`{% history_chart steps name %}`: the chart of a history, and a table with the same data unless `table` is false.

    `ident`: differs between the charts of a page; `within`: see ratings.selectors.chart.
    """
    return {
        "chart": drawing(steps, within),
        "steps": steps[::-1],
        "name": name,
        "ident": ident,
        "table": table,
    }


@register.filter
def signed(points: int) -> str:
    """`{{ points|signed }}`: a number with its sign: +12, −3, 0."""
    return why.signed(points)


@register.filter
def unlocalized(value: float) -> str:
    """A coordinate for SVG, with a decimal point in every language."""
    return f"{value:.1f}"
