"""Sections 2, 6, 7, 8, 9 and 14: whose turn it is, what it may do, what follows."""

from __future__ import annotations

from typing import Any

from . import cards, sheets
from .checks import Refused, checked, teammates
from .table import HOME, Table

Position = dict[str, Any]


def new(rules: str, seats: int, teams: int, dealer: int = 0, *, full_ranking: bool = False) -> Position:
    """Return a position in phase `deck` before the first deal."""
    return written(
        checked(
            {
                "rules": rules,
                "seats": seats,
                "teams": teams,
                "dealer": dealer,
                "deal": 0,
                "turn": (dealer + 1) % seats,
                "phase": "deck",
                "hands": [[] for _ in range(seats)],
                "stock": [],
                "marbles": [["r"] * 4 for _ in range(seats)],
                "fresh": [],
                "first": teams < seats,
                "full_ranking": full_ranking,
            }
        )
    )


def written(p: Position) -> Position:
    """Return the position as in section 12: keys with default values omitted, lists without order sorted."""
    resting: Position = {
        "first": False, "given": None, "joker": None, "thrown": [], "penalties": [0] * p["seats"], "finished": [],
        "full_ranking": False,
    }  # fmt: skip
    kept = {key: value for key, value in p.items() if key not in resting or value != resting[key]}
    kept["hands"] = [sorted(hand) for hand in p["hands"]]
    kept["marbles"] = [sorted(places) for places in p["marbles"]]
    for key in {"fresh", "thrown"} & kept.keys():
        kept[key] = sorted(p[key])
    return kept


# --- who plays -------------------------------------------------------------------------------------------------------


def side(p: Position, seat: int) -> int:
    """Return the seat whose marbles `seat` moves (section 3)."""
    for one in (seat, *teammates(p, seat)):
        if set(p["marbles"][one]) != {f"h{n}" for n in HOME}:
            return one
    return seat


def next_seat(p: Position) -> int:
    """Return the seat that must burn after a 10: the next one clockwise that has not finished (section 14.3)."""
    return _after(p, p["turn"])


def _after(p: Position, seat: int) -> int:
    """Return the next seat clockwise that is still in the game."""
    for step in range(1, p["seats"] + 1):
        if (one := (seat + step) % p["seats"]) not in p["finished"]:
            return one
    return seat


# --- legal -----------------------------------------------------------------------------------------------------------


def legal(position: Position) -> list[str]:
    """Return the listed plays, sorted."""
    p = checked(position)
    hand = set(p["hands"][p["turn"]])
    if p["phase"] in ("deck", "over"):
        return []
    if p["phase"] in ("give", "blind"):
        return sorted(f"{p['phase']} {card}" for card in hand)
    if p["phase"] == "forced":
        return sorted(f"burn {card}" for card in hand)
    listed = {f"{card} {tail}" for card in hand for tail in cards.tails(_asked(p), sheets.rank_of(card))}
    if listed:
        return sorted(listed)
    return ["throw"] if _throws_in(p) else sorted(f"burn {card}" for card in hand)


def sevens(position: Position) -> list[str]:
    """Return every valid order of legs of every seven in hand, listed or not."""
    p = checked(position)
    asked, found = _asked(p), []
    for card in sorted(set(p["hands"][p["turn"]])):
        for name, most, *how in sheets.powers(p["rules"], p["seats"], sheets.rank_of(card)) if card[0] == "7" else []:
            assert name == "seven"
            found += [f"{card} {tail}" for tail, _ in cards.sevens(asked, most, eating="eating" in how)]
    return found


def _asked(p: Position) -> cards.Asked:
    return cards.Asked(
        rules=p["rules"],
        table=Table(p, special=p["rules"] in sheets.SPECIAL_SPACES),
        side=side(p, p["turn"]),
        next_has_cards=bool(p["hands"][next_seat(p)]),
        follows=p["joker"] if p["phase"] == "joker" else None,
    )


def _throws_in(p: Position) -> bool:
    return (
        p["rules"] in sheets.THROWS_IN
        and p["phase"] == "play"
        and p["marbles"][side(p, p["turn"])] == ["r"] * 4
        and not {sheets.rank_of(card) for card in p["hands"][p["turn"]]} & {"A", "K"}
    )


# --- apply -----------------------------------------------------------------------------------------------------------


def apply(position: Position, play: str) -> Position:
    """Return the position after the play; raises Refused."""
    p = checked(position)
    if not isinstance(play, str):
        raise Refused("play: text is needed")
    word, _, rest = play.partition(" ")
    if p["phase"] == "deck" and word == "deck":
        _new_deck(p, rest.split(" "))
    elif p["phase"] in ("play", "joker") and word in p["hands"][p["turn"]]:
        _card(p, word, rest)
    elif play not in legal(position):
        raise Refused(f"play: {play} is not legal")
    elif word == "give":
        _give(p, rest)
    elif word == "throw":
        p["hands"][p["turn"]] = []
        p["thrown"].append(p["turn"])
        _pass(p)
    else:
        p["hands"][p["turn"]].remove(rest)
        if word == "blind":
            p["penalties"][p["turn"]] -= 1
        _pass(p)
    return written(p)


