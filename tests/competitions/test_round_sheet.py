"""The round sheet: results by table number, by one press, by game; conflicts of two helpers; who may."""

import pytest

from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed
from tock_league.competitions.models import CompetitionRole, Match, ResultVersion
from tock_league.competitions.selectors.results import round_sheet as sheets
from tock_league.competitions.services.results import corrections, paper, settlement
from tock_league.competitions.services.results.paper import Game

from .tournament_desk import address, captain_of, text
from .world import a_league, a_plan, a_player, a_tournament, under_way

pytestmark = pytest.mark.django_db


def an_official(made, name="Sylvie Doucet", *, role="referee"):
    player = a_player(name)
    CompetitionRole.objects.create(competition=made, player=player, name=role, since=clock.now())
    return player


def refusal(code, **of):
    """Return the sentence of the conflict with which `paper.certify` refuses."""
    with pytest.raises(Conflict) as refused:
        paper.certify(**of)
    assert refused.value.code == code
    return str(refused.value.sentence)


@pytest.fixture
def swiss(club, hand):
    return a_tournament(4, club=club, plan=a_plan("swiss", rounds=2))


def pressed(match, winner=0, **more):
    return {"match": match.slug, "winner_1": str(winner), "seen": "0"} | more


def typed(page, **more):
    sheet = page.context["sheet"]
    return {"round": sheet.key, "known": sheet.known} | more


def test_results_by_table_number_until_nothing_is_missing(sign_in, organiser, swiss):
    client = sign_in(organiser)
    first, second = under_way(swiss)
    here = address("round_sheet", swiss.slug)
    page = client.get(here)
    assert [line.number for line in page.context["sheet"].lines] == [1, 2]
    assert page.context["sheet"].missing == 2
    answer = client.post(here, typed(page, table="2", winner="2", margin="3"))
    assert (answer.status_code, answer["Location"]) == (302, here)
    second.refresh_from_db()
    assert second.state == "confirmed"
    page = client.get(here)
    assert "Équipe 0" in text(page)
    assert [line.number for line in page.context["sheet"].lines] == [1, 2]  # the one without a result first
    assert [line.number for line in client.get(here, {"show": "missing"}).context["sheet"].without_result().lines] == [
        1
    ]
    client.post(here, typed(page, table="1", winner="1"))
    first.refresh_from_db()
    assert first.state == "confirmed"
    sheet = client.get(here, {"round": "1.1"})
    assert sheet.context["sheet"].missing == 0
    assert all(line.may_correct for line in sheet.context["sheet"].lines)
    assert f"{address('correct', first.slug)}?next=" in text(sheet)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"table": "7", "winner": "1"}, "7"),
        ({"table": "", "winner": "1"}, ""),
        ({"table": "1", "winner": "3"}, ""),
        ({"table": "1", "winner": ""}, ""),
        ({"table": "1", "winner": "0"}, ""),  # no tie here
        ({"table": "1", "winner": "1", "margin": "9"}, "8"),
        ({"table": "x", "winner": "1"}, ""),
        ({"match": "nowhere", "winner_1": "0"}, ""),
    ],
)
def test_an_impossible_line_says_what_is_wrong_and_writes_nothing(line, said, sign_in, organiser, swiss):
    client = sign_in(organiser)
    here = address("round_sheet", swiss.slug)
    answer = client.post(here, typed(client.get(here), **line))
    assert answer.status_code == 422
    assert said in str(answer.context["error"].sentence)
    assert not ResultVersion.objects.exists()


def test_a_press_on_the_winner_is_enough_in_a_knockout_and_a_margin_is_one_more_elsewhere(sign_in, organiser, swiss):
    cup = a_tournament(4)
    CompetitionRole.objects.create(competition=cup, player=organiser, name="organiser", since=clock.now())
    client = sign_in(organiser)
    match = under_way(cup)[0]
    assert text(client.get(address("round_sheet", cup.slug))).count('name="winner_1" value="0"') == 2
    answer = client.post(address("round_sheet", cup.slug), pressed(match, round="1.1"))
    assert answer["Location"].endswith(f"#m-{match.slug}")
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert 'name="margin_1" value="8"' in text(client.get(address("round_sheet", swiss.slug)))


def test_a_match_of_several_games_opens_its_form_in_place(sign_in, organiser, club, hand):
    cup = a_tournament(4, club=club, plan=a_plan("knockout", best_of={"group": 1, "knockout": 3, "final": 3}))
    client = sign_in(organiser)
    here = address("round_sheet", cup.slug)
    match = under_way(cup)[0]
    answer = client.post(here, typed(client.get(here), table=match.table_no, winner="1"))
    assert f"open={match.slug}" in answer["Location"]
    assert 'class="sheet-form" open' in text(client.get(answer["Location"].split("#")[0]))
    games = pressed(match, winner_2="1", winner_3="0", round="1.1")
    assert client.post(here, games).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_a_result_of_the_round_that_the_page_showed_never_lands_in_the_next_one(sign_in, organiser, swiss):
    client = sign_in(organiser)
    here = address("round_sheet", swiss.slug)
    old = client.get(here)
    for match in under_way(swiss):
        paper.certify(by=organiser, match=match, games=[Game(0, 2)])
    assert client.get(here).context["sheet"].key == "1.2"
    assert client.post(here, typed(old, table="1", winner="2", margin="3")).status_code == 409
    assert not Match.objects.filter(round__number=2, state="confirmed").exists()


