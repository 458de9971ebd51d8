"""At the table: a call freezes the game, one referee takes the case and rules, and play goes on."""

import pytest

from games.fold import Viewer, view
from games.models import GameEvent
from games.selectors import replays
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Effect
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions.selectors.changes.observed import difference, observe
from tock_league.journal.models import JournalEntry

from .world import TALK, World, a_referee, decided, fresh


@pytest.fixture
def called(world: World):
    """A game in its first turns; seat 0 has called the referee because seat 1 talked."""
    sat = world.sat()
    sat.play_on(3)
    answer = sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire")
    assert not answer.code, answer
    return sat, Case.objects.get()


def test_a_call_files_a_case_and_freezes_the_table(world: World, called) -> None:
    sat, case = called
    assert (case.number, case.state, case.origin, case.kind, case.live) == (
        "TL-2026-000001", "filed", "call", "talk", True,
    )  # fmt: skip
    assert case.opened_by == world.players[0]
    assert GameEvent.objects.get(game=sat.game, seq=case.seq).code == "dispute"
    assert case.side == 0
    assert sat.state.frozen is not None
    assert sat.send(min(sat.state.to_act), "play", play=sat.choose(min(sat.state.to_act))).code == "frozen"
    (row,) = case_files.queue(world.competition, world.referees[0])
    assert row.may_take
    assert row.live


def test_the_whole_path_call_freeze_lease_ruling_blind_burn_resume(world: World, called) -> None:
    sat, case = called
    referee, other = world.referees[:2]
    lease = leases.take(by=referee, case=case)
    assert sat.state.frozen.held
    with pytest.raises(Conflict) as taken:
        leases.take(by=other, case=case)
    assert taken.value.code == "taken"
    assert taken.value.details["referee"] == referee.display_name
    assert leases.take(by=referee, case=case) == lease
    decision = decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",))
    shown = signing.preview(by=referee, case=case, decision=decision)
    assert (shown.step, shown.standard, shown.penalty, shown.needs_head) == (1, "warning", "warning", False)
    assert [act.type for act in shown.acts] == ["blind_burn"]
    ruling = signing.sign(by=referee, case=case, decision=decision, preview_digest=shown.digest)
    again = signing.sign(by=referee, case=case, decision=decision, preview_digest=shown.digest)
    assert again == ruling
    assert GameEvent.objects.filter(game=sat.game, code="penalty").count() == 1
    assert Effect.objects.filter(ruling=ruling).count() == 2  # the burn and the warning
    assert sat.state.frozen is None
    assert fresh(case).state == "ruled"
    assert not fresh(case).live
    for _play in range(12):
        if not _burned(sat):
            sat.play_on(1)
    assert _burned(sat), "the burn is the offender's next turn"
    assert not sat.send(1, "resign").code
    assert replays.faults(sat.game) == []
    assert audit.audit().faults == ()


def _burned(sat) -> bool:
    rows = GameEvent.objects.filter(game=sat.game, code="play").values_list("body", flat=True)
    return any(str(body.get("play", "")).startswith("blind ") and body.get("seat") == 1 for body in rows)


