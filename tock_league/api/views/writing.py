"""What the endpoints that write share: the decorator of an action, the key, the scopes of acts that two kinds of people do."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.models import Token
from tock_league.common.errors import NotThere, Refused

T = TypeVar("T")
PLAY, MANAGE = Token.Scope.PLAY, Token.Scope.MANAGE
KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, required=True,
    description="8 to 64 visible characters, new for each deed. The same key within a day gets the same answer.",
)  # fmt: skip


def takes(body: Any, gives: Any, *, status: int = 200) -> Callable[[Any], Any]:
    """Make a method one that writes, and describe it: its body (None without one), what it answers.

    A request that was carried out before gets its answer at once: the method judges what is true now.
    """

    def made(function: Any) -> Any:
        @wraps(function)
        def written(self: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
            earlier: Response | None = self.answered()
            return earlier if earlier is not None else function(self, request, *args, **kwargs)

        return extend_schema(request=body, responses={status: gives}, parameters=[KEY], filters=False)(written)

    return made


def deed(body: Any, gives: Any, scope: str, *, status: int = 200, path: str | None = None) -> Callable[[Any], Any]:
    """Make a method of an endpoint a deed: `POST …/<path>`, by default its name with hyphens."""

    def made(function: Any) -> Any:
        where = path or function.__name__.replace("_", "-")
        return takes(body, gives, status=status)(
            action(
                detail=True,
                methods=["post"],
                write_scope=scope,
                url_path=where,
                url_name=function.__name__.replace("_", "-"),
            )(function)
        )

    return made


def require_manage(request: Request, *, unless: bool) -> None:
    """Raise Refused (403) for a token without the scope `manage`, `unless` the person acts as a player for themselves.

    For acts that captains and organisers both do: the scope `play` reaches no right that an office gives.
    """
    if not unless and isinstance(request.auth, Token) and MANAGE not in request.auth.scopes:
        text = _("This token may not do that: it needs the scope “%(scope)s”.") % {"scope": MANAGE.value}
        raise Refused("token_scope", text, status=403, needed=MANAGE.value)


def named(find: Callable[[str], T], slug: str, field: str) -> T:
    """Return what `find` finds for a slug in a body. Raises NotThere (404) on `field`."""
    try:
        return find(slug)
    except NotThere as error:
        error.field = field
        raise