def test_a_second_helper_with_another_value_is_told_who_entered_what_and_the_same_value_is_no_error(
    sign_in, organiser, swiss
):
    match = under_way(swiss)[0]
    paper.certify(by=an_official(swiss), match=match, games=[Game(0, 3)], seen=0)
    client = sign_in(organiser)
    here = address("round_sheet", swiss.slug)
    answer = client.post(here, pressed(match, 0, margin_1="2", round="1.1"))
    assert answer.status_code == 409
    for word in ("Sylvie Doucet", "Équipe", "3"):
        assert word in str(answer.context["error"].sentence)
    assert client.post(here, pressed(match, 0, margin_1="3", round="1.1")).status_code == 302
    assert ResultVersion.objects.filter(match=match).count() == 1


def test_a_corrected_result_is_the_one_that_another_value_contradicts(organiser, swiss):
    match = under_way(swiss)[0]
    other = an_official(swiss)
    paper.certify(by=organiser, match=match, games=[Game(0, 3)], seen=0)
    right = corrections.Right(kind="paper", games=(Game(1, 2),))
    shown = corrections.preview(by=other, match=match, right=right)
    corrections.correct(by=other, match=match, right=right, reason="Mal lu.", digest=shown.digest)
    assert "Sylvie Doucet" in refusal("result_stands", by=organiser, match=match, games=[Game(0, 3)], seen=1)
    paper.certify(by=organiser, match=match, games=[Game(1, 2)], seen=0)


def test_a_paper_that_a_captain_sent_meanwhile_is_looked_at_before_it_is_overruled(organiser, swiss):
    match = under_way(swiss)[0]
    captain = captain_of(match.side_rows.get(position=0).entry)
    reported = paper.report(by=captain, match=match, games=[Game(0, 3)])
    said = refusal("result_changed", by=organiser, match=match, games=[Game(1, 2)], seen=0)
    assert captain.display_name in said
    assert sheets.sheet(swiss, organiser).numbered(match.table_no).seen == reported.version
    paper.certify(by=organiser, match=match, games=[Game(1, 2)], seen=reported.version)


def test_a_match_that_waits_for_its_teams_has_no_result(organiser, club, hand, english):
    cup = a_tournament(4, club=club)
    final = cup.matches.get(label="final")
    assert "waits for its teams" in refusal("not_open", by=organiser, match=final, games=[Game(0)], seen=0)
    line = next(line for line in sheets.sheet(cup, organiser, "1.2").lines if line.view.match.pk == final.pk)
    assert not line.may_enter


def test_organisers_and_referees_enter_results_of_matches_in_which_they_do_not_play(sign_in, client, organiser, swiss):
    first, second = under_way(swiss)
    here = address("round_sheet", swiss.slug)
    assert client.get(here).status_code == 302
    assert sign_in(a_player("Réjean")).get(here).status_code == 403
    assert sign_in(captain_of(second.side_rows.get(position=0).entry)).post(here, pressed(first)).status_code == 403
    for official in (organiser, an_official(swiss), an_official(swiss, "Marc Villemure", role="organiser")):
        lines = sign_in(official).get(here).context["sheet"].lines
        assert [line.may_enter for line in lines] == [True, True]
    playing = captain_of(first.side_rows.get(position=0).entry)
    CompetitionRole.objects.create(competition=swiss, player=playing, name="organiser", since=clock.now())
    lines = sign_in(playing).get(here).context["sheet"].lines
    assert {line.view.match.pk for line in lines if line.may_enter} == {second.pk}
    with pytest.raises(NotAllowed):
        paper.certify(by=playing, match=first, games=[Game(0)], seen=0)


def test_the_desk_offers_the_result_to_those_who_may_enter_it(sign_in, organiser, swiss):
    page = text(sign_in(organiser).get(address("organise", swiss.slug)))
    assert address("round_sheet", swiss.slug) in page
    assert all(address("paper", match.slug) in page for match in under_way(swiss))


def test_who_is_missing_leads_back_to_the_sheet(sign_in, organiser, swiss):
    match = under_way(swiss)[0]
    client = sign_in(organiser)
    here = address("round_sheet", swiss.slug)
    asked = f"{address('absent', match.slug)}?next={here}%23m-{match.slug}"
    answer = client.post(asked, {"what": "no_show:1", "reason": "Pas là"})
    assert answer["Location"] == f"{here}#m-{match.slug}"


def test_another_helper_who_awarded_the_match_is_named_too(organiser, swiss):
    match = under_way(swiss)[0]
    settlement.award(by=an_official(swiss), match=match, winner=0, reason="Absents.")
    assert "Sylvie Doucet" in refusal("result_stands", by=organiser, match=match, games=[Game(0, 3)], seen=0)


def test_a_league_day_is_numbered_by_its_matches_and_takes_as_many_queries_with_more_matches(
    sign_in, organiser, hand, django_assert_max_num_queries
):
    counts = []
    for teams in (4, 8):
        league = a_league(teams)
        CompetitionRole.objects.create(competition=league, player=organiser, name="organiser", since=clock.now())
        client = sign_in(organiser)
        with django_assert_max_num_queries(60) as caught:
            page = client.get(address("round_sheet", league.slug))
        assert [line.number for line in page.context["sheet"].lines] == list(range(1, teams // 2 + 1))
        counts.append(len(caught))
    assert counts[0] == counts[1]
