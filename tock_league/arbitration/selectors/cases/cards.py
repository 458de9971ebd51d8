"""Cards in words, in the language of the reader."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def the_card(card: str) -> str:
    """Return a card with its article: `QH` "the queen of hearts". The browser's words are those of `cards.js`."""
    jokers = {
        "JK": pgettext("card with article", "the joker"),
        "RJ": pgettext("card with article", "the red joker"),
        "BJ": pgettext("card with article", "the black joker"),
    }
    if card in jokers:
        return jokers[card]
    ranks = {
        "A": pgettext("card with article", "the ace"),
        "J": pgettext("card with article", "the jack"),
        "Q": pgettext("card with article", "the queen"),
        "K": pgettext("card with article", "the king"),
    }
    suits = {
        "S": pgettext("card suit", "spades"),
        "H": pgettext("card suit", "hearts"),
        "D": pgettext("card suit", "diamonds"),
        "C": pgettext("card suit", "clubs"),
    }
    rank = card[:-1]
    named = ranks.get(rank) or pgettext("card with article", "the %(number)s") % {"number": rank}
    # Translators: a playing card, for instance "king of spades".
    return _("%(rank)s of %(suit)s") % {"rank": named, "suit": suits[card[-1]]}
