"""Tractor's rules page: leading, throws, following, winning a trick."""

from games.engine.tractor.game import GAME
from tests.engine.tractor.tables import after, at, refused
from tests.rules.sheets import sentence
from tests.rules.tractor import SEVENS, follows, is_tractor, parts, throw, winner


@sentence
def test_one_suit_a_lead(rules: str) -> None:
    p = at("2H", "AS AD 2S KH", "3S 4S 5S 6S", "7S 8S 9S 10S", "3D 4D 6D 7D")
    for lead in ("AS AD", "AS 2S", "AD KH"):
        assert refused(p, f"play {lead}") == "MIXED_SUITS"
    q = after(p, "play 2S KH")
    assert GAME.to_json(q)["paid"] == [0, 0]


@sentence
def test_lead_a_card(rules: str) -> None:
    assert parts(SEVENS, "AS") == ["AS"]


@sentence
def test_lead_a_pair(rules: str) -> None:
    assert parts(SEVENS, "KS KS") == ["KS KS"]
    assert parts(SEVENS, "KS QS") == ["KS", "QS"]


@sentence
def test_lead_a_tractor(rules: str) -> None:
    assert parts(SEVENS, "9S 9S 8S 8S") == ["8S 8S 9S 9S"]
    assert is_tractor(SEVENS, "10S 10S 9S 9S 8S 8S")
    assert not is_tractor(SEVENS, "9S 9S")


@sentence
def test_lead_a_throw(rules: str) -> None:
    assert parts(SEVENS, "AS AS KS") == ["AS AS", "KS"]
    p = at(SEVENS, "AS AS KS", "3S 4S 5S", "6S 8S 9S", "6D 8D 9D")
    assert GAME.to_json(after(p, "play AS AS KS"))["trick"] == [["AS", "AS", "KS"]]


@sentence
def test_unlike_cards_are_no_pair(rules: str) -> None:
    assert parts(SEVENS, "7S 7C") in (["7C", "7S"], ["7S", "7C"])
    assert winner(SEVENS, "9S 9S", "7S 7C", "AS AS", "3S 4S") == 2


@sentence
def test_a_tractor_over_the_gap(rules: str) -> None:
    assert is_tractor(SEVENS, "8S 8S 6S 6S")
    assert is_tractor(SEVENS, "AH AH 7S 7S 7H 7H")
    assert is_tractor(SEVENS, "BJ BJ RJ RJ")


@sentence
def test_how_a_lead_falls_apart(rules: str) -> None:
    assert parts(SEVENS, "AS AS KS KS JS") == ["AS AS KS KS", "JS"]
    found = parts(SEVENS, "2xAS 2xKS 2x10S 2x9S 2x8S 5S 2x3S")
    assert found is not None
    assert [part.count(" ") + 1 for part in found] == [6, 4, 2, 1]


@sentence
def test_the_first_suit_joins_the_run(rules: str) -> None:
    assert parts("2C", "2S 2S 2H 2H 2C 2C") == ["2C 2C 2H 2H", "2S 2S"]
    assert parts(SEVENS, "AH AH 7C 7C 7D 7D 7S 7S") == ["7C 7C AH AH", "7D 7D", "7S 7S"]


# --- throws ----------------------------------------------------------------------------------------------------------


@sentence
def test_one_element_is_never_checked(rules: str) -> None:
    for lead, hand in (("3S", "AS"), ("3S 3S", "AS AS"), ("4S 4S 3S 3S", "AS AS KS KS")):
        assert throw("2H", lead, hand, "", "") == {"valid": True}


@sentence
def test_a_throw_is_checked_at_once(rules: str) -> None:
    for place in range(3):
        others = ["3D"] * 3
        others[place] = "AS"
        assert throw("2H", "KS QS", *others)["valid"] is False
    p = at("2H", "KS QS", "3S 4S", "AS 8S", "3D 4D")  # the ace is the partner's
    assert GAME.to_json(after(p, "play KS QS"))["failed"]["back"] == ["KS"]


@sentence
def test_what_beats_an_element(rules: str) -> None:
    for lead, hand in (
        ("KS JS", "QS"),
        ("AS QS QS", "KS KS"),
        ("AS 9S 9S 8S 8S", "10S 10S 9S 9S"),
        ("AS 9S 9S 8S 8S", "JS JS 10S 10S 9S 9S"),
    ):
        assert throw("2H", lead, "", hand, "")["valid"] is False
    # The two kings are in two hands; no hand has a tractor of that length.
    assert throw("2H", "AS QS QS", "KS", "KS", "")["valid"] is True
    assert throw("2H", "AS 9S 9S 8S 8S 7S 7S", "JS JS 10S 10S", "", "")["valid"] is True