def test_every_event_of_a_case_stands_in_the_journal_of_its_competition(world: World, called) -> None:
    _sat, case = called
    leases.take(by=world.head, case=case)
    world.rule(fresh(case), decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    entries = JournalEntry.objects.filter(stream=f"competition:{world.competition.slug}")
    assert {event.entry_id for event in case.events.all()} <= set(entries.values_list("pk", flat=True))
    told = b"".join(bytes(entry.body) for entry in entries)
    assert b"case.filed" in told
    assert b"lease.taken" in told
    assert b"ruling.signed" in told
    assert "Il parle à son partenaire".encode() not in told
    assert b'"about":"talk"' not in told, "what it is about is not told while the table plays"


def test_a_hand_is_seen_under_the_lease_only_and_the_opening_is_recorded(world: World, called) -> None:
    sat, case = called
    with pytest.raises(Conflict) as refused:
        leases.view_seat(by=world.referees[0], case=case, seat=1)
    assert refused.value.code == "no_lease"
    leases.take(by=world.referees[0], case=case)
    leases.view_seat(by=world.referees[0], case=case, seat=1)
    assert GameEvent.objects.filter(game=sat.game, code="seat_view").count() == 1
    assert case.events.filter(type="seat_viewed", body__seat=1).exists()
    entry = case.events.get(type="seat_viewed").entry
    assert b'"seat":1' not in bytes(entry.body)
    party = case_files.case_file(case, world.players[1])
    assert "seat_viewed" not in {event.type for event in party.events}
    with pytest.raises(Refused) as wrong:
        leases.view_seat(by=world.referees[0], case=case, seat=9)
    assert (wrong.value.code, wrong.value.field) == ("seat", "seat")
    leases.view_seat(by=world.referees[0], case=case, seat=None)


def test_a_referee_who_loses_the_role_loses_the_lease_at_once(world: World, called) -> None:
    from tock_league.accounts.permissions import SITE
    from tock_league.competitions.models import CompetitionRole
    from tock_league.competitions.services.seasons import roles

    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    role = CompetitionRole.objects.get(player=world.referees[0], competition=world.competition)
    roles.end(by=SITE, role=role)
    assert fresh(case).state == "filed"
    assert case.events.filter(type="lease_lost").exists()
    assert leases.take(by=world.referees[1], case=case).referee == world.referees[1]


def test_an_expired_lease_can_be_taken_by_any_referee(world: World, called, hand) -> None:
    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    hand.advance(minutes=4)
    leases.renew(by=world.referees[0], case=case)
    hand.advance(minutes=4)
    with pytest.raises(Conflict):
        leases.take(by=world.referees[1], case=case)
    hand.advance(minutes=2)
    with pytest.raises(Conflict) as late:
        leases.renew(by=world.referees[0], case=case)
    assert late.value.code == "no_lease"
    assert leases.take(by=world.referees[1], case=fresh(case)).referee == world.referees[1]
    assert [event.type for event in case.events.order_by("seq")][-2:] == ["lease_expired", "lease_taken"]


def test_the_head_referee_forfeits_the_running_game(world: World, called) -> None:
    sat, case = called
    decision = decided(
        TALK, offender=world.players[1].pk, penalty="game_forfeit", deviation_reason="Troisième fois ce soir."
    )
    world.taken(case, world.referees[0])
    with pytest.raises(Refused) as refused:
        signing.preview(by=world.referees[0], case=fresh(case), decision=decision)
    assert (refused.value.code, refused.value.field) == ("head_referee_needed", "penalty")
    leases.escalate(by=world.referees[0], case=fresh(case), note="Partie perdue, je propose.")
    world.taken(case)
    world.rule(fresh(case), decision)
    assert sat.game.state == "over"
    assert sat.game.ranks == [0, 1]
    assert Effect.objects.get(type="table_forfeit").position == 1


def test_the_preview_of_a_forfeit_at_the_table_shows_the_match_that_it_ends(world: World, called) -> None:
    _sat, case = called
    world.taken(case)
    decision = decided(
        TALK, offender=world.players[1].pk, penalty="game_forfeit", deviation_reason="Troisième fois ce soir."
    )
    before, rows = observe(world.competition), JournalEntry.objects.count()
    shown = signing.preview(by=world.head, case=fresh(case), decision=decision)
    assert JournalEntry.objects.count() == rows
    assert fresh(case).state == "assigned"
    assert {row.kind for row in shown.changes.rows} >= {"result", "points", "rank", "table"}
    world.rule(fresh(case), decision)
    facts = {key: made for key, made in shown.changes.facts.items() if key != "ratings"}
    assert difference(before, observe(world.competition), clock.now()) == facts
    world.match.refresh_from_db()
    assert world.match.state == "confirmed"


def _playable(sat) -> list[str]:
    """Return the cards that the seat to act can play without burning one."""
    lines = view(sat.state, Viewer(min(sat.state.to_act)))["legal"]
    return sorted({line.split(" ")[0] for line in lines if not line.startswith("burn")})


def test_a_touched_marble_is_enforced(world: World) -> None:
    sat = world.sat()
    while not (cards := _playable(sat)):
        sat.play_on(1)
    seat, card = min(sat.state.to_act), cards[0]
    sat.send((seat + 1) % 4, "dispute", kind="touch", text="")
    case = world.taken(Case.objects.get())
    offender = world.players[seat].pk
    decision = Decision(
        "upheld", row="touch", offender=offender, remedies=("touch",), card=card, rules=("8",), facts="Carte posée.",
        reasons="Carte posée, carte jouée.",
    )  # fmt: skip
    ruling = world.rule(case, decision)
    assert ruling.penalty == "caution"
    assert GameEvent.objects.filter(game=sat.game, code="warning").count() == 1
    assert sat.state.touch.card == card
    assert all(line.startswith(card) for line in view(sat.state, Viewer(seat))["legal"])


def test_a_turn_is_taken_back_and_the_clock_is_moved(world: World) -> None:
    sat = world.sat()
    first = sat.state.seq
    sat.play_on(1)
    sat.send(0, "dispute", kind="illegal", text="")
    case = world.taken(Case.objects.get())
    from games.selectors.referee import rewindable

    seqs = rewindable(sat.game)
    offender = world.players[1].pk
    base = Decision("upheld", row="illegal", offender=offender, rules=("4",), facts="Coup interdit.", reasons="Repris.")
    with pytest.raises(Refused) as far:
        world.rule(case, decided(base, remedies=("rewind",), rewind_to=1))
    assert (far.value.code, far.value.field) == ("remedy_rewind", "rewind_to")
    decision = decided(base, remedies=("rewind", "clock"), rewind_to=seqs[-1], clock_seat=0, clock_ms=30_000)
    world.rule(case, decision)
    assert sat.game.epoch == 1
    codes = list(GameEvent.objects.filter(game=sat.game, seq__gt=first).values_list("code", flat=True))
    assert {"rewind", "adjust", "resume"} <= set(codes)
    sat.play_on(4)
    assert replays.faults(sat.game) == []


def test_a_call_nobody_answers_is_decided_after_the_game(world: World, called, hand) -> None:
    from games.services import clocks

    sat, case = called
    hand.advance(minutes=6)
    clocks.claim_due()
    assert sat.state.frozen is None
    case = fresh(case)
    assert (case.state, case.live) == ("filed", False)
    assert case.events.filter(type="unanswered").exists()
    world.taken(case)
    with pytest.raises(Refused) as running:
        world.rule(fresh(case), decided(TALK, offender=world.players[1].pk))
    assert running.value.code == "game_running"


def test_nobody_on_duty_means_play_goes_on_with_the_case_filed(db, hand) -> None:
    from tests.competitions.world import a_league, a_player, first_match

    league = a_league(4)
    world = World(league, first_match(league), [], a_player(), a_player())
    sat = world.sat()
    assert not sat.send(0, "dispute", kind="talk").code
    case = Case.objects.get()
    assert not case.live
    assert sat.state.frozen is None
    referee = a_referee(league)
    assert leases.take_next(by=referee, competition=league).case == case


def test_taking_a_call_back_lets_the_table_go_on(world: World, called) -> None:
    sat, case = called
    disputes.withdraw_case(by=world.players[0], case=case)
    assert sat.state.frozen is None
    assert fresh(case).state == "withdrawn"
    sat.play_on(2)


def test_a_match_forfeited_at_the_table_ends_it(world: World, called) -> None:
    sat, case = called
    world.taken(case)
    decision = decided(
        TALK,
        row="abuse",
        offender=world.players[1].pk,
        rules=("8",),
        facts="Il a injurié l’arbitre.",
        reasons="Tableau.",
    )
    ruling = world.rule(fresh(case), decision)
    assert ruling.penalty == "match_forfeit"
    world.match.refresh_from_db()
    assert world.match.state in ("confirmed", "awarded")
    assert sat.game.state == "over"
    assert audit.audit().faults == ()


def test_two_seats_that_call_make_one_case(world: World, called) -> None:
    sat, case = called
    assert sat.send(1, "dispute", kind="conduct").code == "frozen"
    assert Case.objects.get() == case


def test_texts_of_a_case_do_not_reach_the_partner_during_the_game(world: World, called) -> None:
    sat, case = called
    disputes.add(by=world.players[1], case=case, text="Garde ton valet")
    for player, words in (
        (world.players[0], ["Il parle à son partenaire"]),
        (world.players[1], ["Garde ton valet"]),
        (world.players[2], []),
        (world.players[3], []),
    ):
        file = case_files.case_file(fresh(case), player)
        assert [said.text for said in file.statements] == words
        assert file.case.kind == ("talk" if player == world.players[0] else "other")
        assert case_files.mine(player).parties[0].kind == file.case.kind
    world.taken(case)
    assert len(case_files.case_file(fresh(case), world.head).statements) == 2
    world.rule(fresh(case), decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    assert not sat.send(1, "resign").code
    file = case_files.case_file(fresh(case), world.players[2])
    assert len(file.statements) == 2
    assert file.case.kind == "talk"
