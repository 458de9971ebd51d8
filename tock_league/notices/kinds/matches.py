from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from .kind import Kind

MATCH = {"match": "match", "competition": "competition"}

KINDS = (
    Kind(
        "match_in_a_day",
        label=_("I have a match within 24 hours"),
        title=_("Soon: %(match)s"),
        sentence=_("On %(starts_at)s: %(match)s (%(competition)s)."),
        things=MATCH,
        times=("starts_at",),
        topic="match",
    ),
    Kind(
        "match_in_an_hour",
        label=_("I have a match within an hour"),
        title=_("Within the hour: %(match)s"),
        sentence=_("On %(starts_at)s: %(match)s (%(competition)s). The table opens 15 minutes before."),
        things=MATCH,
        times=("starts_at",),
        topic="match",
    ),
    Kind(
        "table_open",
        label=_("The table of my match is open"),
        title=_("Your table is open: %(match)s"),
        sentence=_("On %(starts_at)s: %(match)s (%(competition)s). The table is open."),
        things=MATCH,
        times=("starts_at",),
        ways=frozenset({"site", "push"}),
        topic="match",
        lasts=timedelta(minutes=30),
        at_once=True,
    ),
    Kind(
        "match_moved",
        label=_("The date of my match changes"),
        title=_("New date: %(match)s"),
        sentence=_("Now on %(starts_at)s: %(match)s (%(competition)s)."),
        things=MATCH,
        times=("starts_at",),
        topic="match",
        fixed=frozenset({"site"}),
    ),
    Kind(
        "place_proposed",
        label=_("The other captain proposes to play elsewhere"),
        title=_("A proposal for your match: %(match)s"),
        sentence=_(
            "The other captain proposes to play %(match)s elsewhere: on a board, or at a table of the site. Please answer."
        ),
        things=MATCH,
        topic="place",
    ),
    Kind(
        "place_declined",
        label=_("My proposal to play elsewhere is declined"),
        title=_("Declined: %(match)s stays where it is"),
        sentence=_("The other captain has declined: %(match)s (%(competition)s) is played where it was."),
        things=MATCH,
        topic="place",
    ),
    Kind(
        "match_on_board",
        label=_("My match is played on a board"),
        title=_("On a board: %(match)s"),
        sentence=_("%(match)s (%(competition)s) is now played on a board; the captains enter the result."),
        things=MATCH,
        topic="place",
        fixed=frozenset({"site"}),
    ),
    Kind(
        "match_at_table",
        label=_("My match is played at a table of the site"),
        title=_("At a table of the site: %(match)s"),
        sentence=_("%(match)s (%(competition)s) is now played at a table of the site, which opens 15 minutes before."),
        things=MATCH,
        topic="place",
        fixed=frozenset({"site"}),
    ),
    Kind(
        "result_to_confirm",
        label=_("I have a result to confirm"),
        title=_("Please confirm the result: %(match)s"),
        sentence=_("The other side has reported a result of %(match)s. Accept it, or contest it."),
        things={"match": "match"},
    ),
    Kind(
        "result_corrected",
        label=_("A result of mine is corrected"),
        title=_("Result corrected: %(match)s"),
        sentence=_("The desk has corrected the result of %(match)s (%(competition)s), reference %(reference)s."),
        things=MATCH,
        plain=("reference",),
        fixed=frozenset({"site"}),
    ),
    Kind(
        "your_turn",
        label=_("It is my turn, and I am not looking at the table"),
        title=_("Your turn"),
        sentence=_("It is your turn: %(table)s."),
        things={"table": "table"},
        ways=frozenset({"push"}),
        offered=("push",),
        lasts=timedelta(minutes=2),
        at_once=True,
    ),
)
