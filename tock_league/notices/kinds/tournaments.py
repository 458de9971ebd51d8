from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "entry_accepted",
        label=_("My team is accepted in a competition"),
        title=_("Accepted: %(competition)s"),
        sentence=_("%(entry)s is accepted in %(competition)s."),
        things={"entry": "entry", "competition": "competition"},
    ),
    Kind(
        "entry_moved_up",
        label=_("My team moves up from the waiting list"),
        title=_("You have a place: %(competition)s"),
        sentence=_("%(entry)s moves up from the waiting list and has a place in %(competition)s."),
        things={"entry": "entry", "competition": "competition"},
    ),
    Kind(
        "draw_published",
        label=_("The draw of my competition is published"),
        title=_("The draw is made: %(competition)s"),
        sentence=_("The draw of %(competition)s is published."),
        things={"competition": "competition"},
        ways=frozenset({"site"}),
    ),
    Kind(
        "event_cancelled",
        label=_("A competition of mine is cancelled"),
        title=_("Cancelled: %(competition)s"),
        sentence=_("%(competition)s is cancelled. The reason is on its page."),
        things={"competition": "competition"},
        fixed=frozenset({"site"}),
    ),
    Kind(
        "event_suspended",
        label=_("A competition of mine is suspended"),
        title=_("Suspended: %(competition)s"),
        sentence=_("%(competition)s is suspended. The reason is on its page."),
        things={"competition": "competition"},
        fixed=frozenset({"site"}),
    ),
    Kind(
        "partner_silent",
        label=_("My partner does not answer before the time is up"),
        title=_("%(player)s has not answered: %(competition)s"),
        sentence=_(
            "%(entry)s, %(competition)s: %(player)s has not confirmed or checked in yet. The time ends: %(until)s."
        ),
        things={"entry": "entry", "competition": "competition", "player": "player"},
        times=("until",),
    ),
)
