"""The ruling book: what is published of a case, and what never is."""

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts.models import BirthYear, Player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import case_files
from tock_league.arbitration.selectors.rulings import book, penalties
from tock_league.arbitration.templatetags.cases import kept_out
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.persons import Person
from tock_league.competitions.selectors.rounds import matches
from tock_league.journal.models import JournalEntry
from tock_league.people.erasure import erase

from .world import TALK, World, decided, fresh


def test_the_book_shows_the_case_with_a_link_to_the_play(world: World) -> None:
    case = world.ruled()
    shelf = book.published(case.number)
    assert shelf.replay_url == f"/games/{case.game.slug}/#5"
    assert shelf.last.facts == TALK.facts
    assert shelf.last.authors == (world.head.display_name,)
    assert [one.number for one in book.book(competition=world.competition).object_list] == [case.number]
    assert book.book(page="99").number == 1
    undecided = world.dispute(seq=6)
    assert book.published(undecided.number) is None


def test_nothing_of_a_running_game_is_in_the_book(world: World) -> None:
    sat = world.sat()
    sat.play_on(2)
    sat.send(0, "dispute", kind="talk", text="")
    case = world.taken(Case.objects.get())
    world.rule(case, decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    assert book.published(case.number) is None
    assert penalties.penalties_of_player(world.players[1]) == []
    assert not sat.send(1, "resign").code
    assert book.published(case.number) is not None
    assert len(penalties.penalties_of_player(world.players[1])) == 1


def test_a_conduct_case_publishes_its_outcome_only(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="other")))
    world.rule(case, world.against(case, row="abuse"))
    ruled = book.published(case.number)
    assert (ruled.last.facts, ruled.last.reasons, ruled.last.deviation_reason) == ("", "", "")
    assert (ruled.last.outcome, ruled.kind_label) == ("upheld", str(Case.Kind.CONDUCT.label))
    file = case_files.case_file(fresh(case), world.players[0])
    assert file.rulings[0].reasons == "Parler est interdit.", "the sides read why, or they could not appeal"


def test_a_claim_of_conduct_that_ends_in_another_finding_is_published_as_that(world: World) -> None:
    case = world.ruled(kind="conduct")
    ruled = book.published(case.number)
    assert (ruled.last.facts, ruled.kind_label) == ("Il a parlé au coup 12.", str(Case.Kind.TALK.label))


def test_a_dismissed_claim_of_conduct_publishes_no_text(world: World) -> None:
    case = world.taken(world.heard(world.dispute(kind="conduct")))
    world.rule(case, Decision("dismissed", facts="Il l’a insulté, dit-on.", reasons="Rien ne le montre."))
    assert book.published(case.number).last.facts == ""


@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        ("facts", "Écrire à lise@exemple.ca.", "email_found"),
        ("reasons", "Appelez le 819 555-0123.", "telephone_found"),
        ("deviation_reason", "lise@exemple.ca", "email_found"),
        ("rules", ("8", "819 555-0123"), "telephone_found"),
    ],
)
def test_a_published_text_holds_no_address_and_no_telephone_number(
    world: World, field: str, text: object, code: str
) -> None:
    case = world.taken(world.heard(world.dispute()))
    with pytest.raises(Refused) as refused:
        world.rule(case, world.against(case, **{field: text}))
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.details["found"] in str(refused.value.sentence)


def test_a_minor_found_against_for_conduct_has_a_pseudonym_in_public(world: World, client: Client) -> None:
    case = world.taken(world.heard(world.dispute(kind="conduct")))
    decision = world.against(case, row="abuse")
    minor = Player.objects.get(pk=decision.offender)
    BirthYear.objects.create(player=minor, year=clock.now().year - 17, told_at=clock.now())
    world.rule(case, decision)
    (ruling,) = book.published(case.number).rulings
    assert ruling.offender.display_name.startswith("Joueur ") or ruling.offender.display_name.startswith("Player ")
    addresses = [
        reverse("arbitration:ruling", args=[case.number]),
        reverse("arbitration:competition", args=[world.competition.slug]),
        reverse("arbitration:penalties_player", args=[minor.slug]),
    ]
    for address in addresses[:2]:
        text = client.get(address).content.decode()
        assert ruling.offender.display_name in text, address
        assert reverse("arbitration:penalties_player", args=[minor.slug]) not in text, address
    assert case.number not in client.get(addresses[2]).content.decode()
    assert [row.number for row in penalties.penalties_of_player(minor, minor)] == [case.number]
    told = [bytes(entry.body).decode() for entry in JournalEntry.objects.filter(stream__startswith="competition:")]
    assert any('"offender":"minor"' in body for body in told)
    # The parties and the referees of the case read the name, and an adult is named as before.
    assert case_files.case_file(fresh(case), world.players[0]).rulings[0].offender == minor
    BirthYear.objects.filter(player=minor).update(year=clock.now().year - 30)
    assert book.published(case.number).last.offender.display_name == minor.display_name


def test_no_page_tells_the_public_of_a_minors_suspension_and_an_erasure_keeps_it_so(
    world: World, client: Client
) -> None:
    case = world.taken(world.heard(world.dispute(kind="conduct")))
    decision = world.against(case, row="abuse", penalty="suspension", deviation_reason="Il a trois comptes.")
    minor = Player.objects.get(pk=decision.offender)
    BirthYear.objects.create(player=minor, year=clock.now().year - 17, told_at=clock.now())
    world.rule(case, decision)
    entry = world.match.side_rows.get(entry__roster__player=minor).entry
    ahead = entry.competition.matches.filter(side_rows__entry=entry, state="scheduled").first()
    match, page = (reverse("competitions:match", args=[ahead.slug]), reverse("pages:player", args=[minor.slug]))
    Player.objects.filter(pk=minor.pk).update(page_for="everybody")
    for address in (match, page):
        assert case.number not in client.get(address).content.decode(), address
    players = [spot.player for side in ahead.side_rows.all() for spot in side.entry.roster.all()]
    view = matches.match_view(ahead.slug, players[-1])
    assert [one["number"] for one in kept_out(view, players[-1])["out"]] == [case.number]
    erase(Person(None, minor))
    (ruling,) = book.published(case.number).rulings
    assert ruling.offender.slug == ""
    for address in (match, page, reverse("arbitration:penalties_player", args=[minor.slug])):
        assert case.number not in client.get(address).content.decode(), address
