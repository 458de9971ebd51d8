"""The verifiable deal: the test vector, the Merkle tree, blind burns, the first dealer."""

import hmac
from hashlib import sha256

import pytest

from games.engine import shuffle

SEED = bytes(range(32))
SALT = b"\x11" * 16
SHARES = [bytes([i]) * 32 for i in (1, 2, 3, 4)]
BEACON = b"beacon-round-1000"
C = "e36f5cea7ec204f69504b20d95f316ebd38ea3f445dff5bd11b6973341f6cb10"
KEY = bytes.fromhex("ae87ec6342e905c3e1e617af91131e5312a7a594a5c5b2da054dbe4d11ea26a3")


def test_commitment_leaf_and_share_are_those_of_the_reference_vector() -> None:
    assert shuffle.commit(SEED, SALT).hex() == C
    assert (
        shuffle.merkle_leaf(bytes.fromhex(C)).hex()
        == "0f1284f581d3afc1b69d123d1d868bbd677e9fb436396ea9262bca89efab7b45"
    )
    assert sha256(SHARES[0]).hexdigest() == "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"


def test_what_a_seat_commits_to_names_game_and_seat() -> None:
    assert shuffle.share_commitment(SHARES[0], "match-42", 0).hex() == (
        "6da657f0cb5b9ea17050a2f94d0945a25bfdacaa7d3374a32ed291aca138f915"
    )
    assert shuffle.share_commitment(SHARES[3], "match-42", 3).hex() == (
        "d7e9fd1bb826cdf46411ffa26b695342733269b2e1e4cf9882e0ec45df751817"
    )
    others = {shuffle.share_commitment(SHARES[0], game, seat) for game in ("a", "b") for seat in (0, 1, 256)}
    assert len(others) == 6
    assert sha256(SHARES[0]).digest() not in others


def test_later_secrets_follow_from_earlier_ones() -> None:
    seed = shuffle.later_secret(SEED, 64, 32)
    assert seed.hex() == "0918cdb9f3ba947703058512b3e93bc6ddab7004a29dbadbc2b60dcee45179aa"
    assert shuffle.later_secret(SALT, 65, 16) == shuffle.later_secret(SALT, 65, 32)[:16] != seed[:16]


def test_the_key_comes_from_seed_game_deal_shares_and_beacon() -> None:
    assert shuffle.deal_key(SEED, "match-42", 1, SHARES, BEACON) == KEY
    without = shuffle.deal_key(SEED, "match-42", 1, SHARES)
    assert without.hex() == "123acc065774d76745e7ab5c2defa0ce4e1e1cfb30ae03a5fdc3c1b0556eefc5"
    assert shuffle.order(without, 52)[:5] == [15, 26, 16, 49, 5]


@pytest.mark.parametrize(
    ("n", "first", "digest"),
    [
        (
            52,
            [49, 13, 24, 0, 11, 40, 29, 48, 38, 47, 44, 36, 46],
            "158e5a5ced516a492a1e20d958592eb6123dd0a4cb7544414ca5f8ca041845d7",
        ),
        (54, None, "53c4f4a396022b59fa7d816f6f2c4dca4dedd24838be8183b46cee97c3b97e16"),
        (
            108,
            [63, 40, 72, 4, 0, 91, 89, 57],
            "8f3f07aa69b04394df1711a33d7a8ec6df14a8fe2f94fd8aa2a29233d3f53ef4",
        ),
    ],
)
def test_decks_of_every_size_come_out_in_the_printed_order(n: int, first: list[int] | None, digest: str) -> None:
    order = shuffle.order(KEY, n)
    assert sha256(bytes(order)).hexdigest() == digest
    assert first is None or order[: len(first)] == first
    assert sorted(order) == list(range(n))


def test_a_tock_deck_is_written_in_cards() -> None:
    assert shuffle.deck(KEY, 54)[:13] == ["5H", "JD", "4H", "2H", "AH", "AS", "9D", "JC", "4C", "KS", "QC", "6C", "4D"]
    assert sorted(shuffle.deck(KEY, 108)).count("JK") == 4
    assert {"BJ", "RJ"} < set(shuffle.deck(KEY, 54, jokers="tractor"))
    with pytest.raises(ValueError, match="53"):
        shuffle.deck(KEY, 53)


def test_blind_burns_take_the_printed_places_of_the_sorted_hand() -> None:
    assert [shuffle.blind_place(KEY, b, 4) for b in (0, 1, 2)] == [3, 2, 2]
    assert shuffle.blind_order(["JK", "2C", "AD", "KS"]) == ["KS", "AD", "2C", "JK"]
    assert shuffle.blind_card(KEY, 0, ["JK", "2C", "AD", "KS"]) == "JK"


def test_words_that_would_cause_modulo_bias_are_skipped() -> None:
    # With this k every word from 2^31 + 1 on, nearly half of them, must be skipped.
    k = 2**31 + 1
    below = shuffle.stream(KEY, b"test")
    blocks = b"".join(hmac.digest(KEY, b"test" + i.to_bytes(8, "big"), "sha256") for i in range(16))
    words = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, len(blocks), 4)]
    kept = [word for word in words if word < k]
    assert len(words) // 3 < len(kept) < len(words)
    assert [below(k) for _ in kept] == kept


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 64])
def test_every_leaf_has_a_path_to_the_root_and_no_other_leaf_has_it(size: int) -> None:
    leaves = [shuffle.commit(bytes([i]) * 32, SALT) for i in range(size)]
    root = shuffle.merkle_root(leaves)
    for i, leaf in enumerate(leaves):
        path = shuffle.merkle_path(leaves, i)
        assert shuffle.merkle_verify(root, leaf, i, size, path)
        assert not shuffle.merkle_verify(root, sha256(leaf).digest(), i, size, path)
        assert size == 1 or not shuffle.merkle_verify(root, leaf, (i + 1) % size, size, path)
    with pytest.raises(IndexError):
        shuffle.merkle_path(leaves, size)


def test_the_root_of_two_leaves_is_the_node_of_their_hashes() -> None:
    a, b = shuffle.commit(SEED, SALT), shuffle.commit(bytes(32), SALT)
    node = sha256(b"\x01" + sha256(b"\x00" + a).digest() + sha256(b"\x00" + b).digest()).digest()
    assert shuffle.merkle_root([a, b]) == node
    assert shuffle.merkle_root([]) == sha256(b"").digest()


def test_the_highest_card_deals_joker_first_and_ace_last() -> None:
    assert shuffle.first_dealer(["AS", "KD", "JK", "QH"], 4) == (2, [(0, "AS"), (1, "KD"), (2, "JK"), (3, "QH")])
    assert shuffle.first_dealer(["AS", "2D", "AH", "AC"], 4)[0] == 1


def test_tied_highest_seats_draw_again_among_themselves() -> None:
    dealer, drawn = shuffle.first_dealer(["KS", "2D", "KH", "KC", "5S", "5H", "3C", "QS", "7S"], 4)
    assert drawn[4:] == [(0, "5S"), (2, "5H"), (3, "3C"), (0, "QS"), (2, "7S")]
    assert dealer == 0
    with pytest.raises(ValueError, match="ran out"):
        shuffle.first_dealer(["KS", "KH"], 2)


@pytest.mark.parametrize(("seed", "salt"), [(SEED[:31], SALT), (SEED, SALT[:15]), (SEED + b"0", SALT)])
def test_seeds_and_salts_of_another_length_are_refused(seed: bytes, salt: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffle.commit(seed, salt)
