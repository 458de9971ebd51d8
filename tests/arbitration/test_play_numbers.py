"""Plays in words and with the numbers of the replay, wherever a case or a ruling names one."""

import re

import pytest
from django.urls import reverse

from games.models import Game, GameEvent
from games.selectors.plays import numbering
from games.selectors.referee import take_backs
from tock_league.arbitration.models import Case, Effect
from tock_league.arbitration.selectors.cases.cards import the_card
from tock_league.arbitration.selectors.cases.game_log import log_of
from tock_league.arbitration.selectors.cases.positions import place_words, take_back_words
from tock_league.arbitration.services.referees import leases
from tock_league.competitions.services.results import settlement

from .browsers import signed_in, to, typed, words_of
from .world import World, a_world

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
TABLES_OWN = re.compile(r"(deck|draw)\b")


@pytest.fixture
def world(db, hand) -> World:
    return a_world()


@pytest.fixture
def called(world: World):
    """A game after some plays; seat 0 has called, and a referee has the case."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="illegal", text="Il a joué un coup interdit").code
    case = Case.objects.get()
    leases.take(by=world.referees[0], case=case)
    return sat, case


def counted(game: Game) -> list[GameEvent]:
    """Return the plays of the game's seats, as a reader of the replay counts them."""
    plays = GameEvent.objects.filter(game=game, kind="play").order_by("seq")
    return [play for play in plays if not TABLES_OWN.match(play.body["play"])]


def a_choice(sat) -> tuple[int, str]:
    """Play until a seat may lay one of two cards; return the seat and one of them."""
    for _ in range(300):
        (seat,) = sat.state.to_act
        cards = sorted({line.split()[0] for line in sat.state.legal(seat) if not line.startswith("burn")})
        if len(cards) >= 2:
            return seat, cards[0]
        sat.play_on(1)
    raise AssertionError("no choice in 300 plays")


def test_a_place_in_a_game_has_the_number_of_its_play(called) -> None:
    sat, case = called
    plays, numbers = counted(sat.game), numbering(sat.game)
    assert place_words(sat.game, 1) == "before the first play"
    for number, play in enumerate(plays, 1):
        assert (numbers.upto(play.seq), numbers.is_play(play.seq)) == (number, True)
        assert place_words(sat.game, play.seq) == f"play {number}"
    assert place_words(sat.game, case.seq) == f"after play {len(plays)}"


def test_a_take_back_is_offered_as_the_play_before_which_it_leads(world: World, called) -> None:
    sat, case = called
    page = words_of(signed_in(world.referees[0]).get(to("case", case.number)))
    last = counted(sat.game)[-1]
    card = re.findall(r"JK|10[SHDC]|[2-9AJQK][SHDC]", last.body["play"])[0]
    name = world.players[last.body["seat"]].display_name
    assert f"before {the_card(card)} ({name}), play {len(counted(sat.game))}" in page
    assert "of the record" not in page


def test_a_take_back_takes_back_the_plays_that_it_names(world: World, called) -> None:
    sat, case = called
    back = take_backs(sat.game)[0]  # of a turn with a joker there are two
    plays = counted(sat.game)
    assert (back.first, back.last, back.seat) == (len(plays), len(plays), plays[-1].body["seat"])
    browser = signed_in(world.referees[0])
    decided = typed(world, row="illegal", remedies=["rewind"], rewind_to=back.to)
    shown = browser.post(to("rule", case.number), decided | {"do": "preview"})
    assert f"taken back: before the {the_card(back.cards[0])[4:]}" in words_of(shown)
    digest = shown.context["preview"].digest
    assert browser.post(to("rule", case.number), decided | {"do": "sign", "preview_digest": digest}).status_code == 302
    assert plays[-1].body["play"] in sat.state.legal(plays[-1].body["seat"])
    sentence = f"Play {len(plays)} is taken back."
    assert sentence in words_of(browser.get(to("case", case.number)))
    case.refresh_from_db()
    assert sentence in [line.text for line in log_of(case, judges=True)]
    # The play that is made instead has the next number: the one taken back keeps its own.
    sat.play_on(1)
    assert place_words(sat.game, counted(sat.game)[-1].seq) == f"play {len(plays) + 1}"
    assert sentence in words_of(browser.get(to("case", case.number)))


def test_the_current_decision_is_offered_only_when_something_was_touched(world: World, hand) -> None:
    sat = world.sat()
    sat.play_on(2)
    assert all(back.first <= back.last for back in take_backs(sat.game))
    turn, card = a_choice(sat)
    assert not sat.send(turn, "touch", card=card).code
    [touched, *_more] = take_backs(sat.game)
    assert (touched.first - touched.last, touched.seat, touched.cards) == (1, turn, ())
    name = world.players[turn].display_name
    said = take_back_words(touched, {turn: name})
    assert said == f"what {name} has laid or touched for play {touched.first}; no play"


def test_pages_of_a_dispute_and_its_ruling_number_the_play_as_the_replay_does(world: World, hand) -> None:
    sat = world.sat()
    sat.play_on(6)
    sat.send(1, "resign")
    settlement.settle(game_id=sat.game.pk)
    game, seq = sat.game, counted(sat.game)[6].seq
    side = signed_in(world.players[1])
    asked = side.get(reverse("arbitration:dispute", args=[game.slug]), {"seq": seq})
    link = f'<a href="{reverse("games:replay", args=[game.slug])}#{seq}">play 7</a>'
    assert link in asked.content.decode()
    case = world.taken(world.heard(world.dispute(seq=seq)))
    page = signed_in(world.head).get(to("case", case.number))
    assert "Play 7" in words_of(page)
    assert f"{reverse('games:replay', args=[game.slug])}#{seq}" in page.content.decode()
    world.rule(case, world.against(case))
    assert "play 7 ·" in words_of(signed_in(None).get(to("ruling", case.number)))
    assert not Effect.objects.filter(type="rewind").exists()
