"""News of a club: sent by its staff to its members, plain, a few a day, read as they are now."""

import pytest
from django.utils import translation

from tests.documents import squeezed
from tests.notices.test_pages import browser
from tests.notices.world import a_reader, delivered, told
from tock_league.accounts.permissions import SITE
from tock_league.clubs import people, services
from tock_league.clubs.models import ClubNews, ClubRole
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.common.persons import Leaving, Person
from tock_league.notices import selectors
from tock_league.people.retention import STEPS

pytestmark = [pytest.mark.django_db]
TEXT = "La salle ouvre à 18 h mercredi."


@pytest.fixture
def world(hand):
    ana, bob, eve = (a_reader(f"{name} Roy") for name in ("Ana", "Bob", "Eve"))
    club = services.found_club(by=ana, name="Les Pieux", town="Québec")
    services.join(by=bob, club=club)
    return club, ana, bob, eve


def test_the_members_get_it_in_the_words_of_the_page_and_nobody_else_does(world, settings):
    club, ana, bob, eve = world
    services.send_news(by=ana, club=club, text=f"  {TEXT}\n ")
    assert (told(ana), told(bob), told(eve)) == ([], ["club_news"], [])
    with translation.override("en"):
        shown = selectors.newest(bob)[0].told
    assert (shown.title, shown.sentence) == ("News of Les Pieux", TEXT)
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    assert TEXT in delivered()[0].body
    assert TEXT in squeezed(browser(bob.user).get(f"/clubs/{club.slug}/news/").content.decode())
    assert browser(eve.user).get(f"/clubs/{club.slug}/news/").status_code == 403


def test_a_double_click_sends_it_once_and_a_day_has_three(world, hand):
    club, ana, bob, _eve = world
    first = services.send_news(by=ana, club=club, text=TEXT)
    assert services.send_news(by=ana, club=club, text=TEXT) == first
    services.send_news(by=ana, club=club, text="Deux.")
    services.send_news(by=ana, club=club, text="Trois.")
    with pytest.raises(Refused) as refused:
        services.send_news(by=ana, club=club, text="Quatre.")
    assert (refused.value.code, refused.value.field) == ("too_many_news", "text")
    answer = browser(ana.user).post(f"/clubs/{club.slug}/news/", {"text": "Quatre."})
    assert (answer.status_code, len(told(bob))) == (422, 3)
    hand.advance(hours=25)
    services.send_news(by=ana, club=club, text="Quatre.")
    assert len(told(bob)) == 4


def test_a_text_that_is_deleted_counts_for_the_day(world, hand):
    club, ana, _bob, _eve = world
    for text in ("Un.", "Deux.", "Trois."):
        services.remove_news(by=ana, club=club, slug=services.send_news(by=ana, club=club, text=text).slug)
    with pytest.raises(Refused) as refused:
        services.send_news(by=ana, club=club, text="Quatre.")
    assert (refused.value.code, refused.value.status) == ("too_many_today", 429)
    hand.advance(hours=25)
    services.send_news(by=ana, club=club, text="Quatre.")


@pytest.mark.parametrize(
    "text", ["", "  ", "ab", "x" * 501, "<b>gras</b>", "<script>x</script>", "a\x00bc", "\u202etxet"]
)
def test_what_is_no_plain_short_text_is_refused_and_nothing_is_sent(world, text):
    club, ana, bob, _eve = world
    with pytest.raises(Refused) as refused:
        services.send_news(by=ana, club=club, text=text)
    assert refused.value.field == "text"
    assert (told(bob), ClubNews.objects.count()) == ([], 0)


def test_only_the_staff_of_the_club_sends_and_deletes(world):
    club, ana, bob, eve = world
    for person in (bob, eve):
        with pytest.raises(NotAllowed):
            services.send_news(by=person, club=club, text=TEXT)
    services.give_role(by=SITE, club=club, player=bob, name=ClubRole.Name.ORGANISER)
    news = services.send_news(by=bob, club=club, text=TEXT)
    other = services.found_club(by=eve, name="Les Autres", town="Québec")
    with pytest.raises(NotThere):
        services.remove_news(by=eve, club=other, slug=news.slug)
    assert told(ana) == ["club_news"]
    client = browser(ana.user)
    client.post(f"/clubs/{club.slug}/news/{news.slug}/delete/")
    assert (told(ana), ClubNews.objects.count()) == ([], 0)


def test_a_person_who_leaves_takes_their_news_along_and_their_name_out_of_others(world, hand):
    club, ana, bob, _eve = world
    services.give_role(by=SITE, club=club, player=bob, name=ClubRole.Name.OFFICER)
    services.send_news(by=ana, club=club, text="Bob Roy tient la buvette.")
    services.send_news(by=bob, club=club, text=TEXT)
    person = Person(bob.user, bob)
    exported = {section.name: list(section.rows(person)) for section in people.SECTIONS}
    assert [row["text"] for row in exported["club_news"]] == [TEXT]
    people.forget(Leaving(person, "Joueur 8F3", clock.now()))
    assert [news.text for news in ClubNews.objects.all()] == ["Joueur 8F3 tient la buvette."]
    assert told(ana) == []  # no notice is left of the text that is gone
    hand.advance(days=91)
    STEPS["club news"]()
    assert ClubNews.objects.count() == 0
