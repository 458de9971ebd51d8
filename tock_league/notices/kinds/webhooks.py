from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "webhook_disabled",
        label=_("A webhook that I look after is disabled"),
        title=_("Webhook disabled: %(webhook)s"),
        sentence=_(
            "A webhook of %(webhook)s has failed for a day and is told nothing any more. You can enable it again."
        ),
        things={"webhook": "webhook"},
        ways=frozenset({"site", "mail"}),
        fixed=frozenset({"site"}),
    ),
)
