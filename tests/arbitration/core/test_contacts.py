"""Texts that are published hold no e-mail address and no telephone number."""

import pytest

from tock_league.arbitration.core.contacts import email_in, telephone_in


@pytest.mark.parametrize(
    "text",
    [
        "Écrire à lise.roy@exemple.ca demain.",
        "lise+tock@mail.exemple.org",
        "lise (at) exemple.ca",
        "lise\uff20exemple.ca",
    ],
)
def test_an_email_address_is_found(text: str) -> None:
    assert email_in(text).startswith("lise")


@pytest.mark.parametrize(
    "text",
    [
        "Appelez le 819 555-0123.",
        "(819) 555-0123",
        "819\u00a0555\u20110123",
        "+1 819.555.0123",
        "8195550123",
        "555-0123",
        "+33 6 12 34 56 78",
        "06 12 34 56 78",
        "\uff18\uff11\uff19 555 0123",
    ],
)
def test_a_telephone_number_is_found(text: str) -> None:
    assert telephone_in(f"Son numéro : {text}")


@pytest.mark.parametrize(
    "text",
    [
        "Il a parlé au coup 12, à 18:05:09.",
        "Voir TL-2026-000123/1 et le règlement 2026/1.",
        "Les coups 12 13 14 15 16 17 18 du 2026-11-23.",
        "La bille t47 va à t12 ; il reste 240 s sur 600 s.",
        "Le 5 @ la table.",
        "Il a gagné 3-2, puis 52-1.",
    ],
)
def test_numbers_of_plays_cases_and_scores_are_no_contacts(text: str) -> None:
    assert (email_in(text), telephone_in(text)) == ("", "")
