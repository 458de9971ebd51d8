"""Letters about an erasure that is to come."""

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from tock_league.accounts.services import promise_letter
from tock_league.common.persons import Person

from .models import Farewell


def promise(person: Person, farewell: Farewell) -> None:
    """Enqueue the letter that says until when it can be taken back; none for a player without a login."""
    if person.user is None or not person.user.email:
        return
    language = person.player.language if person.player is not None else settings.LANGUAGE_CODE
    with translation.override(language):
        day = f"{farewell.due_at:%Y-%m-%d}"
        if farewell.cause == Farewell.Cause.IDLE:
            subject = gettext("Do you still want your account?")
            body = gettext(
                "Nobody has signed in with this address for a long time. Without a sign-in until %(day)s, your account is"
                " erased: your name and address go, your results stay under a pseudonym.\n\n%(site)s"
            )
        else:
            subject = gettext("Your data will be erased")
            body = gettext(
                "Your name, your address and your texts will be erased after %(day)s; your results stay under a pseudonym.\n"
                "To keep them, sign in before and press “Keep my account” on the page “My data”. If you did not ask for"
                " this, do so now, and change your password.\n\n%(site)s"
            )
        promise_letter(
            "ready",
            email=person.user.email,
            language=language,
            site=settings.SITE_URL,
            subject=f"[Tock League] {subject}",
            body=body % {"day": day, "site": settings.SITE_URL},
        )
