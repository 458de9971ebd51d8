"""What people write while a game goes on reaches the referee who holds the case, and nobody else before the end."""

import json

import pytest

from games.fold import Viewer, view
from games.models import GameEvent
from tests.competitions.world import a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import case_files, queues
from tock_league.arbitration.services.cases import admissibility, disputes
from tock_league.arbitration.services.referees import leases
from tock_league.common.errors import Conflict
from tock_league.competitions.services.seasons import roles
from tock_league.journal.selectors import entries

from .browsers import signed_in
from .world import TALK, World, decided, fresh, related

WORDS = "Il parle à son partenaire"


@pytest.fixture
def called(world: World):
    """A game in its first turns; seat 0 has called the referee because seat 1 talked."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="talk", text=WORDS).code
    disputes.add(by=world.players[1], case=Case.objects.get(), text="Je me tais")
    return sat, Case.objects.get()


def read(case: Case, viewer: Player) -> list[str]:
    return [said.text for said in case_files.case_file(fresh(case), viewer).statements]


def others(world: World) -> dict[str, Player]:
    """Return those with an office, or a right to the file, who do not hold the case."""
    admin = a_player("Administratrice")
    give_role(player=admin, name="administrator", by=SITE)
    relative = world.referees[2]
    related(world.players[1], relative)
    torn = a_player("Organisatrice parente")
    roles.give(by=SITE, competition=world.competition, player=torn, name="organiser")
    related(world.players[0], torn)
    return {
        "a second referee": world.referees[1],
        "the head referee without the case": world.head,
        "a referee in conflict": relative,
        "the organiser": world.organiser,
        "an organiser in conflict": torn,
        "the administrator": admin,
        "the partner": world.players[2],
    }


def test_only_the_holder_of_the_case_reads_the_words_of_a_running_game(world: World, called) -> None:
    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    assert read(case, world.referees[0]) == [WORDS, "Je me tais"]
    assert [who for who, person in others(world).items() if read(case, person)] == []
    assert read(case, world.players[0]) == [WORDS]
    leases.release(by=world.referees[0], case=case)
    assert read(case, world.referees[0]) == []


def test_a_holder_who_falls_into_conflict_reads_the_words_no_more(world: World, called) -> None:
    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    related(world.players[1], world.referees[0])
    assert read(case, world.referees[0]) == []


def test_after_the_game_the_words_are_open_to_those_with_a_right(world: World, called) -> None:
    sat, case = called
    leases.take(by=world.referees[0], case=case)
    world.rule(fresh(case), decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)), by=world.referees[0])
    assert not sat.send(1, "resign").code
    for person in others(world).values():
        assert read(case, person) == [WORDS, "Je me tais"]


def test_no_page_frame_or_export_of_a_running_game_holds_the_words(world: World, called) -> None:
    sat, case = called
    leases.take(by=world.referees[0], case=case)
    told = [json.dumps(view(sat.state, Viewer(seat=seat)), default=str) for seat in (0, 1, 2, 3, None)]
    told += [json.dumps(body) for body in GameEvent.objects.filter(game=sat.game).values_list("body", flat=True)]
    told += [entries.export(f"competition:{world.competition.slug}").decode()]
    for person in (*others(world).values(), None):
        client = signed_in(person)
        for page in (
            f"/cases/{case.number}/",
            "/cases/",
            f"/matches/{world.match.slug}/",
            f"/competitions/{world.competition.slug}/referee/",
            f"/competitions/{world.competition.slug}/rulings/",
            f"/games/{sat.game.slug}/",
            f"/tables/{sat.table.slug}/",
            f"/journal/competition:{world.competition.slug}/",
            "/",
        ):
            told.append(client.get(page).content.decode())
    assert not [text for text in told if WORDS in text or "Je me tais" in text]


def test_the_kind_of_a_call_is_hidden_on_every_page_while_the_table_plays(world: World, called) -> None:
    _sat, case = called
    for person in (world.players[1], world.players[2], world.organiser):
        assert case_files.case_file(fresh(case), person).case.kind == "other"
        assert {one.kind for one in queues.undecided_of_match(world.match, person)} == {"other"}
        assert {one.case.kind for one in case_files.waiting_for(person)} <= {"other"}
    assert {row.case.kind for row in case_files.queue(world.competition, world.organiser)} == {"other"}
    assert {row.case.kind for row in case_files.queue(world.competition, world.head)} == {"talk"}
    assert {one.kind for one in queues.undecided_of_match(world.match, world.head)} == {"talk"}


def test_the_table_reads_the_reasons_of_a_ruling_when_its_game_is_over(world: World, called) -> None:
    sat, case = called
    world.taken(case)
    world.rule(fresh(case), decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    (ruling,) = case_files.case_file(fresh(case), world.players[2]).rulings
    assert (ruling.facts, ruling.reasons, ruling.outcome) == ("", "", "upheld")
    assert not sat.send(1, "resign").code
    assert case_files.case_file(fresh(case), world.players[2]).rulings[0].facts == TALK.facts


def test_a_second_referee_decides_a_dismissal_when_the_words_may_be_read(world: World, called) -> None:
    sat, case = called
    leases.take(by=world.referees[0], case=case)
    admissibility.dismiss(by=world.referees[0], case=case, reason="Rien ne montre des paroles.", fresh=True)
    with pytest.raises(Conflict) as refused:
        admissibility.agree(by=world.referees[1], case=case, fresh=True)
    assert refused.value.code == "game_running"
    assert "second" not in case_files.case_file(fresh(case), world.referees[1]).may
    assert not sat.send(1, "resign").code
    assert "second" in case_files.case_file(fresh(case), world.referees[1]).may
    assert admissibility.agree(by=world.referees[1], case=case, fresh=True).state == "inadmissible"
