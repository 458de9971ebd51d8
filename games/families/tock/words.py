"""The names of Tock's rule sets."""

from django.utils.translation import gettext_lazy as _

from games.families.words import Named

NAMES = {
    "shawinigan": Named(
        _("Tock de Rue (Shawinigan)"),
        _("Jokers play twice, a five moves anybody’s marble, a ten may make the next player burn a card."),
        "Shawinigan",
    ),
    "tock": Named(
        _("Tock (French rules)"),
        _(
            "A seven splits over four marbles; with six or eight players two packs, with eight a way through the centre."
        ),
        "Tock",
    ),
    "tock-air": Named(
        _("Tock air"),
        _("No jokers, a card exchanged at every deal, an ace worth 1 or 11, and a hopeless hand may be thrown in."),
        "Tock air",
    ),
    "toc": Named(
        _("Toc (Spanish rules)"),
        _("No jokers, an ace worth 1 or 11, and every ten makes the next player burn a card."),
        "Toc",
    ),
}
