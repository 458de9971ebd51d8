"""Lists of names: saved whole or not at all, the same again changes nothing, an undo takes back what nobody relies on."""

from collections.abc import Iterator, Mapping

import pytest
from django.core.cache import cache

from tests.competitions.world import START, a_club, a_plan, a_player, a_signed_up_player, a_tournament, play_on
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Club, Membership, Team
from tock_league.clubs.services import form_team, give_role, join
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.persons import Leaving, Person
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.services.entries import late
from tock_league.competitions.services.entries.registration import register
from tock_league.newcomers import people, reading, services
from tock_league.newcomers.doubles import OTHER, Place
from tock_league.newcomers.models import ClaimCode, ListedName, NameList

pytestmark = pytest.mark.django_db
LIST = "nom\téquipe\nÉlodie Gélinas\tLes Draveurs\nYvon Roy\tLes Draveurs\nRéjean Côté\t\n"


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def saved(
    place: Place, text: str = LIST, choices: Mapping[int, str] | None = None, *, by=SITE, agreed: bool = True
) -> NameList | None:
    rows = reading.read(text.encode()).rows
    return services.save(by=by, place=place, rows=rows, choices=choices, agreed=agreed)


def an_officer(club: Club, name: str = "Chantal Brière") -> Player:
    officer = a_signed_up_player(f"{name.split()[0].lower()}@example.org", name)
    join(by=SITE, club=club, player=officer)
    give_role(by=SITE, club=club, player=officer, name="officer")
    return officer


def everything() -> dict[str, list[tuple[object, ...]]]:
    models = (Player, Membership, Team, NameList, ListedName, Entry)
    return {model.__name__: list(model._default_manager.order_by("pk").values_list()) for model in models}


@pytest.mark.both_databases
def test_a_list_makes_members_and_teams_and_the_same_again_changes_nothing() -> None:
    club = a_club()
    assert saved(club) is not None
    assert sorted(Player.objects.filter(memberships__club=club).values_list("display_name", flat=True)) == [
        "Réjean Côté", "Yvon Roy", "Élodie Gélinas"
    ]  # fmt: skip
    team = Team.objects.get()
    assert (team.name, team.club, team.spells.get(slot=1).player.display_name) == (
        "Les Draveurs", club, "Élodie Gélinas"
    )  # fmt: skip
    before = everything()
    assert saved(club) is None
    assert saved(club, LIST.replace("\t", ";").upper()) is None  # in capitals they are the same people
    assert everything() == before


def test_a_renamed_player_stays_the_person_of_the_list() -> None:
    club = a_club()
    saved(club)
    player = Player.objects.get(display_name="Yvon Roy")
    player.display_name = "Yvon Roy-Tremblay"
    player.save()
    assert saved(club) is None


def test_who_may_enter_names() -> None:
    club, other = a_club(), a_club("Club de Trois-Rivières", town="Trois-Rivières")
    stranger = an_officer(other)
    member = a_signed_up_player("m@example.org", "Sylvie Doucet")
    join(by=member, club=club)
    event = a_tournament(2, club=club, state="open")
    for person in (None, stranger, member):
        with pytest.raises(NotAllowed):
            saved(club, by=person)
        with pytest.raises(NotAllowed):
            saved(event, by=person)
    organiser = a_signed_up_player("o@example.org", "Marc Villemure")
    join(by=organiser, club=club)
    give_role(by=SITE, club=club, player=organiser, name="organiser")
    assert saved(club, by=organiser) is not None


def test_a_broken_line_or_a_missing_tick_saves_nothing() -> None:
    club = a_club()
    before = everything()
    for text, agreed, code in (
        (LIST + "=1+1\t\n", True, "faults"),
        (LIST + "Seul Ensemble\tUne autre\n", True, "faults"),
        (LIST, False, "agreed"),
    ):
        with pytest.raises(Refused) as caught:
            saved(club, text, agreed=agreed)
        assert caught.value.code == code
        assert everything() == before


def test_a_like_name_is_a_choice_and_shows_club_and_last_match() -> None:
    elsewhere = a_club("Club de Trois-Rivières", town="Trois-Rivières")
    event = a_tournament(2, plan=a_plan("knockout"), state="running")
    play_on(event)
    known = Player.objects.filter(roster_spots__competition=event).order_by("pk")[0]
    Player.objects.filter(pk=known.pk).update(display_name="Gelinas Elodie")
    known.refresh_from_db()
    known.save()
    join(by=SITE, club=elsewhere, player=known)
    club = a_club()
    with pytest.raises(Refused) as caught:
        saved(club)
    assert (caught.value.code, caught.value.details["line"]) == ("undecided", 2)
    seen = services.preview(by=SITE, place=club, rows=reading.read(LIST.encode()).rows)
    (candidate,) = seen.lines[0].candidates
    assert (candidate.player, candidate.club, candidate.event) == (known, elsewhere.name, event.name)
    assert candidate.last is not None
    saved(club, choices={2: known.slug})
    tie = Membership.objects.get(club=club, player=known)
    assert not tie.home  # at home elsewhere
    assert saved(club) is None  # the choice is remembered
    third = a_club("Club de La Tuque", town="La Tuque")
    saved(third, "nom\nÉlodie Gélinas\n", {2: OTHER})
    assert not Membership.objects.filter(club=third, player=known).exists()
    assert saved(third, "nom\nÉlodie Gélinas\n") is None


def test_a_team_of_that_name_with_other_players_is_a_fault() -> None:
    club = a_club()
    players = [a_player("Marc Villemure"), a_player("Sylvie Doucet")]
    for player in players:
        join(by=SITE, club=club, player=player)
    form_team(by=SITE, name="Les Draveurs", players=players, club=club)
    seen = services.preview(by=SITE, place=club, rows=reading.read(LIST.encode()).rows)
    assert [fault.line for fault in seen.faults] == [2]


