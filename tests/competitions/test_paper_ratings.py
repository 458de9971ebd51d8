"""Paper games in the rating log: each is entered once, dated, with its players; rulings revise it, and lifting a ruling
restores it."""

import random
import threading
from contextlib import suppress

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import translation

from ratings import selectors as boards
from ratings import services as ratings
from ratings.core import recompute
from ratings.core.engines import engine_for
from ratings.core.params import DEFAULT
from ratings.models import Ladder, RatedResult, Subject
from ratings.selectors.log import entry_of
from tests.documents import squeezed
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import Match, ResultEffect, RosterSpot
from tock_league.competitions.services.entries import registration, rosters, withdrawals
from tock_league.competitions.services.results import paper, rulings, settlement, versions
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.results.propagation import propagate
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle
from tock_league.competitions.services.shared.locking import lock_match

from .test_registration import players, with_substitute
from .world import a_plan, a_player, a_team, a_tournament, decide, preview, stronger, under_way

pytestmark = pytest.mark.django_db
LADDER = "shawinigan:2"
ONE, TWO = "TL-2026-000001/1", "TL-2026-000002/1"
THREE_GAMES = [Game(0, 1), Game(1, 4), Game(0, 2)]


@pytest.fixture
def match(hand) -> Match:
    """The first match of a Swiss tournament of four on paper, its round open."""
    return under_way(a_tournament(4, plan=a_plan("swiss", rounds=3)))[0]


@pytest.fixture
def long_match(hand) -> Match:
    """A semi-final on paper, best of three."""
    return under_way(a_tournament(4, plan=a_plan(best_of={"knockout": 3, "group": 1, "final": 3})))[0]


def captain(match, position):
    return match.side_rows.get(position=position).entry.roster.get(role="starter", slot=1, left__isnull=True).player


def agreed(match, *games):
    """Let both captains report the same result."""
    for position in (0, 1):
        paper.report(by=captain(match, position), match=match, games=list(games) or [Game(0, 3)])
    return match


def pairs(match):
    """Return the ids of the players of both sides as they start now."""
    return [
        [spot.player_id for spot in side.entry.roster.filter(role="starter", left__isnull=True).order_by("slot")]
        for side in match.side_rows.order_by("position")
    ]


def log():
    return list(RatedResult.objects.filter(source__startswith="paper:").order_by("completed_at", "source", "revision"))


def last():
    """Return the latest revision of each paper game in the log: kind, ranks, rated."""
    return {row.source: (row.kind, row.ranks, row.rated) for row in log()}


def ratings_now():
    rows = RatedResult.objects.filter(ladder__key=LADDER)
    return recompute.digest(recompute.replay([entry_of(row) for row in rows], engine_for(DEFAULT)))


def settle_ratings(hand):
    hand.advance(seconds=5)
    ratings.rate_waiting(ladder_key=LADDER)
    if LADDER in ratings.ladders_dirty():
        ratings.rebuild(ladder_key=LADDER, cause="test")
    assert ratings.verify(ladder_key=LADDER)[0] == ratings.verify(ladder_key=LADDER)[1] == ratings_now()


def apply(match, ruling, *effects, lifts=()):
    return rulings.apply(competition=match.competition, ruling=ruling, effects=effects, lifts=lifts)


# --- entering --------------------------------------------------------------------------------------------------------


def test_one_captain_alone_rates_nobody_and_both_rate_the_four_who_sat(match):
    paper.report(by=captain(match, 0), match=match, games=[Game(1, 3)])
    assert log() == []
    paper.report(by=captain(match, 1), match=match, games=[Game(1, 3)])
    row = RatedResult.objects.get()
    assert (row.ladder.key, row.source, row.revision) == (LADDER, f"paper:{match.slug}:1", 1)
    assert (row.sides, row.ranks, row.rated, row.reason) == (pairs(match), [1, 0], True, "paper")


