"""What the pages must know of a rule set of Tractor, and a text version of its table for the first view without
JavaScript.

Order and trumps are the engine's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import registry
from games.engine.cards import NUMBER, TEXTS
from games.engine.errors import UnknownRules
from games.engine.tractor.order import TRUMP, Order, order
from games.engine.tractor.rules import RANKS, SUITS, TractorRules

PLACES = "senw"  # the own seat at the bottom, the next one to its right: counter-clockwise
SHOWN = (TRUMP, *(SUITS.index(suit) for suit in "SHCD"))  # groups of a hand, alternately red and black
_POINTS_APART = 5  # points are multiples of it


def rules_of(rules: str) -> TractorRules | None:
    """Return the rule set of this id if it is one of Tractor's."""
    try:
        found = registry.rules(rules)
    except UnknownRules:
        return None
    return found if isinstance(found, TractorRules) else None


def sheet(found: TractorRules) -> dict[str, Any]:
    """Return what the page's script needs of the rules, as plain JSON.

    `talon`: cards to bury; `take_over`: the points with which the opponents become declarers; `duty`, `keeps_rank`:
    house rules.
    """
    return {
        "talon": found.talon,
        "take_over": found.bands[-1].points + _POINTS_APART,
        "duty": found.tractor_duty,
        "keeps_rank": found.no_trump_keeps_rank,
    }


def order_of(view: Mapping[str, Any], *, keeps_rank: bool) -> Order:
    """Return the order that sorts a view's hand: before trumps are named, the rank's cards are beside the jokers."""
    trump = view.get("trump")
    if trump is None:
        return order(_rank(view), None, keeps_rank=True)
    suit = SUITS.index(trump["suit"]) if "suit" in trump else None
    return order(RANKS.index(trump["rank"]), suit, keeps_rank=keeps_rank)


def _rank(view: Mapping[str, Any]) -> int:
    """Return the rank of the round, an index in RANKS; any rank after a game in which a team passed the ace."""
    ranks = view.get("ranks") or RANKS
    rank = ranks[view.get("declarers", 0)]
    return RANKS.index(rank) if rank in RANKS else 0


def groups(held: Order, cards: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return a hand as (name of the effective suit, cards from high to low), trumps first; empty groups are omitted."""
    found = []
    for suit in SHOWN:
        numbers = [NUMBER[card] for card in cards if held.suits[NUMBER[card]] == suit]
        numbers.sort(key=lambda k: (-held.levels[k], -k))
        if numbers:
            found.append((suit_name(suit), [TEXTS[k] for k in numbers]))
    return found


def suit_name(suit: int) -> str:
    """Return an effective suit in words."""
    if suit == TRUMP:
        return pgettext("card suit", "trumps")
    names = {
        "S": pgettext("card suit", "spades"),
        "H": pgettext("card suit", "hearts"),
        "D": pgettext("card suit", "diamonds"),
        "C": pgettext("card suit", "clubs"),
    }
    return names[SUITS[suit]]


def trump_words(trump: Mapping[str, str]) -> str:
    """Return trumps in words: "trumps: hearts, rank 7"."""
    if "suit" not in trump:
        return _("no trump")
    return _("trumps: %(suit)s, rank %(rank)s") % {"suit": suit_name(SUITS.index(trump["suit"])), "rank": trump["rank"]}


def points_of(view: Mapping[str, Any]) -> int | None:
    """Return the opponents' points so far: what they captured, with penalties of both sides; None outside a round's
    tricks.
    """
    declarers, captured, paid = view.get("declarers"), view.get("captured"), view.get("paid")
    if declarers is None or captured is None or paid is None:
        return None
    opponents = 1 - int(declarers)
    return int(captured[opponents]) + int(paid[declarers]) - int(paid[opponents])


def on_the_table(view: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return the cards before each seat: the current trick or the last one; while trumps are chosen, the show."""
    if view["phase"] in ("draw", "show", "bury"):
        show = view.get("show")
        return {show["seat"]: show["cards"]} if show else {}
    leader, plays = view.get("leader"), view.get("trick")
    if not plays:
        last = view.get("last") or {"leader": 0, "plays": []}
        leader, plays = last["leader"], last["plays"]
    return {(int(leader or 0) + i) % view["seats"]: list(play) for i, play in enumerate(plays)}


def felt(boot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the first view shows of a table: trumps, points, the cells of the oval and the own hand."""
    view = boot["snap"]["view"]
    found = rules_of(boot["rules"])
    held = order_of(view, keeps_rank=found is not None and found.no_trump_keeps_rank)
    cards, own = on_the_table(view), boot.get("seat") or 0
    seats = [(own + i) % boot["seats"] for i in range(boot["seats"])]
    return {
        "trumps": trump_words(view["trump"]) if "trump" in view else "",
        "points": points_of(view),
        "take_over": sheet(found)["take_over"] if found else 0,
        "cells": [
            {"place": place, "seat": seat, "cards": cards.get(seat, [])}
            for place, seat in zip(PLACES, seats, strict=True)
        ],
        "groups": groups(held, view["hand"]) if "hand" in view else [],
    }
