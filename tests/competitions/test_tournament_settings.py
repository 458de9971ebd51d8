"""The form of a tournament's settings: what it makes, invalid values, who may use it, changes until the draw."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.competitions.models import Competition

from .tournament_desk import address, settings_form
from .world import a_club, a_player, a_tournament

pytestmark = pytest.mark.django_db


def test_one_form_makes_a_tournament(sign_in, organiser, club):
    client = sign_in(organiser)
    assert client.get(address("new_tournament")).status_code == 200
    answer = client.post(address("new_tournament"), settings_form(club))
    made = Competition.objects.get()
    assert answer.url == address("organise", made.slug)
    assert (made.plan["kind"], made.plan["groups"], made.plan["best_of"]["final"]) == ("groups_knockout", 2, 3)
    assert made.regulations.body["referee_wait_s"] == 300
    assert made.check_in_until is not None
    assert client.get(answer.url).status_code == 200
    assert client.get(address("edit_tournament", made.slug)).status_code == 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "<b>Coupe</b>"}, "name"),
        ({"name": "C" * 1_000_000}, "name"),
        ({"name": "Coupe\x00"}, "name"),
        ({"groups": 0}, "groups"),
        ({"groups": ""}, "groups"),
        ({"qualify": 99}, "qualify"),
        ({"groups": 1, "qualify": 1}, "qualify"),
        ({"kind": "swiss", "rounds": 21}, "rounds"),
        ({"kind": "swiss", "rounds": ""}, "rounds"),
        ({"kind": "ladder"}, "kind"),
        ({"size": 1}, "size"),
        ({"size": 3}, "size"),
        ({"size": 10**30}, "size"),
        ({"best_of_final": 2}, "best_of_final"),
        ({"rules": "chess/1"}, "rules"),
        ({"pause": -1}, "pause"),
        ({"pause": 5000}, "pause"),
        ({"starts_at": "2020-01-01T19:00"}, "starts_at"),
        ({"starts_at": "yesterday"}, "starts_at"),
        ({"starts_at": "2027-03-14T02:30"}, "starts_at"),  # an hour that the clocks skip
        ({"check_in_until": ""}, "check_in_until"),
        ({"seeding": "friends"}, "seeding"),
        ({"club": 999_999}, "club"),
    ],
)
def test_a_bad_setting_comes_back_beside_its_field_and_nothing_is_made(changes, field, sign_in, organiser, club):
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(club, **changes))
    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert not Competition.objects.exists()


def test_the_page_works_out_what_the_settings_make_and_makes_nothing(sign_in, organiser, club):
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(club) | {"preview": "1"})
    # two groups of four: 12 matches, two semi-finals, third place and final
    assert answer.context["costs"]["made"].matches == 16
    assert answer.context["costs"]["made"].rounds == 5
    assert not Competition.objects.exists()


def test_only_organisers_make_tournaments_and_only_for_their_club(sign_in, organiser, club, client):
    assert client.get(address("new_tournament")).status_code == 302
    other = a_club("Les Pieux", town="Grand-Mère")
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(other))
    assert "club" in answer.context["form"].errors
    assert sign_in(a_player()).get(address("new_tournament")).status_code == 403


def test_settings_change_until_the_draw(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, state="closed")
    client = sign_in(organiser)
    form = settings_form(club, kind="knockout", name="Coupe du printemps", check_in_from="", check_in_until="")
    assert client.post(address("edit_tournament", made.slug), form).status_code == 302
    made.refresh_from_db()
    assert made.name == "Coupe du printemps"
    drawn = a_tournament(4, club=a_club("Les Pieux"))
    clubs.join(by=SITE, club=drawn.club, player=organiser, home=False)
    clubs.give_role(by=SITE, club=drawn.club, player=organiser, name="organiser")
    refused = client.post(address("edit_tournament", drawn.slug), form)
    assert refused.context["form"].non_field_errors()
