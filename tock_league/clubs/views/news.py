"""The news of a club: read by its members, written by its officers and organisers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from .. import selectors, services
from ..forms import NewsForm


@login_required
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's news to its members, and send one."""
    club = selectors.club(slug)
    person = player_of(request)
    require(person, "club.read_news", club, needed="club_member")
    form = NewsForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.send_news(by=person, club=club, text=form.cleaned_data["text"])
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("The news is sent to the members."))
            return redirect("clubs:news", slug=club.slug)
    context = {
        "club": club,
        "form": form,
        "news": selectors.news_of(club),
        "may_send": can(person, "club.news", club),
    }
    return render(request, "clubs/news.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def remove(request: HttpRequest, slug: str, news: str) -> HttpResponse:
    """Delete a text."""
    club = selectors.club(slug)
    services.remove_news(by=player_of(request), club=club, slug=news)
    messages.success(request, _("The news is deleted."))
    return redirect("clubs:news", slug=club.slug)