@sentence
def test_trumps_and_buried_cards_check_nothing(rules: str) -> None:
    assert throw("2H", "KS KS QS", "RJ RJ 2S 2S", "3H", "AH AH")["valid"] is True
    p = at("2H", "KS QS", "3S 4S", "7S 8S", "3D 4D", buried="AS AS KS QS")
    assert "failed" not in GAME.to_json(after(p, "play KS QS"))


@sentence
def test_a_throw_that_holds(rules: str) -> None:
    assert throw("2H", "AS KS KS", "QS QS AS", "10S", "9S") == {"valid": True}
    p = at("2H", "AS KS", "AD 3S", "QS 8S", "3D 4D")
    assert GAME.to_json(after(p, "play AS KS"))["trick"] == [["AS", "KS"]]


@sentence
def test_a_throw_that_fails(rules: str) -> None:
    assert throw("2H", "AS QS QS 9S", "KS KS 10S", "", "")["must_lead"] == ["9S"]
    assert throw("2H", "KS QS JS", "AS", "", "")["must_lead"] == ["JS"]
    assert throw("2H", "2S 2D", "2H", "", "")["must_lead"] == ["2D"]
    assert throw("2H", "AS QS QS", "KS KS", "", "")["must_lead"] == ["QS", "QS"]


@sentence
def test_the_others_go_back(rules: str) -> None:
    q = after(at("2H", "AS KS 3C", "AS 3S 4D", "QS 4S 5D", "JS 5S 6D"), "play AS KS")
    assert q.hand(0) == ["3C", "AS"]
    for viewer in range(4):
        assert GAME.view(q, viewer)["failed"]["back"] == ["AS"]


@sentence
def test_ten_points_a_card(rules: str) -> None:
    p = at("2H", "AS AS JS JS 9S", "10S QS QS 3D 4D", "3S 4S 5S 6S 7S", "3C 4C 6C 7C 8C", captured=0)
    q = after(p, "play AS AS JS JS 9S")
    assert GAME.to_json(q)["trick"] == [["9S"]]
    assert q.hand(0) == ["AS", "AS", "JS", "JS"]
    assert GAME.to_json(q)["paid"] == [40, 0]


# --- following -------------------------------------------------------------------------------------------------------


@sentence
def test_as_many_cards_as_led(rules: str) -> None:
    for play in ("9S", "KS QS JS"):
        assert follows("2H", "AS AS", "KS QS JS 9S", play) == "WRONG_COUNT"
    assert follows("2H", "AS AS", "KS QS JS 9S", "KS 9S") == "OK"


@sentence
def test_suit_must_be_followed(rules: str) -> None:
    assert follows("2H", "AS AS", "KS QS 4D", "KS 4D") == "MUST_FOLLOW_SUIT"
    assert follows("2H", "AS AS", "KS QS 4D", "KS QS") == "OK"


@sentence
def test_trumps_are_followed_by_trumps(rules: str) -> None:
    assert follows(SEVENS, "AH", "7S KD", "KD") == "MUST_FOLLOW_SUIT"
    assert follows(SEVENS, "AH", "7S KD", "7S") == "OK"
    assert follows(SEVENS, "AS", "7S KD", "KD") == "OK"


@sentence
def test_pairs_must_be_followed(rules: str) -> None:
    lead, hand = "9S 9S 8S 8S", "KS KS QS 5S 3S"
    assert follows("2H", lead, hand, "KS QS 5S 3S") == "MUST_PLAY_PAIRS"
    for others in ("QS 5S", "QS 3S", "5S 3S"):
        assert follows("2H", lead, hand, f"KS KS {others}") == "OK"
    assert follows("2H", lead, "KS KS QS QS 5S 3S", "KS KS 5S 3S") == "MUST_PLAY_PAIRS"
    assert follows("2H", "AS 9S 9S", "KS KS 5S 4S", "KS 5S 4S") == "MUST_PLAY_PAIRS"


