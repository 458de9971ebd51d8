import pytest

from tock_league.competitions.core.lots import draw_sides, in_lot_order, lot


def test_a_lot_is_the_hash_anybody_can_compute():
    assert lot("spring-cup-7f3a", "E12").startswith("27a8")


def test_partners_follow_from_the_seed_and_not_from_the_order_of_arrival():
    players = [f"p{number}" for number in range(8)]
    pairs = draw_sides("night-1", players)
    assert pairs == draw_sides("night-1", list(reversed(players)))
    assert pairs != draw_sides("night-2", players)
    assert sorted(name for pair in pairs for name in pair) == players
    order = in_lot_order("night-1", players)
    assert pairs[0] == order[:2]


@pytest.mark.parametrize("players", [[], ["a", "b"], ["a", "b", "c", "d", "e"], ["a", "a", "b", "c"]])
def test_fields_that_make_no_pairs_are_refused(players):
    with pytest.raises(ValueError):
        draw_sides("night", players)
