"""The admin: the site's own sign-in, a second factor, a fresh sign-in for writes, and nothing but our own pages.

Its pages only read, except where a model's page in an `admin.py` says which service writes. Models of libraries are not
shown: their rows are secrets (authenticators, sessions) or have no service that records who changed them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from tock_league.common.errors import Refused

from .models import User
from .permissions import is_administrator, may_use
from .selectors import player_of, signed_in_recently

View = Callable[..., HttpResponse]
Action = Callable[..., Any]
MOST_AT_ONCE = 100  # rows of an action that asks first


def fresh_sign_in(view: View) -> View:
    """Decorate a view: a request that writes asks for the password, or the second factor, unless this was minutes ago.

    django-allauth keeps the request, and sends it again afterwards.
    """

    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and request.user.is_authenticated:
            ask_again(request)
        return view(request, *args, **kwargs)

    return asking


def ask_again(request: HttpRequest) -> None:
    """Raise ReauthenticationRequired unless the person has signed in minutes ago; the site then asks, and goes on."""
    if not signed_in_recently(request):
        raise ReauthenticationRequired


def linked(field: str, description: Any) -> Callable[[Any], str]:
    """Return a column of a list: the related row, such as "team__club", with a link to its page in the admin.

    Load it by `list_select_related`. Rows without one show a dash.
    """

    @admin.display(description=description, ordering=field, empty_value="–")
    def shown(row: Any) -> str:
        other = row
        for name in field.split("__"):
            other = getattr(other, name, None)
        if other is None:
            return ""
        page = f"admin:{other._meta.app_label}_{other._meta.model_name}_change"
        return format_html('<a href="{}">{}</a>', reverse(page, args=[other.pk]), other)

    shown.__name__ = field
    return shown


def asks_first(act: Action) -> Action:
    """Decorate an action of a list that cannot be taken back: a page names the chosen rows, and asks."""

    @wraps(act)
    def asking(page: "ReadOnly", request: HttpRequest, rows: QuerySet[Any]) -> Any:
        if request.POST.get("confirmed") == "yes":
            return act(page, request, rows)
        action = page.get_actions(request).get(act.__name__)
        context = {
            **page.admin_site.each_context(request),
            "title": action[2] if action else "",
            "rows": list(rows.order_by("pk")[:MOST_AT_ONCE]),
            "action": act.__name__,
            "opts": page.model._meta,
        }
        return TemplateResponse(request, "admin/confirm.html", context)

    return asking


class ReadOnly(admin.ModelAdmin):
    """A model's pages that can only read. Subclasses name what is shown in `fields`: a new column is not shown by itself."""

    actions: Any = None
    list_per_page = 50
    show_full_result_count = False  # one count less on large tables

    def each(self, request: HttpRequest, rows: QuerySet[Any], act: Callable[[Any], Any]) -> None:
        """Call a service for each row, each in its own transaction; say how many were done, and why others were not."""
        done = 0
        for row in rows.order_by("pk"):
            try:
                act(row)
            except Refused as error:
                self.message_user(request, f"{row}: {error.sentence}", messages.ERROR)
            else:
                done += 1
        if done:
            self.message_user(request, _("Done: %(count)d.") % {"count": done}, messages.SUCCESS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow administrators, by their role too: nobody here gets Django's own permissions."""
        player = player_of(request)
        return super().has_view_permission(request, obj) or (player is not None and is_administrator(player))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class StaffSite(admin.AdminSite):
    """Django's admin behind the site's sign-in."""

    site_title = site_header = "Tock League"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register our own pages; ignore those that libraries bring along."""
        if admin_class is not None and issubclass(admin_class, ReadOnly):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and user.is_active and user.is_staff and may_use(user, "administrator")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Let only those in who may enter; a request that writes needs a fresh sign-in."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not self.has_permission(request):
                return self.login(request)
            if request.method == "POST" and view != self.logout:
                ask_again(request)
            return inner(request, *args, **kwargs)

        return enter

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Send visitors to the site's sign-in. Raises PermissionDenied for those who are signed in and no staff."""
        answer: HttpResponse = secure_admin_login(self._enter)(request)
        return answer

    def _enter(self, request: HttpRequest) -> HttpResponse:
        if not self.has_permission(request):
            return redirect("accounts:protect")
        return redirect("admin:index")

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")