@sentence
def test_too_few_means_all(rules: str) -> None:
    for play in ("KS 4D 5H 6H", "KS 4D 4D 5H"):
        assert follows("2H", "9S 9S 8S 8S", "KS 4D 4D 5H 6H", play) == "OK"
    assert follows("2H", "9S 9S 8S 8S", "KS 4D 4D 5H 6H", "4D 4D 5H 6H") == "MUST_FOLLOW_SUIT"


@sentence
def test_no_tractor_is_owed(rules: str) -> None:
    assert follows("2H", "9S 9S 8S 8S", "KS KS QS QS 4S 4S", "KS KS 4S 4S") == "OK"
    assert follows("2H", "9S 9S", "KS KS QS QS", "QS QS") == "OK"


@sentence
def test_nobody_must_trump_or_beat(rules: str) -> None:
    assert follows("2H", "9S", "AH 4D", "4D") == "OK"
    assert follows("2H", "9S", "AS 3S", "3S") == "OK"


# --- winning ---------------------------------------------------------------------------------------------------------


@sentence
def test_the_highest_of_the_suit_wins(rules: str) -> None:
    assert winner("2H", "9S", "KS", "AD", "10S") == 1


@sentence
def test_trumps_beat_side_cards(rules: str) -> None:
    assert winner("2H", "AS", "3H", "2C", "AH") == 2


@sentence
def test_the_same_shape_competes(rules: str) -> None:
    assert winner("2H", "9S 9S", "AS KS", "3H 4H", "10S 10S") == 3
    assert winner("2H", "9S 9S", "AS AH", "RJ 3D", "3S 4S") == 0
    assert winner("2H", "9S 9S 8S 8S", "AS AS QS QS", "JS JS 10S 10S", "KH KH JH JH") == 2


@sentence
def test_the_top_decides(rules: str) -> None:
    assert winner("2H", "9S 9S", "QS QS", "JS JS", "10S 10S") == 1
    assert winner("2H", "6S 6S 5S 5S", "8S 8S 7S 7S", "JS JS 10S 10S", "9S 9S 3S 3S") == 2


@sentence
def test_a_tie_stays_with_the_first(rules: str) -> None:
    assert winner("2H", "KS", "KS", "QS", "3S") == 0
    assert winner("2H", "9S", "2C", "2D", "2S") == 1


@sentence
def test_only_trumps_beat_a_throw(rules: str) -> None:
    assert winner("2H", "9S 8S", "AS KS", "QS JS", "7S 6S") == 0
    assert winner("2H", "9S 8S", "AS KS", "3H 4H", "7S 6S") == 2


@sentence
def test_a_throw_of_trumps_wins(rules: str) -> None:
    assert winner("2H", "RJ BJ", "2H 2H", "2S 2S", "AH AH") == 0
    assert winner("2H", "AH AH 3H", "2S 2S KH", "BJ BJ RJ", "4H 4H 5H") == 0


@sentence
def test_trumping_a_throw(rules: str) -> None:
    spades, diamonds = "4S 5S 6S 7S 8S", "4D 5D 6D 7D 8D"
    assert winner("2H", "AS AS QS QS 9S", "3H 3H 5H 5H 7H", spades, diamonds) == 1
    assert winner("2H", "AS AS QS QS 9S", "3H 3H 4H 4H 7H", spades, diamonds) == 1  # a tractor divided into two pairs
    assert winner("2H", "AS KS QS", "3H 3H 4H", "3S 4S 5S", "3D 4D 6D") == 1  # a pair as two single cards
    # pairs that are not consecutive are no tractor
    assert winner("2H", "AS QS QS JS JS", "3H 3H 5H 5H 9H", spades, diamonds) == 0


@sentence
def test_what_decides_between_two_ruffs(rules: str) -> None:
    assert winner("2H", "AS QS QS JS JS", "3H 3H 4H 4H RJ", "5H 5H 6H 6H 7H", "3S 4S 5S 6S 7S") == 2
    assert winner("2H", "AS AS KS", "3H 3H RJ", "4H 4H 5H", "6S 7S 8S") == 2
    assert winner("2H", "AS KS", "3H 2S", "AH KH", "2H 3H") == 3


@sentence
def test_the_winner_leads_next(rules: str) -> None:
    p = at("2H", "9S 3C", "KS 4C", "10S 6C", "3H 7C")
    q = after(p, "play 9S", "play KS", "play 10S", "play 3H")
    assert (q.turn, q.leader) == (3, 3)