def test_the_ladder_takes_them_in_as_they_come(match, hand):
    agreed(match)
    hand.advance(seconds=5)
    assert ratings.rate_waiting(ladder_key=LADDER).applied == 1
    hand.advance(minutes=5)
    agreed(under_way(match.competition)[0])
    hand.advance(seconds=5)
    done = ratings.rate_waiting(ladder_key=LADDER)
    assert (done.applied, done.dirty) == (1, False)
    assert ratings.verify(ladder_key=LADDER)[0] == ratings_now()


def test_a_referee_s_paper_counts_alone(match):
    version = paper.certify(by=SITE, match=match, games=[Game(0, 3)])
    row = RatedResult.objects.get()
    assert (row.ranks, row.completed_at) == ([0, 1], version.signatures.get().at)


def test_the_games_of_a_match_keep_their_order_and_are_dated_when_the_paper_counts(long_match, hand):
    paper.report(by=captain(long_match, 0), match=long_match, games=THREE_GAMES)
    hand.advance(hours=1)
    version = paper.report(by=captain(long_match, 1), match=long_match, games=THREE_GAMES)
    rows = log()
    assert [(row.source, row.ranks) for row in rows] == [
        (f"paper:{long_match.slug}:{number}", [game.winner, 1 - game.winner])
        for number, game in enumerate(THREE_GAMES, start=1)
    ]
    times = [row.completed_at for row in rows]
    assert times == sorted(set(times))
    assert times[-1] == version.signatures.last().at


def test_entering_the_log_is_idempotent(match):
    agreed(match)
    version = match.versions.get()
    paper.accept(by=captain(match, 1), match=match, seen=version.version)
    paper.report(by=captain(match, 0), match=match, games=[Game(0, 3)])
    propagate(lock_match(match.pk))
    assert RatedResult.objects.count() == 1


def test_who_corrects_himself_before_the_answer_is_rated_for_what_both_signed(match):
    paper.report(by=captain(match, 0), match=match, games=[Game(1, 3)])
    second = paper.report(by=captain(match, 0), match=match, games=[Game(0, 3)])
    paper.accept(by=captain(match, 1), match=match, seen=second.version)
    assert RatedResult.objects.get().ranks == [0, 1]


def test_a_substitute_who_sat_is_rated_and_one_who_comes_later_is_not(hand):
    cup = a_tournament(3, state="open")
    team = a_team("Draveurs")
    spare = with_substitute(team, a_player("Remplaçante Une"))
    entry = registration.register(by=SITE, competition=cup, team=team, substitutes=[spare])
    first, partner, _spare = players(team)
    cup = lifecycle.run_through(by=SITE, competition=cup, to="closed")
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    match = cup.matches.get(label="semi", side_rows__entry=entry)
    position = match.side_rows.get(entry=entry).position
    hand.advance(minutes=1)
    rosters.substitute(by=SITE, entry=entry, leaves=partner, comes=spare)
    hand.advance(hours=1)
    paper.report(by=captain(match, 0), match=match, games=[Game(0, 3)])
    hand.advance(minutes=1)
    rosters.substitute(by=SITE, entry=entry, leaves=spare, comes=partner)
    hand.advance(minutes=1)
    paper.report(by=captain(match, 1), match=match, games=[Game(0, 3)])
    assert RatedResult.objects.get().sides[position] == [first.pk, spare.pk]


def test_where_a_seat_was_empty_nobody_is_rated(match):
    entry = match.side_rows.get(position=1).entry
    RosterSpot.objects.filter(entry=entry, slot=2).update(left=match.starts_at, joined=match.starts_at)
    agreed(match)
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert not RatedResult.objects.exists()


@pytest.mark.parametrize("how", ["award", "double", "no_show", "withdraw", "adjudicated"])
def test_results_without_play_are_not_rated(match, how):
    entry = match.side_rows.get(position=0).entry
    if how == "award":
        settlement.award(by=SITE, match=match, winner=0, reason="absents")
    elif how == "double":
        settlement.award(by=SITE, match=match, winner=None, reason="absents")
    elif how == "no_show":
        withdrawals.no_show(by=SITE, match=match, position=0, reason="absents")
    elif how == "withdraw":
        withdrawals.withdraw(by=SITE, entry=entry, reason="voiture en panne")
    else:
        decide(match, 0)
    apply(match, ONE, EffectPlan("forfeit_game", match.pk, 1, 1))
    apply(match, TWO, EffectPlan("rating", match.pk, 1, amount=1))
    assert not RatedResult.objects.exists()


