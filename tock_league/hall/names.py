"""What a screen can show."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

NAMES, TABLES, CLOCK, STANDINGS = "names", "tables", "clock", "standings"
BRACKET, RESULTS, SAID, FOLLOW = "bracket", "results", "said", "follow"
# In the order in which a new screen shows them.
VIEWS = {
    NAMES: _("Next round by team"),
    TABLES: _("Next round by table"),
    CLOCK: _("Round clock"),
    STANDINGS: _("Standings"),
    BRACKET: _("Bracket"),
    RESULTS: _("Latest results"),
    SAID: pgettext_lazy("on a screen", "Announcement"),
    FOLLOW: pgettext_lazy("on a screen", "Code to follow on the phone"),
}
SHORTEST_S, LONGEST_S = 5, 120  # of one page of a view
# How long a page of each view stays on the screen of an event without screens of its own.
USUAL_S = {NAMES: 10, TABLES: 10, CLOCK: 8, STANDINGS: 10, BRACKET: 12, RESULTS: 10, SAID: 8, FOLLOW: 8}
EVERYTHING = tuple(USUAL_S.items())
