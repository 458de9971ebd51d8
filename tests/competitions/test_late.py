"""Teams that the desk enters after the start: into a Swiss tournament, into a group, and back out."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import canonical, clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Entry, LateEntry, RosterSpot
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.entries import checkin, late, registration, returning, withdrawals
from tock_league.competitions.services.rounds import draw, publishing
from tock_league.competitions.services.seasons import lifecycle, roles
from tock_league.journal.models import JournalEntry

from .onlooker import changed, seen, told
from .world import a_plan, a_player, a_signed_up_player, a_team, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


def swiss(teams=4, *, size=None, **plan):
    return a_tournament(teams, size=size, plan=a_plan("swiss", **{"rounds": 3, "auto": False, **plan}))


def grouped(teams=8, **plan):
    return a_tournament(teams, plan=a_plan("groups_knockout", **{"groups": 2, "qualify": 2, "auto": False, **plan}))


def entered(cup, team=None, *, by=SITE, group=None) -> Entry:
    team = team or a_team("Retardataires")
    shown = late.preview(by=by, competition=cup, team=team, group=group)
    return late.enter_late(by=by, competition=cup, team=team, group=group, digest=shown.digest)


def taken_back(entry: Entry, by=SITE):
    shown = late.preview_take_back(by=by, entry=entry)
    return late.take_back(by=by, entry=entry, digest=shown.digest)


def journal(cup, kind) -> list[dict]:
    rows = [json.loads(bytes(row.body)) for row in JournalEntry.objects.filter(stream=f"competition:{cup.slug}")]
    return [row for row in rows if row["kind"] == kind]


def refusal(cup, team, group=None) -> tuple[str, str | None]:
    with pytest.raises(Refused) as error:
        late.preview(by=SITE, competition=cup, team=team, group=group)
    return error.value.code, error.value.field


def next_round(cup, group=1):
    return publishing.publish_next(by=SITE, group=cup.stages.get(ordinal=1).groups.get(ordinal=group))


def meetings(cup, group=1) -> dict[int, set[frozenset[int]]]:
    """Return who meets in each round of a group, by seeds."""
    found: dict[int, set[frozenset[int]]] = {}
    for match in cup.matches.filter(round__group__ordinal=group, round__group__stage__ordinal=1).select_related(
        "round"
    ):
        seeds = frozenset(side.entry.seed for side in match.side_rows.select_related("entry"))
        found.setdefault(match.round.number, set()).add(seeds)
    return found


# --- Swiss -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "kind", "worth"), [("loss", "absence", 0), ("tie", "requested_bye", 1)])
def test_a_late_team_has_the_last_seed_its_points_and_is_paired_in_the_next_round(hand, points, kind, worth):
    cup = swiss(late_points=points)
    entry = entered(cup)
    assert (entry.state, entry.seed) == ("playing", 5)
    assert [(side.kind, side.round.number) for side in entry.side_rows.all()] == [(kind, 1)]
    assert len(under_way(cup)) == 2  # the round that was called stays
    line = next(line for line in standings.table(cup) if line.entry == entry)
    assert (line.row.points.value, line.row.played) == (worth, 0)
    play_on(cup)
    next_round(cup)
    assert entry.side_rows.filter(round__number=2).exclude(kind__in=("absence", "requested_bye")).exists()
    play_on(cup)
    next_round(cup)
    play_on(cup)
    assert cup.matches.filter(state="confirmed").count() == 2 + 2 + 2
    lifecycle.advance(by=SITE, competition=cup, to="finished")
    entry.refresh_from_db()
    assert entry.final_rank is not None


def test_the_preview_is_what_an_onlooker_sees_and_the_journal_knows_it(hand):
    cup = swiss()
    team, before = a_team("Retardataires"), seen(cup)
    shown = late.preview(by=SITE, competition=cup, team=team)
    assert not changed(before, seen(cup))
    assert [row.label for row in shown.rows if row.kind == "entry"] == ["Retardataires"]
    entry = late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert canonical.utf8(changed(before, seen(cup))) == canonical.utf8(told(shown.facts, clock.now()))
    (body,) = journal(cup, "entry.late")
    assert (body["entry"], body["missed"], len(body["players"])) == (entry.slug, 1, 2)


def test_another_preview_is_not_the_one_that_was_seen(hand):
    cup = swiss()
    team, other = a_team("Retardataires"), a_team("Autres")
    shown = late.preview(by=SITE, competition=cup, team=other)
    with pytest.raises(Conflict) as error:
        late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert error.value.code == "preview_moved"
    assert not Entry.objects.filter(team=team).exists()


def test_a_round_that_is_called_meanwhile_changes_the_preview(hand):
    cup = swiss(late_rounds=2)
    team = a_team("Retardataires")
    shown = late.preview(by=SITE, competition=cup, team=team)
    play_on(cup)
    next_round(cup)
    with pytest.raises(Conflict) as error:
        late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert error.value.code == "preview_moved"
    assert entered(cup, team).late.missed == 2


def test_it_may_miss_as_many_rounds_as_the_plan_says(hand):
    team = a_team("Retardataires")
    none = swiss(late_rounds=0)
    assert refusal(none, team) == ("late_rounds", "team")
    cup = swiss(late_rounds=1)
    play_on(cup)
    next_round(cup)
    assert refusal(cup, team) == ("late_rounds", "team")
    short = swiss(rounds=1, late_rounds=3)
    assert refusal(short, team) == ("late_over", "team")


def test_a_knockout_takes_no_late_team_and_a_tournament_only_while_it_is_under_way(hand):
    team = a_team("Retardataires")
    assert refusal(a_tournament(4), team) == ("late_knockout", "team")
    for state in ("open", "closed", "finished"):
        cup = a_tournament(4, state=state, plan=a_plan("swiss", rounds=3))
        with pytest.raises(Conflict) as error:
            late.preview(by=SITE, competition=cup, team=team)
        assert error.value.code == "state"
    drawn = a_tournament(4, state="closed", plan=a_plan("swiss", rounds=3))
    draw.draw(by=SITE, competition=drawn)
    with pytest.raises(Conflict):
        late.preview(by=SITE, competition=drawn, team=team)
    stopped = swiss()
    lifecycle.advance(by=SITE, competition=stopped, to="suspended", reason="Panne")
    assert entered(stopped, team).state == "playing"


def test_the_rules_of_every_entry_hold(hand):
    cup = swiss(size=5)
    inside = cup.entries.get(seed=1)
    assert refusal(cup, inside.team) == ("I06", "team")
    assert refusal(cup, a_team("À trois", size=3)) == ("side_size", "team")
    shared = a_team("Partagée")
    shared.spells.filter(slot=2).update(player=inside.roster.get(slot=1).player)
    assert refusal(cup, shared) == ("I07", "team")
    short = a_team("Incomplète")
    short.spells.filter(slot=2).update(left=clock.now())
    assert refusal(cup, short) == ("team_size", "team")
    gone = a_team("Dissoute")
    clubs.dissolve(by=SITE, team=gone)
    gone.refresh_from_db()
    assert refusal(cup, gone) == ("team_dissolved", "team")
    entered(cup)
    assert refusal(cup, a_team("De trop")) == ("full", "team")
    withdrawals.withdraw(by=SITE, entry=inside, reason="Grippe")
    assert refusal(cup, inside.team) == ("bring_back", "team")
    assert entered(cup, a_team("À sa place")).seed == 6


def test_a_disqualified_team_is_not_entered_again(hand):
    cup = swiss()
    entry = cup.entries.get(seed=2)
    withdrawals.disqualify(by=SITE, entry=entry, reason="Tricherie")
    assert refusal(cup, entry.team) == ("I06", "team")


def test_only_organisers_enter_late_teams_and_take_them_back(hand):
    cup = swiss()
    team = a_team("Retardataires")
    referee, organiser = a_player("Lise Caron"), a_player("Marc Villemure")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    captain = team.spells.get(slot=1).player
    for by in (None, captain, referee):
        with pytest.raises(NotAllowed):
            late.preview(by=by, competition=cup, team=team)
    entry = entered(cup, team, by=organiser)
    for by in (None, captain, referee):
        with pytest.raises(NotAllowed):
            late.preview_take_back(by=by, entry=entry)
    taken_back(entry, by=organiser)


def test_an_entry_that_is_taken_back_leaves_nothing_but_the_journal(hand):
    cup = swiss()
    team, before = a_team("Retardataires"), seen(cup)
    entry = entered(cup, team)
    slug = entry.slug
    taken_back(entry)
    assert changed(before, seen(cup)) == {}
    assert not Entry.objects.filter(slug=slug).exists()
    assert not RosterSpot.objects.filter(player__in=team.spells.values("player")).exists()
    assert [body["entry"] for body in journal(cup, "entry.late_taken_back")] == [slug]
    assert entered(cup, team).slug == slug  # whoever enters a team twice gets no other lots


@pytest.mark.parametrize("how", ["dropped", "refused", "withdrawn"])
def test_an_entry_from_before_the_draw_plays_after_all_and_is_restored_by_the_take_back(hand, how):
    cup = a_tournament(4, state="closed", check_in=how == "dropped", plan=a_plan("swiss", rounds=3, auto=False))
    entry = cup.entries.order_by("pk").first()
    if how == "dropped":
        for other in cup.entries.exclude(pk=entry.pk):
            for spot in other.roster.all():
                hand.set(max(clock.now(), cup.check_in_from))
                checkin.check_in(by=SITE, entry=other, player=spot.player)
        checkin.close(by=SITE, competition=cup)
    elif how == "refused":
        registration.refuse(by=SITE, entry=entry, reason="Sans réponse")
    else:
        registration.withdraw_before_draw(by=SITE, entry=entry, reason="Grippe")
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    entry.refresh_from_db()
    was, before = (entry.state, entry.reason, entry.seed, entry.queued_at), seen(cup)
    assert was[0] == how
    made = entered(cup, entry.team)
    assert (made.pk, made.state, made.reason) == (entry.pk, "playing", "")
    assert made.roster.filter(left__isnull=True).count() == 2
    taken_back(made)
    entry.refresh_from_db()
    assert (entry.state, entry.reason, entry.seed, entry.queued_at) == was
    assert changed(before, seen(cup)) == {}
    assert entry.roster.filter(left__isnull=True).exists() == (how == "dropped")


def test_a_team_that_is_paired_is_not_taken_back_and_others_did_not_come_late(hand):
    cup = swiss()
    entry = entered(cup)
    play_on(cup)
    next_round(cup)
    with pytest.raises(Conflict) as paired:
        late.preview_take_back(by=SITE, entry=entry)
    assert paired.value.code == "paired"
    with pytest.raises(Conflict) as other:
        late.preview_take_back(by=SITE, entry=cup.entries.get(seed=1))
    assert other.value.code == "not_late"


def test_a_late_team_that_withdraws_is_brought_back_like_any_other(hand):
    cup = swiss()
    entry = entered(cup)
    withdrawals.withdraw(by=SITE, entry=entry, reason="Grippe")
    with pytest.raises(Conflict) as error:
        late.preview_take_back(by=SITE, entry=entry)
    assert error.value.code == "entry_state"
    shown = returning.preview(by=SITE, entry=entry)
    assert returning.bring_back(by=SITE, entry=entry, reason="Erreur", digest=shown.digest).state == "playing"
    taken_back(entry)


def test_a_tournament_that_waited_for_a_team_goes_on(hand):
    """Three teams meet in three rounds; a fourth cannot be paired for want of opponents, until a late team comes."""
    cup = swiss(4, rounds=3, auto=True, late_rounds=3)
    for seed in (2, 3):
        withdrawals.withdraw(by=SITE, entry=cup.entries.get(seed=seed), reason="Grippe")
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "running"
    before = cup.matches.count()
    entry = entered(cup)
    assert cup.matches.count() >= before
    assert entry.side_rows.exists()


# --- groups ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("teams", "legs", "rounds"),
    # Group A has 2 to 5 teams: its rounds with one team more, the first of which it has missed.
    [(4, 1, 3), (6, 1, 4), (8, 1, 5), (10, 1, 6), (6, 2, 7), (8, 2, 10)],
)
def test_a_late_team_meets_everybody_of_its_group_and_no_round_is_longer_than_it_must_be(hand, teams, legs, rounds):
    cup = grouped(teams, legs=legs)
    first = meetings(cup)[1]
    entry = entered(cup, group=1)
    rows = meetings(cup)
    assert rows[1] == first  # the round that was called stays
    assert len(rows) == rounds
    own = [match for match in cup.matches.filter(side_rows__entry=entry)]
    assert len(own) == legs * teams // 2
    members = {seed for round_ in rows.values() for pair in round_ for seed in pair}
    assert len(members) == teams // 2 + 1
    for number, pairs in rows.items():
        busy = [seed for pair in pairs for seed in pair]
        assert len(busy) == len(set(busy))
        if number > 1:
            rests = (
                cup.stages.get(ordinal=1).groups.get(ordinal=1).rounds.get(number=number).side_rows.filter(kind="rest")
            )
            assert {side.entry.seed for side in rests} == members - set(busy)
    assert not entry.side_rows.filter(kind__in=("absence", "requested_bye")).exists()  # nothing is scored without play


def test_a_group_with_a_late_team_is_played_to_the_end(hand):
    cup = a_tournament(8, plan=a_plan("groups_knockout", groups=2, qualify=2))
    entry = entered(cup, group=2)
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    entry.refresh_from_db()
    assert entry.final_rank is not None
    table = standings.group_tables(cup)[1][1]
    assert sorted(line.row.played for line in table) == [4] * 5


def test_it_joins_the_smallest_group_or_the_one_that_the_desk_chooses(hand):
    cup = grouped(7)  # 3 and 4
    assert entered(cup).late.group.ordinal == 1
    assert entered(cup, a_team("Autres"), group=1).late.group.ordinal == 1
    assert entered(cup, a_team("Encore")).late.group.ordinal == 2
    assert refusal(cup, a_team("Nulle part"), group=3) == ("group", "group")


def test_a_group_takes_late_teams_until_it_has_played_as_many_rounds_as_they_may_miss(hand):
    cup = grouped(8)
    play_on(cup)
    next_round(cup, 1)
    team = a_team("Retardataires")
    assert refusal(cup, team, group=1) == ("late_rounds", "group")
    assert entered(cup, team).late.group.ordinal == 2


def test_a_group_that_is_over_takes_nobody(hand):
    cup = grouped(4, late_rounds=5)  # two teams in each group: one round
    play_on(cup)
    assert refusal(cup, a_team("Retardataires")) == ("late_over", "team")


def test_taking_it_back_restores_the_schedule(hand):
    for teams, group in ((8, 1), (6, 2), (10, 1)):
        cup = grouped(teams)
        before, slugs = seen(cup), list(cup.matches.order_by("pk").values_list("slug", "round", "number"))
        one = entered(cup, a_team("Retardataires"), group=group)
        two = entered(cup, a_team("Autres"), group=group)
        with pytest.raises(Conflict) as error:
            late.preview_take_back(by=SITE, entry=one)
        assert error.value.code == "paired"
        taken_back(two)
        taken_back(one)
        assert changed(before, seen(cup)) == {}
        assert list(cup.matches.order_by("pk").values_list("slug", "round", "number")) == slugs
        assert not LateEntry.objects.filter(group__stage__competition=cup).exists()
        rests = cup.stages.get(ordinal=1).groups.get(ordinal=group).rounds.filter(side_rows__kind="rest")
        assert rests.count() == (0 if teams != 6 and teams != 10 else teams // 2)


def test_a_group_preview_is_what_an_onlooker_sees(hand):
    cup = grouped(8)
    team, before = a_team("Retardataires"), seen(cup)
    shown = late.preview(by=SITE, competition=cup, team=team)
    late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert canonical.utf8(changed(before, seen(cup))) == canonical.utf8(told(shown.facts, clock.now()))


def test_it_is_not_taken_back_once_a_round_has_begun_with_it(hand):
    cup = grouped(8)
    entry = entered(cup, group=1)
    play_on(cup)
    next_round(cup, 1)
    with pytest.raises(Conflict) as error:
        late.preview_take_back(by=SITE, entry=entry)
    assert error.value.code == "paired"


@pytest.mark.parametrize("played", [False, True])
def test_against_a_team_that_has_left_it_wins_only_where_that_teams_results_stand(hand, played):
    cup = grouped(6, late_rounds=1)  # three teams in each group: two matches each
    leaver = next(match for match in under_way(cup) if match.round.group.ordinal == 1).side_rows.get(position=0).entry
    if played:
        play_on(cup)
    withdrawals.withdraw(by=SITE, entry=leaver, reason="Grippe")
    entry = entered(cup, group=1)
    against = cup.matches.filter(side_rows__entry=entry).filter(side_rows__entry=leaver)
    assert against.count() == (1 if played else 0)
    if played:
        assert against.get().state == "awarded"
    assert cup.matches.filter(side_rows__entry=entry).count() == (3 if played else 2)


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [swiss, grouped])
def test_the_desk_enters_a_late_team_and_takes_it_back(hand, make):
    cup = make()
    team = a_team("Retardataires")
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    desk = reverse("competitions:organise", args=[cup.slug])
    address = reverse("competitions:enter_late", args=[cup.slug])
    assert address in client.get(desk).content.decode()
    first = client.get(address)
    assert first.context["preview"] is None
    assert list(first.context["form"].fields["team"].queryset) == [team]
    shown = client.get(address, {"team": team.slug, "group": ""}).context["preview"]
    assert "entry" in {row.kind for row in shown.rows}
    moved = client.post(address, {"team": team.slug, "group": "", "digest": "0" * 64})
    assert moved.status_code == 409
    assert moved.context["preview"].digest == shown.digest
    assert client.post(address, {"team": "none", "digest": shown.digest}).status_code == 422
    answer = client.post(address, {"team": team.slug, "group": "", "digest": shown.digest})
    entry = cup.entries.get(team=team)
    page = reverse("competitions:entry", args=[entry.slug])
    assert (answer.status_code, answer.url) == (302, page)
    back = reverse("competitions:late_take_back", args=[entry.slug])
    assert back in client.get(page).content.decode()
    shown = client.get(back).context["preview"]
    assert client.post(back, {"digest": "0" * 64}).status_code == 409
    assert client.post(back, {"digest": shown.digest}).status_code == 302
    assert not cup.entries.filter(team=team).exists()


def test_the_page_names_the_rule_that_refuses_a_team_and_lets_nobody_else_in(hand):
    cup = swiss(size=4)
    organiser, other = a_signed_up_player("lise@example.org", "Lise Caron"), a_signed_up_player("b@example.org", "Bob")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    team = a_team("Retardataires")
    client = Client()
    address = reverse("competitions:enter_late", args=[cup.slug])
    assert client.get(address).status_code == 302
    client.force_login(other.user)
    assert client.get(address).status_code == 403
    client.force_login(organiser.user)
    page = client.get(address, {"team": team.slug})
    assert page.status_code == 422
    assert page.context["form"].errors["team"]
    knockout = a_tournament(4)
    roles.give(by=SITE, competition=knockout, player=organiser, name="organiser")
    assert client.get(reverse("competitions:enter_late", args=[knockout.slug])).status_code == 404
    assert client.get(reverse("competitions:organise", args=[knockout.slug])).context["may_enter_late"] is False