# --- rulings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (dict(kind="result", game_number=1, position=1), ("result", [1, 0], True, "ruling")),
        (dict(kind="result", game_number=1, position=0), None),
        (dict(kind="void"), ("void", [0, 1], False, "voided")),
        (dict(kind="replay"), ("void", [0, 1], False, "voided")),
        (dict(kind="replay", game_number=1), ("void", [0, 1], False, "voided")),
        (dict(kind="forfeit_game", game_number=1, position=0), ("result", [0, 1], False, "penalty_forfeit")),
        (dict(kind="forfeit_match", position=0), None),
        (dict(kind="result", position=1), None),
        (dict(kind="rating", game_number=1, amount=0), ("result", [0, 1], False, "ruling")),
    ],
)
def test_a_ruling_revises_it_and_lifted_leaves_no_trace(match, hand, plan, said):
    agreed(match)
    settle_ratings(hand)
    before = ratings_now()
    ranks = list(RatedResult.objects.values_list("ranks", flat=True))
    assert ranks == [[0, 1]]
    made = apply(match, ONE, EffectPlan(match_id=match.pk, **plan))
    settle_ratings(hand)
    row = log()[-1]
    if said is None:
        assert (row.revision, made.revised, ratings_now()) == (1, (), before)
    else:
        assert (row.kind, row.ranks, row.rated, row.reason) == said
        assert (row.revision, row.ruling, made.revised) == (2, ONE, (row.source,))
        assert ratings_now() != before
    apply(match, TWO, lifts=rulings.effects_of(ONE))
    settle_ratings(hand)
    assert ratings_now() == before
    assert last() == {f"paper:{match.slug}:1": ("result", [0, 1], True)}


def test_the_preview_shows_the_ratings_that_come_and_writes_nothing(match, hand):
    agreed(match)
    settle_ratings(hand)
    plan = [EffectPlan("result", match.pk, 1, 1)]
    shown = preview(match.competition, plan)
    moved = {row.label: (int(row.before), int(row.after)) for row in shown.rows if row.kind == "rating"}
    assert len(log()) == 1
    assert preview(match.competition, plan).digest == shown.digest
    rulings.apply(competition=match.competition, ruling=ONE, effects=plan)
    settle_ratings(hand)
    for side in match.side_rows.select_related("entry__team"):
        key = "-".join(map(str, sorted(side.entry.roster.values_list("player", flat=True))))
        rating = Ladder.objects.get(key=LADDER).generation.ratings.get(subject__key=key)
        assert abs(moved[str(side.entry)][1] - rating.score_milli / 1000) <= 0.5
    lifted = preview(match.competition, (), rulings.effects_of(ONE))
    back = {row.label: (int(row.before), int(row.after)) for row in lifted.rows if row.kind == "rating"}
    assert back == {name: (after, before) for name, (before, after) in moved.items()}


def test_a_preview_tells_of_a_paper_that_counted_before_the_log_knew_of_papers(match, hand):
    apply(match, ONE, EffectPlan("replay", match.pk))
    agreed(match)
    settle_ratings(hand)
    expected = ratings_now()
    RatedResult.objects.all().delete()
    shown = preview(match.competition, [EffectPlan("points", match.pk, entry_id=_home(match).pk, amount=-1)])
    assert len([row for row in shown.rows if row.kind == "rating"]) + shown.others == 6
    assert not RatedResult.objects.exists()
    apply(match, TWO, EffectPlan("points", match.pk, entry_id=_home(match).pk, amount=-1))
    assert ratings_now() == expected


def _home(match):
    return match.side_rows.get(position=0).entry


