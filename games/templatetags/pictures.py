"""Pictures for the rules pages: a position, and a play that the engine accepts there, drawn by the board's own drawing.

PICTURES lists them by the English id of the heading under which they stand. A position is what the engine reads; where
marbles go, what is eaten and who must burn is what the engine says of the play. Nothing of it is drawn by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import registry
from games.engine.errors import UnknownRules

from . import _drawing, _leads, _pieces, _sheet
from ._geometry import Geometry
from ._ways import case_of, ways
from .tractor import card_name, tractor_card

Text = Any  # a text, or one that is translated when it is shown


HELD = ("2D", "3S", "5C", "6S", "8D", "9D", "QC")  # a card of each other seat


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: seat 0 plays `play`, or nothing yet. `others`: marbles of other seats; those that are not named wait in
    their reserves.
    """

    heading: str
    caption: Text
    play: str = ""
    own: tuple[str, ...] = ()
    others: tuple[tuple[int, tuple[str, ...]], ...] = ()
    fresh: tuple[int, ...] = ()
    seats: int = 4

    @property
    def card(self) -> str:
        """The card that seat 0 lays, its only one; "" in the picture of the board alone."""
        first, _space, rest = self.play.partition(" ")
        return rest if first == "burn" else "9C" if first == "throw" else first

    def position(self, rules: str) -> dict[str, Any]:
        """Return the position as JSON: seat 0 holds the card of the play, and every other seat a card."""
        marbles = [_four(self.own), *(_four(dict(self.others).get(seat, ())) for seat in range(1, self.seats))]
        card = self.card
        hands = [[card or "2S"], *([held] for held in HELD[: self.seats - 1])]
        stock = ["9H", "8H"] if card == "JK" else []
        return {
            "rules": rules, "seats": self.seats, "teams": 2, "dealer": self.seats - 1, "deal": 2, "turn": 0,
            "phase": "play", "hands": hands, "stock": stock, "marbles": marbles, "fresh": list(self.fresh),
        }  # fmt: skip


def _four(places: Sequence[str]) -> list[str]:
    return [*places, *["r"] * (4 - len(places))]


TRACK = Picture(
    "the-track",
    gettext_lazy(
        "The marbles wait in their reserves. Each player has 18 spaces of the track and a heaven of four places."
    ),
)
OUT = Picture("coming-out", gettext_lazy("An ace brings a marble out of the reserve onto its start."), "AS out")
QUEEN = Picture(
    "what-each-card-does", gettext_lazy("A queen goes forward 12 spaces, clockwise."), "QH t9-t21", own=("t9",)
)
HOME = Picture(
    "going-forward",
    gettext_lazy("At its own pieu a marble turns into its heaven; the count must fit."),
    "6C t67-h3",
    own=("t67",),
)
BACK = Picture("going-back-the-4", gettext_lazy("A 4 goes back, also from the start."), "4S t0-t68", own=("t0",))
EATING = Picture(
    "eating",
    gettext_lazy("A marble that ends its move on another one sends it back to its reserve."),
    "9C t12-t21",
    own=("t12",),
    others=((1, ("t21",)),),
)
SEVEN = Picture(
    "the-7",
    gettext_lazy("A 7 split over two marbles: three steps by one, four by the other."),
    "7C t12-t15 t20-t24",
    own=("t12", "t20"),
)
EATING_SEVEN = Picture(
    "the-7",
    gettext_lazy("A 7 split over two marbles, three steps and four; the second one eats a marble on its way."),
    "7C t12-t15 t20-t24",
    own=("t12", "t20"),
    others=((1, ("t22",)),),
)
TEN = Picture(
    "the-10", gettext_lazy("A 10 goes forward, and the next player burns a card."), "10S t12-t22", own=("t12",)
)
JACK = Picture(
    "the-jack",
    gettext_lazy("A jack lets two marbles change places."),
    "JD t12xt40",
    own=("t12",),
    others=((3, ("t40",)),),
)
KING = Picture("the-king", gettext_lazy("A king brings a marble out, or goes forward 13."), "KD t12-t25", own=("t12",))
BURN = Picture(
    "you-must-play-burning",
    gettext_lazy("No marble is out and the only card is a 9: it cannot be played, so it is burned."),
    "burn 9C",
)

