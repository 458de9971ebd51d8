from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "application_access",
        label=_("An application gets access in my name"),
        title=_("Access for %(application)s"),
        sentence=_(
            "%(application)s may act for you from now on, because somebody allowed it in your name. If that was not you, end"
            " its access and choose a new password."
        ),
        things={"application": "application"},
        fixed=frozenset({"site"}),
    ),
)
