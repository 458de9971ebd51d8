"""The names of Tractor's rule sets."""

from django.utils.translation import gettext_lazy as _

from games.families.words import Named

NAMES = {
    "tractor": Named(
        _("Tractor (Sheng ji)"),
        _(
            "No board: two packs, trumps to be shown, tricks of pairs and tractors, and ranks to climb from 2 past the ace."
        ),
        "Tractor",
    ),
}