THROW = Picture(
    "you-must-play-burning",
    gettext_lazy("All four marbles are in the reserve, and there is no ace and no king: the whole hand is laid down."),
    "throw",
)

PICTURES: dict[str, tuple[Picture, ...]] = {
    "shawinigan/1": (
        TRACK, QUEEN, OUT, HOME, BACK, EATING,
        Picture(
            "the-5",
            gettext_lazy("A 5 may move anybody’s marble, here a marble of B."),
            "5D t30-t35",
            others=((1, ("t30",)),),
        ),
        SEVEN, JACK,
        Picture(
            "the-king",
            gettext_lazy("The king’s 13 eats everything that it passes over, but not the marble on case 8."),
            "KD t2-t15",
            own=("t2",),
            others=((1, ("t5", "t8")), (3, ("t12",)),),
        ),
        Picture(
            "the-joker",
            gettext_lazy("A joker goes forward 18. Then a card is drawn, and the same marble plays again."),
            "JK t12-t30",
            own=("t12",),
        ),
        Picture(
            "special-spaces",
            gettext_lazy("A marble that arrives on a case 7 jumps to the opposite one."),
            "3D t4-t43",
            own=("t4",),
        ),
        Picture(
            "you-must-play-burning",
            gettext_lazy("A 10 is sacrificed: no marble moves, and the next player burns a card."),
            "10S skip",
            own=("t12",),
        ),
    ),
    "tock-air/1": (TRACK, QUEEN, OUT, HOME, BACK, EATING, EATING_SEVEN, JACK, KING, THROW),
    "toc/1": (TRACK, QUEEN, OUT, HOME, BACK, EATING, EATING_SEVEN, TEN, JACK, KING, BURN),
    "tock/1": (
        TRACK, QUEEN, OUT, HOME, BACK, EATING,
        Picture(
            "the-5",
            gettext_lazy("With six or eight players a 5 passes over a fresh marble."),
            "5H t16-t21",
            own=("t16",),
            others=((1, ("t18",)),),
            fresh=(1,),
            seats=6,
        ),
        EATING_SEVEN, TEN, JACK, KING,
        Picture(
            "the-joker",
            gettext_lazy("With six or eight players a joker goes forward 18, or brings a marble out."),
            "JK t12-t30",
            own=("t12",),
            seats=6,
        ),
        Picture(
            "the-centre",
            gettext_lazy("With eight players a king goes from a case 7 into the centre."),
            "KD t7-x7",
            own=("t7",),
            seats=8,
        ),
        BURN,
    ),
}  # fmt: skip


def pictures_of(rules: str) -> tuple[Picture, ...]:
    """Return the pictures of a rule set's page, in its order; none for a rule set that is not listed."""
    return PICTURES.get(rules, ())


@cache
def facts_of(picture: Picture, rules: str) -> tuple[tuple[Any, ...], ...]:
    """Return what the engine says of the picture's play, as its `fx`. Raises the engine's errors."""
    if not picture.play:
        return ()
    engine = registry.game(rules)
    p = engine.from_json(picture.position(rules))
    play = engine.parse_play(p, picture.play, 0)
    engine.check(p, play, 0)
    return tuple(tuple(fact) for fact in engine.fx(p, play, 0))


def figure(rules: str, number: int) -> SafeString:
    """Return one picture as a `<figure>` in the language that is active: card, board, caption.

    The first picture of a page with a number of seats draws the wood, the others refer to it.
    """
    picture = pictures_of(rules)[number]
    facts = facts_of(picture, rules)
    position = picture.position(rules)
    card = picture.card
    g = Geometry(picture.seats)
    board = _drawing.draw(
        g,
        marbles={str(seat): places for seat, places in enumerate(position["marbles"])},
        fresh=picture.fresh,
        ways=ways(g, facts, back=_goes_back(rules, picture.seats, card)),
        rim=False,
        ident=f"p{number}",
        ground=f"ground-{picture.seats}",
        again=any(before.seats == picture.seats for before in pictures_of(rules)[:number]),
        label=" ".join(sentences(picture, facts)),
        marks=_sheet.marks(rules, picture.seats),
    )
    shown = _pieces.card(card, effect=_effect(rules, picture.seats, card)) if card else ""
    return format_html(
        '<figure class="rules-figure"><div class="rules-play">{}{}</div><figcaption>{}</figcaption></figure>',
        mark_safe(shown),
        mark_safe(board),  # both escape what they are given
        picture.caption,
    )


