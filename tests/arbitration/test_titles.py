"""The title of a case: the kind that its filer chose until it is ruled, then what was found."""

import pytest
from django.urls import reverse

from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.rulings import signing

from .browsers import signed_in, to, words_of
from .world import World, a_world, decided, fresh, votes

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db, hand) -> World:
    return a_world()


def titles(world: World, case: Case) -> set[str]:
    """Return which of the words stand in the titles of the case and in the lists that name it."""
    party, public = signed_in(world.players[0]), signed_in(None)
    pages = [party.get(to("case", case.number)), party.get(reverse("arbitration:mine"))]
    pages.append(public.get(reverse("competitions:match", args=[world.match.slug])))
    if case.state not in ("filed", "assigned", "hearing"):
        pages += [public.get(to("ruling", case.number)), public.get(reverse("arbitration:book"))]
    texts = [words_of(page).lower() for page in pages]
    number = case.number.rsplit("-", 1)[-1]
    known = ("conduct", "talking", "claim dismissed", "plays a move that is not allowed")
    return {word for word in known for text in texts for mark in (": ", " · ") if f"{number}{mark}{word}" in text}


def test_a_case_filed_as_conduct_and_found_to_be_talking_is_called_talking(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="conduct")))
    assert titles(world, case) == {"conduct"}
    world.rule(case, world.against(case))
    assert titles(world, fresh(case)) == {"talking"}


def test_a_case_that_was_dismissed_no_longer_bears_the_claim(world: World) -> None:
    case = world.ruled(Decision("dismissed", facts="Rien.", reasons="Personne n’a rien entendu."))
    assert titles(world, case) == {"claim dismissed"}


def test_the_title_follows_the_panel(world: World) -> None:
    case = world.appealed()
    assert titles(world, case) == {"talking"}
    members = votes(world, case, "overturn", "overturn", "overturn")
    nothing = Decision("dismissed", facts="Le témoin est sûr.", reasons="La parole n’est pas prouvée.")
    shown = hearing.preview(by=members[0], case=fresh(case), decision=nothing)
    hearing.rule(by=members[0], case=fresh(case), decision=nothing, preview_digest=shown.digest)
    assert titles(world, fresh(case)) == {"claim dismissed"}


def test_while_the_table_plays_on_its_players_do_not_read_the_finding(world: World, hand) -> None:
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="conduct", text="Il crie").code
    case = world.taken(Case.objects.get())
    decision = decided(world.against(case), offender=world.players[1].pk, remedies=("blind_burn",))
    shown = signing.preview(by=world.head, case=case, decision=decision)
    signing.sign(by=world.head, case=case, decision=decision, preview_digest=shown.digest)
    page = words_of(signed_in(world.players[1]).get(to("case", case.number)))
    assert "something else" in page
    assert f"Case {case.number[-6:]}: talking" not in page
    assert f"Case {case.number[-6:]}: talking" in words_of(signed_in(world.head).get(to("case", case.number)))
