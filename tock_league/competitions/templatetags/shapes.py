"""`{% load shapes %}`: the rules and the table of a competition, in words."""

from django import template

from games.selectors import rule_sets

from ..models import Competition
from ..selectors.shapes import SIDES, table_words

register = template.Library()


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
def seat_at(position: int, index: int) -> int:
    """`{{ side.position|seat_at:forloop.counter0 }}`: the seat of a side's player, in roster order."""
    return position + SIDES * index
