"""Following a player or a team: a private list, with their matches on the own pages."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Table
from games.permissions import Person
from games.services.casual import meeting, opening, seating
from tests.accounts.children import BACKEND, a_child, a_guardian, consented
from tests.competitions.world import START, a_league, first_match, play_match
from tests.documents import squeezed
from tock_league.accounts import blocks
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, give_role
from tock_league.clubs import following, services
from tock_league.clubs.models import Follow
from tock_league.clubs.selectors import shows_page
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.competitions.services.rounds import publishing
from tock_league.pages.others import others

pytestmark = pytest.mark.django_db


def a_player(name: str, **more) -> Player:
    user = create_user(email=f"{name.split()[0].lower()}@example.org")
    return create_player(display_name=name, user=user, birth_year=1980, **more)


def browser(player: Player) -> Client:
    Player.objects.filter(pk=player.pk).update(language="en")
    client = Client(headers={"accept-language": "en"})
    client.force_login(player.user, backend=BACKEND)
    return client


def read(client: Client, name: str, *args: str) -> str:
    return squeezed(client.get(reverse(name, args=args)).content.decode())


@pytest.fixture
def fan() -> Player:
    return a_player("Fan")


def refused(act) -> str:
    with pytest.raises(Refused) as error:
        act()
    assert str(error.value.sentence)
    return error.value.code


def test_one_follows_players_whose_page_is_open_and_teams(fan, monkeypatch):
    shown, closed = a_player("Ouverte", page_for="everybody"), a_player("Fermée")
    team = services.found_team(by=shown, name="Les As")
    assert following.follow_player(by=fan, player=shown) == following.follow_player(by=fan, player=shown)
    following.follow_team(by=fan, team=team)
    assert refused(lambda: following.follow_player(by=fan, player=closed)) == "not_allowed"
    assert refused(lambda: following.follow_player(by=fan, player=fan)) == "self_followed"
    with pytest.raises(NotAllowed):
        following.follow_team(by=SITE, team=team)
    services.dissolve(by=shown, team=team)
    team.refresh_from_db()
    assert refused(lambda: following.follow_team(by=closed, team=team)) == "team_dissolved"
    monkeypatch.setattr(following, "MOST", 2)
    assert refused(lambda: following.follow_player(by=fan, player=a_player("Une de trop", page_for="everybody"))) == (
        "follows_most"
    )
    following.unfollow(by=fan, team=team)
    following.unfollow(by=fan, team=team)
    assert [row.player for row in Follow.objects.all()] == [shown]


def test_what_many_see_at_once_is_what_each_page_says(fan):
    """The list asks for all players together; each answer is that of the page itself."""
    club = services.found_club(by=fan, name="Club de tock de Shawinigan", town="Shawinigan")
    everybody = [a_player(f"{word} page", page_for=word) for word in ("everybody", "signed_in", "clubs")]
    mate, partner, blocker = a_player("Membre"), a_player("Partenaire"), a_player("Autre", page_for="everybody")
    services.join(by=mate, club=club)
    team = services.found_team(by=fan, name="Les As")
    services.answer(by=partner, invitation=services.invite(by=fan, team=team, player=partner, slot=2), accept=True)
    child, guardian = a_child(page_for="everybody"), a_guardian()
    consented(child, guardian)
    stranger = a_player("Étrangère")
    boss = a_player("Chef")
    give_role(by=SITE, player=boss, name="administrator")
    for reader in (fan, guardian, stranger, boss):
        whom = [one for one in (*everybody, mate, partner, child, blocker) if one != reader]
        Follow.objects.bulk_create(Follow(follower=reader, player=one, since=clock.now()) for one in whom)
        seen = following.followed(reader)
        assert {one for one in whom if shows_page(one, reader)} == set(seen.players)
        assert set(seen.players) | set(seen.closed) == set(whom)
    blocks.block(by=blocker, player=fan)
    assert blocker in following.followed(fan).closed


def test_their_matches_are_on_the_own_pages_and_nobody_sees_the_list(fan):
    with clock.frozen(START):
        league = a_league(4)
        played, watched = league.matches.order_by("round__number", "number")[:2]
        play_match(played, 0)
        publishing.open_table(match_id=watched.pk, early=True)
        star = watched.side_rows.get(position=0).entry.team
        winner = played.side_rows.get(position=0).entry.roster.get(slot=1).player
        Player.objects.filter(pk=winner.pk).update(page_for="everybody")
        client = browser(fan)
        assert client.post(reverse("clubs:follow_team", args=[star.slug])).status_code == 302
        assert client.post(reverse("clubs:follow_player", args=[winner.slug])).status_code == 302
        found = others(fan)
        assert played in [view.match for view in found.matches.results]
        assert watched in [view.match for view in (*found.matches.live, *found.matches.ahead)]
        table = reverse("games:table", args=[watched.__class__.objects.get(pk=watched.pk).table.slug])
        for page in (read(client, "pages:home"), read(client, "pages:following")):
            assert table in page
            assert "Watch" in page
            assert "Whom you follow" in page or "Whom I follow" in page
        assert "Whom I follow" in read(client, "pages:player", fan.slug)
        other = browser(a_player("Curieuse"))
        for page in (read(other, "pages:following"), read(other, "pages:player", winner.slug)):
            assert star.name not in page or page.count("Fan") == 0
        assert "Fan" not in read(other, "pages:team", star.slug)
        client.post(reverse("clubs:unfollow_team", args=[star.slug]))
        client.post(reverse("clubs:unfollow_player", args=[winner.slug]))
        assert not others(fan).followed


def test_a_listed_casual_game_of_theirs_can_be_watched_and_no_other(fan):
    star = a_player("Vedette", page_for="everybody")
    following.follow_player(by=fan, player=star)
    seats = [Person(player_id=player.pk) for player in (star, a_player("Compagne"))]
    seen = []
    for listed, seated_only in ((True, False), (False, False), (True, True)):
        made = opening.open_table(by=seats[0], listed=listed, seated_only=seated_only)
        seating.sit(made.code, 1, by=seats[1])
        meeting.begin(made.code, by=seats[0], fill=True)
        made.table.games.update(state="playing")
        Table.objects.filter(pk=made.table_id).update(state="playing")
        seen.append(made.table.slug)
    assert [game.slug for game in others(fan).casual] == seen[:1]
    page = read(browser(fan), "pages:home")
    assert reverse("games:table", args=[seen[0]]) in page
    assert reverse("games:table", args=[seen[1]]) not in page


def test_the_own_matches_are_not_said_twice(fan):
    with clock.frozen(START):
        league = a_league(2)
        match = first_match(league)
        entry = match.side_rows.get(position=0).entry
        own = entry.roster.get(slot=1).player
        following.follow_team(by=own, team=match.side_rows.get(position=1).entry.team)
        assert others(own).matches.ahead == ()


def test_queries_do_not_grow_with_the_list(fan, django_assert_max_num_queries):
    with clock.frozen(START):
        league = a_league(4)
        for entry in league.entries.all():
            following.follow_team(by=fan, team=entry.team)
            for spot in entry.roster.all():
                Player.objects.filter(pk=spot.player_id).update(page_for="everybody")
                spot.player.refresh_from_db()
                following.follow_player(by=fan, player=spot.player)
        with django_assert_max_num_queries(20):
            assert len(others(fan, limit=20).matches.ahead) == league.matches.count()