@pytest.mark.parametrize("number", [None, 1])
def test_a_match_ordered_again_takes_a_new_paper_which_is_another_game(match, hand, number):
    agreed(match)
    settle_ratings(hand)
    before = ratings_now()
    hand.advance(hours=1)
    apply(match, ONE, EffectPlan("replay", match.pk, number))
    agreed(match, Game(1, 2))
    settle_ratings(hand)
    match.refresh_from_db()
    assert match.state == "confirmed"
    order = ResultEffect.objects.get().pk
    first, second = f"paper:{match.slug}:1", f"paper:{match.slug}:1:{order}"
    assert last() == {first: ("void", [0, 1], False), second: ("result", [1, 0], True)}
    assert log()[-1].completed_at > log()[0].completed_at
    apply(match, TWO, lifts=rulings.effects_of(ONE))
    settle_ratings(hand)
    assert last() == {first: ("result", [0, 1], True), second: ("void", [1, 0], False)}
    assert ratings_now() == before


def test_of_three_games_one_is_played_again_and_the_two_others_stay_what_they_were(long_match, hand):
    agreed(long_match, *THREE_GAMES)
    settle_ratings(hand)
    before, slug = ratings_now(), long_match.slug
    apply(long_match, ONE, EffectPlan("replay", long_match.pk, 3))
    long_match.refresh_from_db()
    assert long_match.state == "called"
    agreed(long_match, *THREE_GAMES[:2], Game(1, 5))
    order = ResultEffect.objects.filter(derived=False).get().pk
    assert {source: rated for source, (_kind, _ranks, rated) in last().items()} == {
        f"paper:{slug}:1": True,
        f"paper:{slug}:2": True,
        f"paper:{slug}:3": False,
        f"paper:{slug}:3:{order}": True,
    }
    assert [row.revision for row in log() if row.source == f"paper:{slug}:1"] == [1]
    apply(long_match, TWO, lifts=rulings.effects_of(ONE))
    settle_ratings(hand)
    assert ratings_now() == before


def test_a_forfeit_of_the_match_leaves_the_games_and_an_expunged_match_takes_them_away(hand):
    cup = a_tournament(4, plan=a_plan("groups_knockout", groups=1, qualify=2))
    match = agreed(under_way(cup)[0])
    assert last() == {f"paper:{match.slug}:1": ("result", [0, 1], True)}
    withdrawals.withdraw(by=SITE, entry=_home(match), reason="voiture en panne")
    assert last() == {f"paper:{match.slug}:1": ("void", [0, 1], False)}


def test_a_final_that_others_play_again_rates_the_others_and_the_appeal_restores_the_first(hand):
    cup = a_tournament(4)
    for match in under_way(cup):
        agreed(match, Game(stronger(match), 3))
    final = cup.matches.get(label="final")
    agreed(final)
    settle_ratings(hand)
    before, first = ratings_now(), pairs(final)
    semi = cup.matches.filter(label="semi").order_by("number")[0]
    made = apply(semi, ONE, EffectPlan("result", semi.pk, 1, 1 - stronger(semi), fault="own"))
    agreed(final, Game(1, 1))
    settle_ratings(hand)
    assert pairs(final) != first
    assert log()[-1].sides == pairs(final)
    apply(semi, TWO, lifts=made.effects[:1])
    settle_ratings(hand)
    assert ratings_now() == before
    assert pairs(final) == first


