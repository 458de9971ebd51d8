"""Everybody whom a case, an appeal or a ruling touches sees it, and until when they may answer; visitors see nothing."""

import pytest

from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases.concerns import concerns, waiting_for
from tock_league.arbitration.services.appeals import hearing, replies
from tock_league.arbitration.services.cases import overdue
from tock_league.common.errors import Conflict, NotAllowed, Refused

from .browsers import signed_in, words_of
from .world import World, a_referee, fresh, replied


def told(person: Player | None) -> list[str]:
    return [one.what for one in concerns(person)]


def appealed(world: World) -> Case:
    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    return fresh(case)


def test_both_sides_see_a_case_and_the_one_that_may_answer_sees_until_when(world: World, hand) -> None:
    case = world.dispute()
    (one,) = concerns(world.players[0])
    assert (one.what, one.case) == ("answer", case)
    assert one.due_at == case.deadlines.get(kind="answer").due_at
    assert told(world.players[1]) == told(world.players[3]) == ["touched"]
    assert waiting_for(world.players[1]) == []
    assert told(a_referee(world.competition)) == ["take"]
    assert told(None) == []
    world.heard(case)
    assert told(world.players[0]) == ["touched"]


def test_both_sides_see_a_ruling_and_until_when_they_may_appeal(world: World, hand) -> None:
    world.ruled()
    for player in world.players:
        (one,) = concerns(player)
        assert (one.what, one.due_at) == ("appeal", case_end(world))
    hand.advance(hours=49)
    overdue.sweep()
    assert told(world.players[0]) == ["ruled"]
    hand.advance(days=7)
    assert told(world.players[0]) == []


def case_end(world: World):
    return Case.objects.get().deadlines.get(kind="appeal").due_at


def test_the_other_side_of_an_appeal_the_panel_and_the_organiser_see_it(world: World) -> None:
    case = appealed(world)
    assert told(world.players[0]) == told(world.players[2]) == ["appealed"]
    (one,) = concerns(world.players[1])
    assert (one.what, one.due_at) == ("reply", case.deadlines.get(kind="answer", done_at=None).due_at)
    assert "form_panel" in told(world.organiser)
    hearing.form_panel(by=world.organiser, case=case)
    member = fresh(case).panel.get(place=1).member
    assert told(member) == [], "the panel votes when the other side has replied, or its time is over"
    replied(case, world.players)
    (due,) = concerns(member)
    assert (due.what, due.due_at) == ("vote", case.deadlines.get(kind="panel").due_at)


def test_the_first_page_and_the_match_tell_the_parties_and_no_visitor(world: World) -> None:
    case = appealed(world)
    for page in ("/", f"/matches/{world.match.slug}/"):
        assert "The other side has appealed; your side may reply." in words_of(signed_in(world.players[1]).get(page))
        assert "An appeal is about your match." in words_of(signed_in(world.players[0]).get(page))
        visitor = signed_in(None).get(page).content.decode()
        assert f"/cases/{case.number}/" not in visitor
        assert "your match" not in visitor


def test_the_other_side_replies_once_and_the_panel_and_both_sides_read_it(world: World) -> None:
    case = appealed(world)
    browser = signed_in(world.players[1])
    assert "Your reply to the appeal" in words_of(browser.get(f"/cases/{case.number}/"))
    answer = browser.post(f"/cases/{case.number}/reply/", {"text": "Le témoin a tout entendu."})
    assert answer.status_code == 302
    assert told(world.players[1]) == ["appeal"], "this side may still appeal itself"
    assert not case.deadlines.filter(kind="answer", done_at__isnull=True).exists()
    hearing.form_panel(by=world.organiser, case=fresh(case))
    member = fresh(case).panel.get(place=1).member
    for reader in (world.players[0], world.players[3], member):
        assert "Le témoin a tout entendu." in words_of(signed_in(reader).get(f"/cases/{case.number}/"))
    with pytest.raises(Conflict) as again:
        replies.reply(by=world.players[3], case=case, text="Encore.")
    assert again.value.code == "answered"


def test_who_may_not_reply_to_an_appeal(world: World, hand) -> None:
    case = appealed(world)
    for person in (world.players[0], world.organiser, world.referees[0], None):
        with pytest.raises(NotAllowed):
            replies.reply(by=person, case=case, text="Moi aussi.")
    hand.advance(hours=25)
    with pytest.raises(Refused) as late:
        replies.reply(by=world.players[1], case=case, text="Trop tard.")
    assert (late.value.code, late.value.field) == ("answer_over", "text")
    assert told(world.players[1]) == ["appeal"]


def test_without_an_appeal_there_is_nothing_to_reply_to(world: World) -> None:
    case = world.ruled()
    with pytest.raises(Conflict) as refused:
        replies.reply(by=world.players[1], case=case, text="Quoi?")
    assert refused.value.code == "not_open"


def test_when_both_sides_appeal_each_may_reply(world: World) -> None:
    case = appealed(world)
    hearing.appeal(by=world.players[1], case=case, grounds="rule", text="La règle 8 dit autre chose.")
    assert told(world.players[0]) == told(world.players[1]) == ["reply"]
    replies.reply(by=world.players[0], case=case, text="Non.")
    assert case.deadlines.filter(kind="answer", done_at__isnull=True).exists()
    replies.reply(by=world.players[1], case=case, text="Si.")
    assert not case.deadlines.filter(kind="answer", done_at__isnull=True).exists()