@pytest.mark.both_databases
def test_an_undo_deletes_who_left_no_trace_and_names_who_stays() -> None:
    club = a_club()
    guest = a_player("Marc Villemure")
    made = saved(club, LIST + "Marc Villemure\t\nSylvie Doucet\t\n", {5: guest.slug})
    assert made is not None
    claimed = Player.objects.get(display_name="Réjean Côté")
    form_team(by=SITE, name="Autre", players=[claimed, guest], club=None)
    done = services.undo(by=SITE, names=made)
    assert (done.removed, done.left, list(done.stay)) == (3, 1, ["Réjean Côté"])
    assert not Team.objects.filter(name="Les Draveurs").exists()
    assert list(Membership.objects.filter(club=club, until=None).values_list("player", flat=True)) == [claimed.pk]
    assert Player.objects.filter(pk=guest.pk).exists()
    with pytest.raises(Conflict, match="undone"):
        services.undo(by=SITE, names=made)
    again = saved(club, "nom\nYvon Roy\n")  # an undone list knows nobody
    assert again is not None
    assert again.names.get().made_player


def test_who_has_played_stays_with_the_team() -> None:
    club = a_club()
    made = saved(club)
    assert made is not None
    event = a_tournament(3, club=club, plan=a_plan("knockout"), state="open")
    register(by=SITE, competition=event, team=Team.objects.get(name="Les Draveurs"))
    done = services.undo(by=SITE, names=made)
    assert (done.removed, sorted(done.stay)) == (1, ["Yvon Roy", "Élodie Gélinas"])
    assert Membership.objects.filter(club=club, until=None).count() == 2


def visitors(*names: str) -> str:
    return "nom\téquipe\tclub\n" + "".join(f"{name}\tLes {names[0].split()[0]}\tLa Tuque\n" for name in names)


@pytest.mark.both_databases
def test_visitors_teams_are_entered_at_once_and_once() -> None:
    event = a_tournament(2, plan=a_plan("knockout"), state="open")
    text = visitors("Élodie Gélinas", "Yvon Roy")
    made = saved(event, text)
    assert made is not None
    entry = Entry.objects.get(competition=event, team__name="Les Élodie")
    assert entry.state == Entry.State.ACCEPTED
    assert entry.team is not None
    assert entry.team.club is None
    assert entry.roster.filter(confirmed_at__isnull=False).count() == 2
    before = everything()
    assert saved(event, text) is None
    assert everything() == before
    with pytest.raises(Refused, match="faults"):
        saved(event, "nom\téquipe\nSeul Ensemble\tUne\n")
    with pytest.raises(Refused, match="faults"):
        saved(event, "nom\nSans Équipe\n")
    done = services.undo(by=SITE, names=made)
    entry.refresh_from_db()
    assert (entry.state, done.removed, len(done.stay)) == (Entry.State.WITHDRAWN, 0, 2)
    assert saved(event, text, {2: entry.roster.first().player.slug, 3: entry.roster.last().player.slug}) is not None


def test_a_name_of_another_player_of_the_event_refuses_the_whole_list() -> None:
    event = a_tournament(2, plan=a_plan("knockout"), state="open")
    taken = Player.objects.filter(roster_spots__competition=event).order_by("pk")[0]
    before = everything()
    with pytest.raises(Refused) as caught:
        saved(event, visitors(taken.display_name, "Yvon Roy"), {2: OTHER})
    assert caught.value.code == "name_confusable"
    assert everything() == before


def test_after_the_draw_no_list_is_saved() -> None:
    event = a_tournament(2, plan=a_plan("knockout"), state="running")
    count = Player.objects.count()
    with pytest.raises(Conflict):
        saved(event, visitors("Élodie Gélinas", "Yvon Roy"))
    assert Player.objects.count() == count
    assert Competition.objects.count() == 1


def test_an_erasure_forgets_which_line_meant_the_person() -> None:
    club = a_club()
    saved(club)
    yvon = Player.objects.get(display_name="Yvon Roy")
    services.make_code(by=SITE, player=yvon)
    people.forget(Leaving(Person(player=yvon), "Joueur 8F3", START))
    assert not ListedName.objects.filter(player=yvon).exists()
    assert not ClaimCode.objects.filter(player=yvon).exists()
    assert ListedName.objects.count() == 2


def test_a_late_team_is_made_by_names_and_entered_after_its_preview() -> None:
    made = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False))
    play_on(made)
    text = "nom\téquipe\nÉlodie Gélinas\tLes Draveurs\nYvon Roy\tLes Draveurs\n"
    for _time in range(2):  # the preview may be left, and the list sent again
        assert saved(made, text) is not None
        assert not made.entries.filter(team__name="Les Draveurs").exists()
    team = Team.objects.get(name="Les Draveurs")
    shown = late.preview(by=SITE, competition=made, team=team)
    entry = late.enter_late(by=SITE, competition=made, team=team, digest=shown.digest)
    assert (entry.state, entry.roster.count()) == ("playing", 2)
    assert saved(made, text) is None  # it is there
    with pytest.raises(Conflict):
        services.undo(by=SITE, names=NameList.objects.latest("pk"))


def test_names_enter_nobody_where_no_late_team_is_taken() -> None:
    cup = a_tournament(4)
    before = everything()
    with pytest.raises(Refused):
        saved(cup, "nom\téquipe\nÉlodie Gélinas\tLes Draveurs\nYvon Roy\tLes Draveurs\n")
    assert everything() == before
