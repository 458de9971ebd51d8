"""The desk while the tournament is played: suspension, second meetings, equal teams, the end, a cancellation."""

import re

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.seasons import next_step
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.seasons import lifecycle, roles

from .tournament_desk import address, press, text
from .world import a_plan, a_tournament, play_on

pytestmark = pytest.mark.django_db


def test_a_suspension_needs_its_reason_and_the_desk_goes_on_afterwards(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club)
    client = sign_in(organiser)
    assert client.post(address("set_state", made.slug), {"to": "suspended"}).status_code == 422
    assert client.post(address("set_state", made.slug), {"to": "suspended", "reason": "Panne"}).status_code == 302
    assert press(client, made) == "resume"


def test_second_meetings_are_opened_only_when_the_organiser_accepts_them_by_name(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, plan=a_plan("swiss", rounds=3))
    stage = made.stages.get()
    stage.options = {**stage.options, "rounds": 4}  # only three rounds of four teams are possible without a rematch
    stage.save()
    play_on(made)
    client = sign_in(organiser)
    step = client.get(address("organise", made.slug)).context["step"]
    assert step.kind == "next"
    refused = client.post(address("step", made.slug), {"code": step.code})
    assert refused.status_code == 422
    relaxed = refused.context["relaxed"]
    assert re.fullmatch(r"\d+-\d+,\d+-\d+", relaxed)
    for other in (relaxed.split(",")[0], "900001-900002,900003-900004", "x", "1-2;drop"):
        answer = client.post(address("step", made.slug), {"code": step.code, "relaxed": other})
        assert answer.status_code in (409, 422)
    assert client.post(address("step", made.slug), {"code": step.code, "relaxed": relaxed}).status_code == 302
    assert Match.objects.filter(competition=made, state="called").count() == 2


def a_tied_group(club):
    """Two groups of three, one qualifies from each; in both, each entry has one win and one loss."""

    def in_a_circle(match):
        seeds = [side.entry.seed for side in match.side_rows.select_related("entry").order_by("position")]
        members = sorted(
            side.entry.seed
            for side in match.round.group.rounds.get(number=1).side_rows.select_related("entry")
            if side.entry is not None
        )
        home, away = (members.index(seed) for seed in seeds)
        return 0 if (away - home) % 3 == 1 else 1

    plan = a_plan("groups_knockout", groups=2, qualify=1)
    made = a_tournament(6, club=club, plan=plan, tiebreaks=plan.tiebreaks)
    play_on(made, wins=in_a_circle)
    return made


def test_equal_teams_stop_the_tournament_until_the_tie_is_settled_in_the_open(sign_in, organiser, club, hand):
    made = a_tied_group(club)
    client = sign_in(organiser)
    page = client.get(address("organise", made.slug))
    assert page.context["step"].kind == "settle"
    assert len(page.context["step"].missing) == 6
    first, second = page.context["ties"]
    group = first["tie"].group.pk
    names = [f"place-{entry.slug}" for entry in first["entries"]]
    by_ruling = {"group": group, "how": "ruling", "reason": "Match d'appui"}
    for data in (
        {"group": 10**9, "how": "lots"},
        {"group": group, "how": "coin"},
        by_ruling,  # no order
        by_ruling | {names[0]: "1", names[1]: "1", names[2]: "2"},
        by_ruling | {names[0]: "1", names[1]: "2"},
        by_ruling | {names[0]: "1", names[1]: "2", names[2]: "3", "reason": ""},
        by_ruling | {names[0]: "1", names[1]: "2", names[2]: "3", "reason": "<b>"},
    ):
        assert client.post(address("settle", made.slug), data).status_code == 422
    good = by_ruling | {names[1]: "1", names[0]: "2", names[2]: "3"}
    assert client.post(address("settle", made.slug), good).status_code == 302
    lots = {"group": second["tie"].group.pk, "how": "lots"}
    assert client.post(address("settle", made.slug), lots).status_code == 302
    assert client.post(address("settle", made.slug), lots).status_code == 409  # there is no tie any more
    final = Match.objects.get(competition=made, label="final")
    assert first["entries"][1].pk in final.side_rows.values_list("entry", flat=True)


def test_a_cancelled_tournament_has_no_podium(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club)
    play_on(made, matches=3)  # the third place is certain, and the final is not played
    client = sign_in(organiser)
    assert client.get(address("competition", made.slug)).context["podium"]
    lifecycle.advance(by=SITE, competition=made, to="cancelled", reason="Panne de courant")
    page = client.get(address("organise", made.slug))
    assert page.context["step"].kind == "done"
    assert "podium" not in text(page).lower()
    assert page.context["step"].sentence != str(next_step.next_step(a_tournament(4, state="finished")).sentence)
    assert client.get(address("competition", made.slug)).context["podium"] == []


def test_the_desk_offers_the_end_when_no_further_round_can_be_paired(sign_in, organiser, hand):
    tournament = a_tournament(7, plan=a_plan("swiss", rounds=7))
    roles.give(by=SITE, competition=tournament, player=organiser, name="organiser")
    client = sign_in(organiser)
    play_on(tournament, matches=6)
    for entry in tournament.entries.order_by("-seed")[:4]:
        withdrawals.withdraw(by=SITE, entry=entry, reason="Malade.")
    offered = None
    for _round in range(7):
        play_on(tournament)
        code = re.search(r'name="code" value="(next:\d+)"', text(client.get(address("organise", tournament.slug))))
        answer = client.post(address("step", tournament.slug), {"code": code[1]})
        while (pairs := re.search(r'name="relaxed" value="([^"]+)"', text(answer))) is not None:
            answer = client.post(address("step", tournament.slug), {"code": code[1], "relaxed": pairs[1]})
        offered = re.search(r'name="to" value="finished"', text(answer))
        if offered is not None:
            assert answer.status_code == 422
            break
    assert offered is not None
    assert client.post(address("set_state", tournament.slug), {"to": "finished"}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == "finished"
