"""Keeps what was typed into the forms of a case, or into the dispute of a result, whatever becomes of the request that
brought it.

A form that can be kept carries a signed token that names its writer, case or match, and form: it lets the writer save
this draft, also after the session has expired, and read nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.forms import CharField, Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.models import Player
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Match

from ..forms import (
    AppealForm,
    DecisionForm,
    DismissForm,
    EscalateForm,
    ReasonForm,
    ResultDisputeForm,
    ReviewForm,
    StatementForm,
    UpholdForm,
    VoteForm,
)
from ..forms.decision import GAMES
from ..models import Case, Draft
from ..models.draft import DISPUTE
from ..selectors.cases import case_files
from ..selectors.cases.drafts import drafts_of
from ..services.cases import drafts

SALT, DAYS = "arbitration.draft", 7
OTHERS = 12  # forms beside the pressed one, at most
KEPT: Mapping[str, type[Form]] = {
    "decision": DecisionForm,
    "uphold": UpholdForm,
    "answer": StatementForm,
    "add": StatementForm,
    "appeal": AppealForm,
    "reply": StatementForm,
    "vote": VoteForm,
    "recuse": ReasonForm,
    "escalate": EscalateForm,
    "dismiss": DismissForm,
    "disagree": ReasonForm,
    "refuse": ReasonForm,
    "review": ReviewForm,
    DISPUTE: ResultDisputeForm,
}


@dataclass(frozen=True)
class Slot:
    """What a page shows of the draft of one of its forms."""

    name: str
    token: str
    version: int  # 0 while nothing is kept
    restored: Draft | None  # shown in the form; None when the form shows what was just sent


def attach(case: Case | Match, viewer: Player | None, forms: Mapping[str, Form]) -> list[Slot]:
    """Give each form (by its name and `_form`) its slot, and the kept values to those that show nothing else.

    Return the slots.
    """
    slots: list[Slot] = []
    if viewer is None:
        return slots
    known = drafts_of(viewer, case)
    for key, form in forms.items():
        name = key.removesuffix("_form")
        if name not in KEPT:
            continue
        draft = known.get(name)
        token = signing.dumps([viewer.pk, case.pk, name], salt=SALT)
        shown = draft if draft is not None and not form.is_bound else None
        if shown is not None:
            form.initial = {**form.initial, **_initial(shown)}
        slots.append(Slot(name, token, draft.version if draft is not None else 0, shown))
        form.slot = slots[-1]  # type: ignore[attr-defined]
    return slots


def _initial(draft: Draft) -> dict[str, Any]:
    several = {"remedies"}
    boxes = {"draft"}
    found: dict[str, Any] = {}
    for name, values in draft.fields.items():
        if _is_game(draft.form, name):
            found[name] = values[0] if values else ""
    for name, field in KEPT[draft.form].base_fields.items():
        values = draft.fields.get(name, [])
        if name in several:
            found[name] = values
        elif name in boxes:
            found[name] = bool(values)
        elif values:
            found[name] = values[0]
        elif field.required is False:
            found[name] = ""
    return found


def _is_game(form: str, name: str) -> bool:
    """Return whether the field is one of the games of a corrected score, of which a form has as many as the match."""
    start, _underscore, number = name.rpartition("_")
    return form == "decision" and f"{start}_" in GAMES and len(number) == 1 and number.isdecimal()


def keep(request: HttpRequest, case: Case | Match, given: Mapping[str, Sequence[str]], *, replace: bool) -> Draft:
    """Keep the fields of one form, whose token is among them.

    Raises NotAllowed for a token that is old, forged, of another case or of another person than the one signed in; and
    what `drafts.save` raises.
    """
    person, name = _writer(request, case, (given.get("draft_token") or [""])[0])
    fields = {field: given[field] for field in given if field in KEPT[name].base_fields or _is_game(name, field)}
    version = (given.get("draft_version") or [""])[0]
    known = int(version) if version.isascii() and version.isdecimal() and len(version) < 9 else 0
    return drafts.save(by=person, case=case, form=name, fields=fields, version=known, replace=replace)


def _writer(request: HttpRequest, case: Case | Match, token: str) -> tuple[Player, str]:
    try:
        writer, of, name = signing.loads(token, salt=SALT, max_age=DAYS * 24 * 3600)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise NotAllowed(_("This page is too old to keep a draft. Open it again.")) from error
    person = Player.objects.filter(pk=writer, user__is_active=True).select_related("user").first()
    signed_in = player_of(request)
    forms = {DISPUTE} if isinstance(case, Match) else KEPT.keys() - {DISPUTE}
    if person is None or of != case.pk or name not in forms or (signed_in is not None and signed_in.pk != person.pk):
        raise NotAllowed(_("This draft is somebody else's."))
    return person, name


def case_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view for POST by people who are signed in, which first keeps every draft that the request carries.

    Others are asked to sign in and then find the case with what they had typed.
    """

    @require_POST
    @wraps(view)
    def kept(request: HttpRequest, number: str, *args: Any, **kwargs: Any) -> HttpResponse:
        keep_sent(request, lambda: case_files.case_by_number(number))
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("arbitration:case", args=[number]))
        return view(request, number, *args, **kwargs)

    return kept


def keep_sent(request: HttpRequest, look_up: Callable[[], Case | Match | None]) -> None:
    """Keep the pressed form and those that the page's script has added; a fault here never stops the request itself.

    `look_up`: returns the case or the match of the page.
    """
    found = [dict(request.POST.lists())] if "draft_token" in request.POST else []
    found += [given for text in request.POST.getlist("kept")[:OTHERS] if (given := _lists(text))]
    case = look_up() if found else None
    if case is None:
        return
    for given in found:
        try:
            _keep_latest(request, case, given)
        except Refused:
            continue


def _keep_latest(request: HttpRequest, case: Case | Match, given: Mapping[str, Sequence[str]]) -> None:
    """Keep one form, if anything was typed. What a pressed button sends is the latest, also after another window's save."""
    if given.get("draft_version") == ["0"] and not _typed(given):
        return
    try:
        keep(request, case, given, replace=False)
    except Conflict as error:
        if error.code != "draft_newer":
            raise
        keep(request, case, given, replace=True)
        if error.details["version"]:
            messages.warning(request, _("A newer draft from another window was replaced by what you sent here."))


def _typed(given: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a field of plain text holds any."""
    texts = {name for form in KEPT.values() for name, field in form.base_fields.items() if type(field) is CharField}
    return any(value.strip() for name in texts for value in given.get(name, ()))


def _lists(text: str) -> dict[str, list[str]]:
    """Return the fields that the script sent as JSON: a list of [name, value]."""
    found: dict[str, list[str]] = {}
    if len(text) > 2 * drafts.MOST:
        return found
    try:
        for name, value in json.loads(text):
            found.setdefault(str(name), []).append(str(value).encode(errors="replace").decode())
    except (ValueError, TypeError):
        return {}
    return found
