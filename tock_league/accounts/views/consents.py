"""Pages about the year of birth, and of a guardian's consent for a child (decision 0030)."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.common.address import site_url
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal, next_address

from .. import consents, minors, services
from ..forms import BirthYearForm, CodeForm, PaperForm
from ..models import Consent, Player
from ..permissions import can
from ..selectors import player_of


@login_required
def birth_year(request: HttpRequest) -> HttpResponse:
    """Ask for the year of birth, once; afterwards, or later, lead on to `next`."""
    onward = next_address(request)
    player = player_of(request)
    if player is None or not minors.is_asked(player):
        return redirect(onward or "accounts:profile")
    form = BirthYearForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.tell_birth_year(
                by=player, player=Player.objects.get(pk=player.pk), year=form.cleaned_data["birth_year"]
            )
        except Refused as error:
            add_refusal(form, error)
        else:
            child = minors.is_child(player)
            return redirect("accounts:profile" if child else onward or "accounts:profile")
    return render(request, "accounts/birth_year.html", {"form": form, "next": onward})


@login_required
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """Show a child a new code for its guardian: once, because only its digest is stored."""
    code = consents.ask(by=player_of(request))
    link = site_url(request) + reverse("accounts:consent", args=[code])
    return render(request, "accounts/consent_code.html", {"code": code, "link": link})


@login_required
def children(request: HttpRequest) -> HttpResponse:
    """Show a guardian the children consented for, and ask for the code of another one."""
    person = _player(request)
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            consents.asked(form.cleaned_data["code"])
        except NotThere as error:
            form.add_error("code", str(error.sentence))
        else:
            return redirect("accounts:consent", code=form.cleaned_data["code"].strip())
    context = {
        "form": form,
        "consents": consents.children_of(person),
        "papers": consents.papers_kept_by(person),
    }
    return render(request, "accounts/children.html", context)


@login_required
def consent(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a guardian consents to, and take the consent: of the person signed in, or signed on paper in front of an
    officer or organiser."""
    person = _player(request)
    try:
        child = consents.asked(code)
    except NotThere:
        if request.method == "POST" and consents.gave_just_now(person):  # a double click: the first one used the code
            return redirect("accounts:children")
        raise
    witness = can(person, "consent.witness", child) and not minors.is_minor(person)
    form = PaperForm(request.POST if "on_paper" in request.POST else None)
    if request.method == "POST":
        try:
            if "on_paper" not in request.POST:
                consents.give(by=person, code=code)
            elif form.is_valid():
                consents.give_on_paper(by=person, code=code, guardian=form.cleaned_data["guardian"])
        except Refused as error:
            if error.field != "guardian":
                raise
            add_refusal(form, error)
        if form.is_valid() or not form.is_bound:
            messages.success(request, _("The consent is written down. It can be withdrawn at any time."))
            return redirect("accounts:children")
    context = {
        "child": child,
        "called": minors.called([child]).get(child.pk, child.display_name),
        "own": person.pk == child.pk,
        "adult": minors.is_adult(person),
        "asked": minors.is_asked(person),
        "witness": witness,
        "form": form,
    }
    return render(request, "accounts/consent.html", context)


@login_required
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """End a guardian's consent; afterwards lead on to `next`."""
    found = Consent.objects.filter(pk=pk).select_related("player").first()
    if found is None:
        raise NotThere
    consents.withdraw(by=player_of(request), consent=found)
    messages.success(request, _("The consent is withdrawn. The child enters nothing new; results stay."))
    return redirect(next_address(request) or "accounts:children")


def _player(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise NotThere(_("Make a player on your profile page first."))
    return player
