"""Helpers of the tests of a tournament's pages: addresses, people of an entry, the form of its settings, the desk's button."""

import html
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from tock_league.common import clock
from tock_league.competitions.models import Match

from .world import a_tournament


def text(answer):
    return html.unescape(answer.content.decode())


def address(name, *args):
    return reverse(f"competitions:{name}", args=args)


def captain_of(entry):
    return entry.roster.get(role="starter", slot=1, left=None).player


def partner_of(entry):
    return entry.roster.get(role="starter", slot=2, left=None).player


def local(**ahead):
    return timezone.localtime(clock.now() + timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M")


def settings_form(club, /, **changes):
    values = {
        "name": "Coupe des Chutes",
        "club": club.pk,
        "kind": "groups_knockout",
        "size": 8,
        "groups": 2,
        "qualify": 2,
        "legs": 1,
        "rounds": 5,
        "clubs": "off",
        "third_place": "on",
        "best_of_group": 1,
        "best_of_knockout": 1,
        "best_of_final": 3,
        "rules": "shawinigan/1:4",
        "clocks": "on",
        "referee_wait": 300,
        "place": "tables",
        "starts_at": local(days=3),
        "entries_close_at": local(days=2),
        "check_in_from": local(days=2, hours=22),
        "check_in_until": local(days=2, hours=23),
        "seeding": "rating",
        "pause": 5,
        "auto": "on",
    }
    return {key: value for key, value in (values | changes).items() if value is not None}


def press(client, made):
    """Press the desk's button; return the name of the step that was done."""
    page = client.get(address("organise", made.slug))
    step = page.context["step"]
    assert step.label, step
    answer = client.post(address("step", made.slug), {"code": step.code})
    assert answer.status_code == 302, text(answer)
    return step.kind


def a_called_match(club):
    made = a_tournament(4, club=club)
    match = Match.objects.filter(competition=made, state="called").order_by("number").first()
    return made, match, [captain_of(side.entry) for side in match.side_rows.order_by("position")]