def _goes_back(rules: str, seats: int, card: str) -> bool:
    return card[:-1] in _sheet.sheet(rules, seats)["back"]


def _effect(rules: str, seats: int, card: str) -> str:
    return _sheet.effect(rules, seats, card if card == "JK" else card[:-1])


def sentences(picture: Picture, facts: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield what the picture shows, in words: the alternative text."""
    if not picture.play:
        yield _("The board with %(seats)s seats before the first play.") % {"seats": picture.seats}
        return
    card = {"card": _pieces.card_name(picture.card)}
    if picture.play.startswith("burn "):
        yield _("A burns a card, unused: %(card)s.") % card
    elif picture.play == "throw":
        yield _("A lays down the whole hand: %(card)s.") % card
    else:
        yield _("A plays a card: %(card)s.") % card
    for word, seat, *about in facts:
        who = {"seat": "ABCDEFGH"[seat]} if isinstance(seat, int) else {}
        if word == "out":
            yield _("A marble of %(seat)s comes out onto its start.") % who
        elif word in ("move", "jump"):
            told = who | {"from": place_words(about[0]), "to": place_words(about[1])}
            yield (
                _("It jumps to %(to)s.") if word == "jump" else _("The marble of %(seat)s on %(from)s goes to %(to)s.")
            ) % told
        elif word == "eaten":
            yield _("The marble of %(seat)s on %(place)s is eaten.") % (who | {"place": place_words(about[0])})
        elif word == "swap":
            other = {"other": "ABCDEFGH"[about[1]], "there": place_words(about[2])}
            yield _("The marble of %(seat)s on %(place)s and that of %(other)s on %(there)s change places.") % (
                who | {"place": place_words(about[0])} | other
            )
        elif word == "forced":
            yield _("%(seat)s must burn a card.") % who
        elif word == "drawn":
            yield _("%(seat)s draws a card and plays again.") % who


def place_words(place: str) -> str:
    """Return a place in words: `t21` is case 3 of B."""
    if place.startswith("h"):
        return _("place %(number)s of heaven") % {"number": place[1:]}
    if place.startswith("x"):
        return _("the centre")
    section, case = case_of(place)
    return _("case %(case)s of %(seat)s") % {"case": case, "seat": "ABCDEFGH"[section]}


def figures(rules: str) -> dict[str, list[SafeString]]:
    """Return the figures of a rule set by the English id of their heading, in the active language."""
    found: dict[str, list[SafeString]] = {}
    try:
        registry.rules(rules)
    except UnknownRules:
        return found
    for number, picture in enumerate(pictures_of(rules)):
        found.setdefault(picture.heading, []).append(figure(rules, number))
    for cards in _leads.CARDS if rules == _leads.RULES else ():
        found.setdefault(cards.heading, []).append(cards_figure(cards))
    return found


def cards_figure(picture: _leads.Cards) -> SafeString:
    """Return cards of Tractor that seat A shows or leads as a `<figure>`; each card has its name."""
    _leads.check(picture)
    cards = mark_safe("".join(tractor_card(card) for card in picture.cards))
    words = ", ".join(card_name(card) for card in picture.cards)
    said = _("A shows: %(cards)s.") if picture.line.startswith(_leads.SHOW) else _("A leads: %(cards)s.")
    return format_html(
        '<figure class="rules-figure"><div class="rules-play rules-cards" role="group" aria-label="{}">{}</div>'
        "<figcaption>{}</figcaption></figure>",
        said % {"cards": words},
        cards,
        picture.caption,
    )


__all__ = ["PICTURES", "Picture", "facts_of", "figure", "figures", "pictures_of"]