def _card(p: Position, card: str, tail: str) -> None:
    asked, rank = _asked(p), sheets.rank_of(card)
    if rank == "7":
        [power] = sheets.powers(p["rules"], p["seats"], rank)
        done = cards.seven_as_spelt(asked, tail, power)
    else:
        done = cards.tails(asked, rank).get(tail)
    if done is None:
        raise Refused(f"play: {card} {tail} is not legal")
    hit = next_seat(p)
    p["hands"][p["turn"]].remove(card)
    p.update(done.table.written())
    if _is_over(p):
        p.update(phase="over", joker=None, given=None)
    elif rank == "JK" and p["rules"] in sheets.REPLAYS_JOKERS:
        p["hands"][p["turn"]].append(p["stock"].pop(0))
        p.update(phase="joker", joker=done.moved, given=None)
    elif done.hits_next:
        p.update(phase="forced", turn=hit, joker=None, given=None)
    else:
        _pass(p)


def _is_over(p: Position) -> bool:
    """Record who has finished, and return whether that ends the game (section 9)."""
    home = [set(places) == {f"h{n}" for n in HOME} for places in p["marbles"]]
    if p["teams"] < p["seats"]:
        return any(all(home[team :: p["teams"]]) for team in range(p["teams"]))
    for seat in range(p["seats"]):
        if home[seat] and seat not in p["finished"]:
            p["finished"].append(seat)
            if p["full_ranking"]:
                p["hands"][seat] = []
    return len(p["finished"]) >= (p["seats"] - 1 if p["full_ranking"] else 1)


def _give(p: Position, card: str) -> None:
    p["hands"][p["turn"]].remove(card)
    p["given"] = p["given"] or [None] * p["seats"]
    p["given"][p["turn"]] = card
    if None in p["given"]:
        p.update(turn=p["given"].index(None), joker=None)
        return
    for seat, given in enumerate(p["given"]):
        p["hands"][(seat + p["teams"]) % p["seats"]].append(given)
    p.update(first=False, given=None)
    _begin(p, _after(p, p["dealer"]))


# --- turns and deals -------------------------------------------------------------------------------------------------


def _begin(p: Position, seat: int) -> None:
    p.update(turn=seat, phase="blind" if p["penalties"][seat] else "play", joker=None, given=None)


def _pass(p: Position) -> None:
    """Pass the turn clockwise to the next seat with a card; if no seat has one, deal again."""
    for step in range(1, p["seats"] + 1):
        seat = (p["turn"] + step) % p["seats"]
        if p["hands"][seat]:
            _begin(p, seat)
            return
    p.update(thrown=[], joker=None, given=None)
    last = p["deal"] == 2
    if last or sheets.DEALER_MOVES[p["rules"]] == "deal":
        p["dealer"] = _after(p, p["dealer"])
    elif p["dealer"] in p["finished"]:
        raise AssertionError("no rule set of individual play keeps its dealer between deals")
    if last:
        p.update(deal=0, phase="deck", stock=[], turn=_after(p, p["dealer"]))
    else:
        p["deal"] += 1
        _deal(p)


def _new_deck(p: Position, names: list[str]) -> None:
    whole = sheets.deck(p["rules"], p["seats"])
    if sorted(names) != sorted(whole.elements()):
        raise Refused("play: the deck has not the cards of this table")
    p["stock"] = names
    _deal(p)


def _deal(p: Position) -> None:
    """Deal one card at a time from the dealer's left, then exchange or begin."""
    for _ in range(sheets.HANDS[p["deal"]]):
        for step in range(1, p["seats"] + 1):
            seat = (p["dealer"] + step) % p["seats"]
            if seat not in p["finished"]:
                p["hands"][seat].append(p["stock"].pop(0))
    due = p["first"] if sheets.EXCHANGE[p["rules"]] == "game" else True
    if p["teams"] < p["seats"] and due:
        p.update(phase="give", turn=0, given=[None] * p["seats"], joker=None)
    else:
        _begin(p, _after(p, p["dealer"]))


# --- the end, and counting -------------------------------------------------------------------------------------------


def result(position: Position) -> list[int] | None:
    """Return a rank per team, 0 best; None while the game goes on (section 14.10)."""
    p = checked(position)
    if p["phase"] != "over":
        return None
    seats = range(p["seats"])
    if p["teams"] == p["seats"] and p["full_ranking"]:
        order = [*p["finished"], *(seat for seat in seats if seat not in p["finished"])]
        return [order.index(seat) for seat in seats]
    inside = [sum(place[0] == "h" for place in places) for places in p["marbles"]]
    homes = [sum(inside[team :: p["teams"]]) for team in range(p["teams"])]
    return [sum(other > mine for other in homes) for mine in homes]


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` listed plays; `over` and `deck` end a sequence."""
    if not 0 <= depth <= 10:
        raise Refused("depth: 0 to 10")
    p = checked(position)
    if depth == 0 or p["phase"] in ("deck", "over"):
        return 1
    plays = legal(p)
    return len(plays) if depth == 1 else sum(perft(apply(p, play), depth - 1) for play in plays)