def test_rulings_in_any_order_and_all_overturned_restore_the_ladder(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3))
    while waiting := under_way(cup):
        hand.advance(minutes=10)
        agreed(waiting[0], Game(stronger(waiting[0]), 2))
    settle_ratings(hand)
    before, lots = ratings_now(), random.Random(3)
    played = list(cup.matches.order_by("pk"))
    names = [f"TL-2026-00{number:04}/1" for number in range(12)]
    for name in names:
        match = lots.choice(played)
        kind, position = lots.choice(["result", "void", "forfeit_game", "rating", "forfeit_match"]), lots.choice([0, 1])
        if kind == "void":
            plan = EffectPlan(kind, match.pk)
        elif kind == "forfeit_match":
            plan = EffectPlan(kind, match.pk, position=position)
        elif kind == "rating":
            plan = EffectPlan(kind, match.pk, 1)
        else:
            plan = EffectPlan(kind, match.pk, 1, position)
        with suppress(Refused):  # a void game has no result to change
            rulings.apply(competition=cup, ruling=name, effects=[plan])
    settle_ratings(hand)
    assert ratings_now() != before
    lots.shuffle(names)
    for number, name in enumerate(names):
        rulings.apply(competition=cup, ruling=f"TL-2026-01{number:04}/1", lifts=rulings.effects_of(name))
    settle_ratings(hand)
    assert ratings_now() == before


def test_a_later_paper_of_the_same_games_revises_them_in_their_place(long_match, hand):
    agreed(long_match, *THREE_GAMES)
    at = log()[0].completed_at
    hand.advance(hours=1)
    with writing():
        held = lock_match(long_match.pk)
        versions.append(held, fact="played", source="referee", sheet=[[0, 1], [0, 4]], by=SITE)
        propagate(held)
    slug = long_match.slug
    assert last() == {
        f"paper:{slug}:1": ("result", [0, 1], True),
        f"paper:{slug}:2": ("result", [0, 1], True),
        f"paper:{slug}:3": ("void", [0, 1], False),
    }
    assert [row.reason for row in log()] == ["paper", "paper", "paper", "paper", "voided"]
    assert log()[0].completed_at == at
    assert len({row.completed_at for row in log()}) == 3


# --- pages -----------------------------------------------------------------------------------------------------------


def test_histories_of_a_pair_and_a_player_show_it_and_lead_to_the_match(match, hand, client):
    agreed(match)
    settle_ratings(hand)
    ladder, pair = Ladder.objects.get(), pairs(match)[0]
    address = reverse("competitions:match", args=[match.slug])
    client.cookies["django_language"] = "en"
    for key in ("-".join(map(str, sorted(pair))), str(pair[0])):
        subject = Subject.objects.get(key=key)
        step = boards.history(subject, ladder)[-1]
        assert (step.won, step.game, step.match) == (True, "", match.slug)
        answer = client.get(reverse("ratings:subject", args=[ladder.family, ladder.teams, subject.pk]))
        assert f'href="{address}">Result on paper<' in squeezed(answer.content.decode())
    with translation.override("en"):
        for page in (
            reverse("pages:player", args=[captain(match, 0).slug]),
            reverse("ratings:leaderboards"),
            address,
        ):
            assert client.get(page).status_code == 200


# --- at once ---------------------------------------------------------------------------------------------------------


def at_once(*works):
    start, failures = threading.Barrier(len(works)), []

    def run(work):
        start.wait(timeout=20)
        try:
            work()
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return failures


@pytest.mark.django_db(transaction=True)
def test_two_captains_at_once_are_one_fact(hand):
    match = under_way(a_tournament(2))[0]
    by = [captain(match, 0), captain(match, 1)]
    failures = at_once(
        *(lambda who=who: paper.report(by=who, match=match, games=[Game(0, 3)]) for who in by),
        *(lambda who=who: paper.report(by=who, match=match, games=[Game(0, 3)]) for who in by),
    )
    assert failures == []
    assert RatedResult.objects.get().source == f"paper:{match.slug}:1"


@pytest.mark.django_db(transaction=True)
def test_the_first_games_of_a_ladder_at_once_make_it_once(hand):
    matches = under_way(a_tournament(4)) + under_way(a_tournament(4))
    for match in matches:
        paper.report(by=captain(match, 0), match=match, games=[Game(0, 3)])
    others = [(captain(match, 1), match) for match in matches]
    failures = at_once(*(lambda by=by, match=match: paper.accept(by=by, match=match, seen=1) for by, match in others))
    assert failures == []
    assert sorted(row.source for row in log()) == sorted(f"paper:{match.slug}:1" for match in matches)
    assert Ladder.objects.count() == 1
