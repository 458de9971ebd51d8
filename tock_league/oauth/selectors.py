"""Applications and accesses as pages show them."""

from collections.abc import Sequence

from django.db.models import Max, QuerySet
from django.db.models.functions import Coalesce, Greatest

from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.common.errors import NotThere

from .models import Access, Application


def of(owner: Player) -> QuerySet[Application]:
    """Return the person's applications, the newest first. One query."""
    return Application.objects.filter(owner=owner)


def own(owner: Player, client_id: str) -> Application:
    """Return one of the person's applications. Raises NotThere."""
    found = of(owner).filter(client_id=client_id).first()
    if found is None:
        raise NotThere
    return found


def permitted_by(user: User) -> QuerySet[Access]:
    """Return what the person lets applications do now, each with its application and `last_used`. One query."""
    used = Max("issued__token__used_at")
    held = Access.objects.filter(user=user, ended_at__isnull=True, expires_at__gt=clock.now())
    return held.select_related("application__owner").annotate(
        last_used=Greatest(Coalesce(used, "used_at"), Coalesce("used_at", used))
    )


def held(user: User, application: Application) -> Access | None:
    """Return what the person lets the application do now; None for nothing. One query."""
    return permitted_by(user).filter(application=application).first()


def names_of(client_ids: Sequence[str]) -> dict[str, str]:
    """Return the names of applications, for notices. One query."""
    return dict(Application.objects.filter(client_id__in=client_ids).values_list("client_id", "name"))
