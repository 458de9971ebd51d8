"""The private links of teams: made, printed, renewed, deleted, guessed; what they show and to whom."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import a_plan, a_player, a_tournament, decide, play_on, under_way
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import NotAllowed
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.services.entries import withdrawals
from tock_league.hall.models import TeamLink
from tock_league.hall.selectors.secret import secret_of
from tock_league.hall.services import clocks, links
from tock_league.hall.views import public

from .conftest import serving

pytestmark = pytest.mark.django_db


def phone(entry: Entry) -> Any:
    """Return the answer to a phone of the team, which has never signed in."""
    return Client().get(reverse("hall:team", args=[secret_of(TeamLink.objects.get(entry=entry))]), {"lang": "en"})


def entries_of(match: Match) -> list[Entry]:
    return [side.entry for side in match.side_rows.order_by("position")]


@pytest.fixture
def linked(swiss: Competition) -> Competition:
    links.make(by=SITE, competition=swiss)
    return swiss


def test_a_phone_shows_table_opponents_time_and_last_result_without_signing_in(
    linked: Competition, hand: clock.Frozen
) -> None:
    match = under_way(linked)[1]
    mine, other = entries_of(match)
    clocks.start(by=SITE, competition=linked, minutes=40, call="turn", seen=0)
    clocks.add(by=SITE, competition=linked, minutes=5, seen=1, table=match.table_no)
    answer = phone(mine)
    page = answer.context["page"]
    assert (page.now.view.match.table_no, page.now.other.name, page.last) == (2, str(other), None)
    assert page.clock.left_ms == 45 * 60_000  # with the extra time of this table
    text = answer.content.decode()
    assert str(other) in text
    assert other.roster.first().player.display_name in text
    play_on(linked, matches=2)
    ended = {page.last.said: page.last.score for page in (phone(entry).context["page"] for entry in (mine, other))}
    assert ended == {"Won": "1 – 0", "Lost": "0 – 1"}
    page = phone(mine).context["page"]
    assert (page.now.view.match.round.number, page.last.view.match.round.number) == (2, 1)


def test_a_link_is_a_page_that_is_not_indexed_not_kept_and_allows_nothing(linked: Competition) -> None:
    entry = entries_of(under_way(linked)[0])[0]
    answer = phone(entry)
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Cache-Control"] == "private, no-cache"
    assert not answer.cookies
    text = answer.content.decode()
    assert "<form" not in text
    assert "@" not in text.replace("@font", "")
    path = reverse("hall:team", args=[secret_of(TeamLink.objects.get(entry=entry))])
    assert Client().post(path).status_code == 405
    stored = TeamLink.objects.get(entry=entry)
    assert path.split("/")[2] not in (stored.digest, stored.sealed, str(stored))


def test_links_are_made_once_renewed_and_deleted(linked: Competition) -> None:
    entry, other = entries_of(under_way(linked)[0])
    secrets = {link.entry_id: secret_of(link) for link in TeamLink.objects.all()}
    assert len(set(secrets.values())) == 4
    assert links.make(by=SITE, competition=linked) == 0  # a second press changes nothing
    links.renew(by=SITE, entry=entry)
    assert Client().get(reverse("hall:team", args=[secrets[entry.pk]])).status_code == 404
    assert phone(entry).status_code == 200
    assert Client().get(reverse("hall:team", args=[secrets[other.pk]])).status_code == 200
    assert links.stop(by=SITE, competition=linked) == 4
    assert links.stop(by=SITE, competition=linked) == 0
    assert Client().get(reverse("hall:team", args=[secrets[other.pk]])).status_code == 404


def test_only_organisers_make_them(swiss: Competition) -> None:
    entry = swiss.entries.first()
    for person in (serving(swiss, "referee"), a_player("Réjean Lampron"), None):
        with pytest.raises(NotAllowed):
            links.make(by=person, competition=swiss)
        with pytest.raises(NotAllowed):
            links.renew(by=person, entry=entry)
        with pytest.raises(NotAllowed):
            links.stop(by=person, competition=swiss)
    assert links.make(by=serving(swiss, "organiser"), competition=swiss) == 4


def test_who_guesses_is_stopped_and_a_hall_that_reads_is_not(linked: Competition) -> None:
    entry = entries_of(under_way(linked)[0])[0]
    guesser = Client()
    answers = [guesser.get(f"/t/guess{number}/").status_code for number in range(public.GUESSES + 2)]
    assert answers == [404] * public.GUESSES + [429] * 2
    assert phone(entry).status_code == 200


def test_a_phone_says_what_is_so_in_each_state(hand: clock.Frozen) -> None:
    early = a_tournament(3, state="open", plan=a_plan("swiss", rounds=3))
    links.make(by=SITE, competition=early)
    assert "The draw is not made yet." in phone(early.entries.first()).content.decode()
    odd = a_tournament(5, plan=a_plan("swiss", rounds=3))
    links.make(by=SITE, competition=odd)
    resting = next(entry for entry in odd.entries.all() if phone(entry).context["page"].rests)
    assert "no match in this round" in phone(resting).content.decode()
    withdrawals.withdraw(by=SITE, entry=resting, reason="Malade")
    assert phone(resting).context["page"].is_out
    cup = a_tournament(4, plan=a_plan(third_place=False))
    links.make(by=SITE, competition=cup)
    first = under_way(cup)[0]
    winner, loser = entries_of(decide(first, 0))
    assert phone(winner).context["page"].now.view.match.label == "final"
    assert "No further match is known yet." in phone(loser).content.decode()
    play_on(cup)
    assert "Your place: 1" in phone(winner).content.decode() + phone(entries_of(first)[1]).content.decode()
    Competition.objects.filter(pk=cup.pk).update(is_rehearsal=True)
    assert phone(winner).status_code == 404
