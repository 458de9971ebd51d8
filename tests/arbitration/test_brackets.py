"""A ruling in a knockout: which entry keeps the place, and that overturning the ruling restores it."""

import pytest

from tests.competitions.world import a_player, a_tournament
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.rulings import signing
from tock_league.competitions.models import Match
from tock_league.competitions.services.seasons import roles

from .outcome import winner
from .world import TALK, World, a_referee, decided, fresh, replied, votes


@pytest.fixture
def cup(db, hand) -> World:
    """Four pairs, two semi-finals at tables, a final and a third place."""
    competition = a_tournament(4, on_paper=False)
    organiser = a_player("Sylvie Doucet")
    roles.give(by=SITE, competition=competition, player=organiser, name="organiser")
    match = competition.matches.filter(label="semi").order_by("number").first()
    hand.set(match.starts_at)
    return World(
        competition,
        match,
        [a_referee(competition) for _n in range(3)],
        a_referee(competition, "head_referee"),
        organiser,
    )


def seats(cup: World, label: str) -> set[str]:
    match = Match.objects.get(competition=cup.competition, label=label)
    return {str(side.entry) for side in match.side_rows.all() if side.entry is not None}


def names(cup: World) -> list[str]:
    return [str(side.entry) for side in cup.match.side_rows.order_by("position")]


def test_a_team_that_profits_from_its_own_error_loses_the_place_and_gets_it_back_on_appeal(cup: World) -> None:
    case = cup.taken(cup.heard(cup.dispute(winner=0)))
    first, second = names(cup)
    assert (seats(cup, "final"), seats(cup, "third_place")) == ({first}, {second})
    decision = decided(TALK, offender=cup.players[0].pk, result="result", game_number=1, winner=1, fault="own")
    shown = signing.preview(by=cup.head, case=case, decision=decision)
    assert "place" in {row.kind for row in shown.changes.rows}
    signing.sign(by=cup.head, case=case, decision=decision, preview_digest=shown.digest)
    assert (seats(cup, "final"), seats(cup, "third_place")) == ({second}, {first})
    assert winner(cup) == 1
    hearing.appeal(by=cup.players[0], case=fresh(case), grounds="fact", text="Voici un témoin.")
    hearing.form_panel(by=cup.organiser, case=fresh(case))
    replied(case, cup.players)
    members = votes(cup, fresh(case), "overturn", "overturn", "overturn")
    nothing = Decision("dismissed", facts="Le témoin est sûr.", reasons="La parole n’est pas prouvée.")
    shown = hearing.preview(by=members[0], case=fresh(case), decision=nothing)
    hearing.rule(by=members[0], case=fresh(case), decision=nothing, preview_digest=shown.digest)
    assert (seats(cup, "final"), seats(cup, "third_place")) == ({first}, {second})
    assert winner(cup) == 0
    assert audit.audit().faults == ()


def test_a_game_ordered_again_opens_a_table_of_its_own(cup: World) -> None:
    case = cup.taken(cup.heard(cup.dispute(winner=0)))
    first, second = names(cup)
    decision = Decision(
        "referee_error", result="replay", game_number=1, fault="referee", facts="La table a accepté un coup interdit.",
        reasons="Erreur du site : personne n’est fautif.",
    )  # fmt: skip
    ruling = cup.rule(case, decision)
    assert ruling.penalty == "none"
    cup.match.refresh_from_db()
    assert cup.match.state not in ("confirmed", "awarded")
    assert {first, second} & seats(cup, "final") in (set(), {first})
    assert audit.audit().faults == ()
