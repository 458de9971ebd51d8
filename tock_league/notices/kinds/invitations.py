from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "team_invitation",
        label=_("I am invited to a team"),
        title=_("Invitation to %(team)s"),
        sentence=_("%(by)s invites you to the team %(team)s. Until %(until)s you can answer."),
        things={"team": "team", "by": "player"},
        times=("until",),
    ),
    Kind(
        "table_invitation",
        label=_("I am invited to a table"),
        title=_("%(by)s invites you to a table"),
        sentence=_("%(by)s keeps a seat for you at a table. Come now, or decline."),
        things={"by": "player"},
        ways=frozenset({"site", "push"}),  # whoever is invited is here now
        lasts=timedelta(minutes=15),
        at_once=True,
    ),
)
