"""The profile page. Signing in and out, signing up and passwords are django-allauth's."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import services
from .forms import ProfileForm
from .models import Player, User
from .selectors import player_of, site_language


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's name, language and time zone; a login without a player gets one here."""
    player = player_of(request)
    form = ProfileForm(request.POST or None, instance=player or Player())
    if request.method == "POST" and form.is_valid():
        try:
            return _saved(request, player, form)
        except Refused as error:
            add_refusal(form, error)
    return render(request, "accounts/profile.html", {"form": form, "player": player})


def _saved(request: HttpRequest, player: Player | None, form: ProfileForm) -> HttpResponse:
    values = {key: form.cleaned_data[key] for key in ("display_name", "language", "time_zone")}
    if player is None:
        assert isinstance(request.user, User)
        services.create_player(user=request.user, **values)
    else:
        services.edit_profile(by=player, player=Player.objects.get(pk=player.pk), **values)
    language = site_language(values["language"])
    with translation.override(language):
        messages.success(request, _("Your profile is saved."))
    response = redirect("accounts:profile")
    # The language chosen last is used for the pages: see PlayerMiddleware.
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
    return response
