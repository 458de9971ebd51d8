"""A round that begins after a countdown: by the sweep, cancelled in one press, on everybody's pages."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Round
from tock_league.competitions.selectors.seasons.next_step import next_step
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import countdown, steps
from tock_league.competitions.tasks import keep_tournaments

from .tournament_desk import address, captain_of, text
from .world import a_plan, a_player, a_tournament, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(club, hand):
    """A Swiss tournament whose first round is over; the second one waits for its organiser."""
    made = a_tournament(4, club=club, plan=a_plan("swiss", rounds=3, auto=False))
    play_on(made)
    return made


def rounds(made):
    return Round.objects.filter(group__stage__competition=made).count()


def begin(made, minutes, by=SITE):
    return countdown.begin(by=by, competition=made, code=next_step(made).code, minutes=minutes)


@pytest.mark.both_databases
def test_the_sweep_begins_the_round_when_the_time_is_over_and_not_before(swiss, hand):
    begin(swiss, 5)
    hand.advance(minutes=4, seconds=59)
    keep_tournaments()
    assert rounds(swiss) == 1
    hand.advance(seconds=1)
    keep_tournaments()
    keep_tournaments()
    assert rounds(swiss) == 2
    swiss.refresh_from_db()
    assert (swiss.step_due_at, swiss.step_due) == (None, "")


def test_no_minutes_begin_it_at_once(swiss):
    assert begin(swiss, 0).step_due_at is None
    assert rounds(swiss) == 2


def test_a_cancelled_countdown_begins_nothing_and_another_one_replaces_the_first(swiss, hand):
    begin(swiss, 5)
    for _press in range(2):
        assert countdown.cancel(by=SITE, competition=swiss).step_due_at is None
    hand.advance(minutes=6)
    keep_tournaments()
    assert rounds(swiss) == 1
    begin(swiss, 15)
    begin(swiss, 1)
    hand.advance(minutes=1)
    keep_tournaments()
    assert rounds(swiss) == 2


def test_a_step_that_was_done_by_hand_ends_the_countdown(swiss, hand):
    begin(swiss, 5)
    steps.take(by=SITE, competition=swiss, code=next_step(swiss).code)
    keep_tournaments()
    swiss.refresh_from_db()
    assert swiss.step_due_at is None
    hand.advance(minutes=10)
    keep_tournaments()
    assert rounds(swiss) == 2


def test_a_round_that_cannot_be_paired_ends_its_countdown_and_the_desk_shows_why(swiss, hand):
    begin(swiss, 5)
    swiss.entries.update(state="withdrawn")
    hand.advance(minutes=5)
    for _sweep in range(2):
        keep_tournaments()
    swiss.refresh_from_db()
    assert (swiss.step_due_at, rounds(swiss)) == (None, 1)


def test_a_tournament_starts_after_a_countdown_too(hand):
    made = a_tournament(4, state="closed")
    draw.draw(by=SITE, competition=made)
    begin(made, 2)
    hand.advance(minutes=2)
    keep_tournaments()
    made.refresh_from_db()
    assert made.state == "running"


def test_only_organisers_begin_rounds_within_fifteen_minutes(swiss, organiser):
    for nobody in (None, a_player("Réjean"), captain_of(swiss.entries.first())):
        with pytest.raises(NotAllowed):
            begin(swiss, 5, by=nobody)
        with pytest.raises(NotAllowed):
            countdown.cancel(by=nobody, competition=swiss)
    for minutes in (-1, 16):
        with pytest.raises(Refused) as refused:
            begin(swiss, minutes, by=organiser)
        assert refused.value.field == "minutes"
    with pytest.raises(Conflict):
        countdown.begin(by=organiser, competition=swiss, code="next:7", minutes=5)
    with pytest.raises(Conflict):  # only a step that begins a round
        begin(a_tournament(2, state="open"), 5)


def test_everybody_sees_it_and_one_press_of_the_organiser_cancels_it(sign_in, client, organiser, swiss):
    desk = sign_in(organiser)
    here = address("organise", swiss.slug)
    step = desk.get(here).context["step"]
    assert desk.post(address("begin_countdown", swiss.slug), {"code": step.code, "minutes": "5"}).status_code == 302
    assert desk.post(address("begin_countdown", swiss.slug), {"code": step.code, "minutes": "99"}).status_code == 422
    assert address("cancel_countdown", swiss.slug) in text(desk.get(here))
    client.logout()
    for page in ("competition", "matches", "teams", "rounds"):
        shown = text(client.get(address(page, swiss.slug)))
        assert 'data-countdown="300"' in shown, page
        assert address("cancel_countdown", swiss.slug) not in shown
    desk = sign_in(organiser)
    assert desk.post(address("cancel_countdown", swiss.slug)).status_code == 302
    assert "data-countdown" not in text(desk.get(address("competition", swiss.slug)))
