from typing import Final

from django.utils.translation import gettext_lazy as _

from .kind import Kind

DIGEST: Final = "digest"

KINDS = (
    Kind(
        DIGEST,
        label=_("Every week a digest: my matches, my places, what waits for me"),
        title=_("Your week"),
        sentence=_("What waits for you, your matches and your places:"),
        ways=frozenset(),
        offered=("mail",),
    ),
)
