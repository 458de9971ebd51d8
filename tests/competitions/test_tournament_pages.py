"""The public pages of tournaments: what they say, where they lead, how many queries they take."""

import re

import pytest
from django.urls import reverse

from tock_league.competitions.models import Competition

from .world import a_plan, a_tournament, decide, play_on, under_way

KINDS = ("knockout", "groups_knockout", "swiss")


def get(client, name, competition, **more):
    answer = client.get(reverse(f"competitions:{name}", args=[competition.slug, *more.values()]))
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("state", ["open", "closed", "running", "finished"])
def test_every_page_of_a_tournament_opens_in_every_state(client, hand, db, kind, state):
    made = a_tournament(8, plan=a_plan(kind), state=state)
    pages = ["competition", "teams", "matches", "regulations"]
    pages += {"groups_knockout": ["groups"], "swiss": ["rounds"]}.get(kind, [])
    for name in pages:
        page = get(client, name, made)
        assert made.name in page
        assert not re.search(r"<style|style=|\son[a-z]+=|<script(?![^>]*src=)", page), name
