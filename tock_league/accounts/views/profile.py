"""The profile page and what belongs to it. Signing in and out, passwords and second factors are django-allauth's.

Year of birth, children and consents: `views/consents.py`.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tock_league.common.address import page_if_any
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal, next_address

from .. import consents, minors, services, sessions
from ..forms import ProfileForm
from ..models import Player, User
from ..permissions import ROLES, can, has_factor, lacking_factor
from ..selectors import player_of, site_language

ROLE_NAMES = {
    "administrator": gettext_lazy("administrator"),
    "organiser": gettext_lazy("organiser"),
    "referee": gettext_lazy("referee"),
    "head_referee": gettext_lazy("head referee"),
    "club_officer": gettext_lazy("club officer"),
    "panel": pgettext_lazy("a role", "member of an appeal panel"),
}


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's name, language and time zone; a login without a player gets one here."""
    player = player_of(request)
    child = minors.called([player]).get(player.pk) if player is not None else None
    form = ProfileForm(request.POST or None, instance=player or Player(), child=child)
    if request.method == "POST" and form.is_valid():
        try:
            return _saved(request, player, form)
        except Refused as error:
            add_refusal(form, error)
    context: dict[str, Any] = {
        "form": form,
        "player": player,
        "is_child": child is not None,
        "pseudonym": _pseudonym(player),
        "my_data": page_if_any("accounts:my_data"),
        "register": page_if_any("incidents:list") if can(player, "incident.keep") else "",
    }
    if player is not None:
        context |= {
            "consents": consents.of(player),
            "asked": minors.is_asked(player),
            "guardian_consent": consents.in_force(player) if child is not None else None,
        }
    return render(request, "accounts/profile.html", context)


@login_required
def protect(request: HttpRequest) -> HttpResponse:
    """Show which roles wait for a second factor, and offer the ways to set one up; afterwards lead on to `next`."""
    onward = next_address(request)
    if has_factor(signed_in(request)):
        return redirect(onward or "mfa_index")
    roles = [str(ROLE_NAMES[name]) for name in ROLES if name in lacking_factor(request.user)]
    return render(request, "accounts/protect.html", {"roles": roles, "next": onward})


@require_safe
def session(request: HttpRequest) -> JsonResponse:
    """Return whose session this is and when it ends, for pages that lie open (static/signed_in.js); this is no use of it."""
    return JsonResponse({"owner": sessions.owner_mark(request.user), "ends_in_s": sessions.ends_in_s(request.session)})


@login_required
@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the own sessions; the browser there is signed out, and its tables close within seconds."""
    if not sessions.end_one(signed_in(request), pk):
        raise NotThere
    messages.success(request, _("That device is signed out."))
    return redirect("usersessions_list")


def signed_in(request: HttpRequest) -> User:
    """Return the login of a request that needs one."""
    assert isinstance(request.user, User)
    return request.user


def _pseudonym(player: Player | None) -> str:
    """Return the name that others see; read again, because a form that was refused has changed the instance."""
    return Player.objects.values_list("display_name", flat=True).get(pk=player.pk) if player is not None else ""


def _saved(request: HttpRequest, player: Player | None, form: ProfileForm) -> HttpResponse:
    values = {key: form.cleaned_data[key] for key in ("display_name", "language", "time_zone")}
    values |= {key: form.cleaned_data[key] for key in ("page_for", "shows_presence") if key in form.cleaned_data}
    if player is None:
        services.create_player(user=signed_in(request), birth_year=form.cleaned_data["birth_year"], **values)
    else:
        services.edit_profile(by=player, player=Player.objects.get(pk=player.pk), **values)
    with translation.override(site_language(values["language"])):
        messages.success(request, _("Your profile is saved."))
    return redirect("accounts:profile")
