"""Errors of Django itself are answered as JSON below /api/, and as a page in the visitor's language elsewhere."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tock_league import urls
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_user
from tock_league.common.failures import CSRF

FORM = {"content_type": "multipart/form-data", "data": b"not a form"}  # without a boundary
PAGES = {
    400: "Your browser sent something that this site cannot take",
    403: "You do not have the right to do this",
    404: "This page does not exist",
    413: "What you sent is larger than this site takes",
    500: "It is the site's fault, not yours",
}


def raising(error: Exception) -> Callable[[HttpRequest], HttpResponse]:
    @csrf_exempt
    def view(request: HttpRequest) -> HttpResponse:
        raise error

    return view


@csrf_exempt
def reads(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST)))


@require_POST
def written(request: HttpRequest) -> HttpResponse:
    return HttpResponse("written")


VIEWS = {
    "suspicious": raising(SuspiciousOperation("odd")),
    "large": raising(RequestDataTooBig("too much")),
    "forbidden": raising(PermissionDenied()),
    "broken": raising(ZeroDivisionError("a secret")),
    "reads": reads,
    "written": written,
}
urlpatterns = [
    *urls.urlpatterns,
    *(path(f"{at}{name}", view) for at in ("api/", "api/tables/", "try/") for name, view in VIEWS.items()),
]
handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def visitor(db: None) -> Client:
    return Client(raise_request_exception=False, headers={"accept-language": "en"})


FAILURES = [
    ("suspicious", {}, 400, "bad_request"),
    ("reads", FORM, 400, "bad_request"),
    ("large", {}, 413, "too_large"),
    ("reads", {"data": {f"field{n}": "1" for n in range(1100)}}, 413, "too_large"),
    ("forbidden", {}, 403, "not_allowed"),
    ("nowhere", {}, 404, "not_found"),
    ("broken", {}, 500, "internal"),
]


@pytest.mark.parametrize(("where", "sent", "status", "code"), FAILURES)
def test_below_api_an_error_is_json_with_a_code_and_a_sentence(
    visitor: Client, where: str, sent: dict[str, Any], status: int, code: str
) -> None:
    answer = visitor.post(f"/api/{where}", **sent)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert "secret" not in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"


def test_what_is_too_large_is_told_how_large_it_may_be(visitor: Client, settings: Any) -> None:
    def told(path: str, **sent: str) -> str:
        answer = visitor.post(path, sent)
        assert answer.status_code == 413
        return str(answer.json()["error"]["message"])

    assert told("/api/large") == f"Send at most {settings.BODY_BYTES} bytes."
    assert told("/api/tables/large") == f"Send at most {settings.TABLE_BODY_BYTES} bytes."
    assert told("/api/reads", **{f"f{n}": "" for n in range(1100)}).startswith("Send at most 1000 fields")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    assert told("/api/reads", text="x" * 2001) == "Send at most 2000 bytes."


@pytest.mark.parametrize(("where", "sent", "status", "code"), FAILURES)
def test_elsewhere_it_is_a_page_that_leads_back(
    visitor: Client, where: str, sent: dict[str, Any], status: int, code: str
) -> None:
    answer = visitor.post(f"/try/{where}", **sent)
    assert answer.status_code == status
    page = answer.content.decode()
    assert PAGES[status] in page
    assert 'class="button" href="/"' in page


def test_a_method_that_an_api_address_lacks_is_refused_in_json_with_those_it_has(visitor: Client) -> None:
    answer = visitor.get("/api/written")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert answer.json()["error"]["code"] == "method_not_allowed"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    real = visitor.get("/api/tables/nowhere/commands")
    assert (real.status_code, real.json()["error"]["code"]) == (405, "method_not_allowed")
    assert "{" not in real.json()["error"]["message"]


def test_a_malformed_form_to_a_table_is_refused_in_json_before_the_check_of_its_token(db: None) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["csrftoken"] = "a" * 32
    answer = strict.post("/api/tables/nowhere/commands", **FORM)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


def test_a_failed_check_of_origin_has_a_code_for_programs_and_a_page_for_people(db: None) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    told = strict.post("/api/written")
    assert (told.status_code, told.json()["error"]) == (403, {"code": "csrf", "message": str(CSRF)})
    page = strict.post("/try/written")
    assert (page.status_code, str(CSRF) in page.content.decode()) == (403, True)


def test_a_malformed_form_to_an_unknown_address_is_not_our_mistake(db: None) -> None:
    """Django's own view for a 404 expects a token in the form, while the visitor has it in a cookie."""
    visitor = Client(enforce_csrf_checks=True, raise_request_exception=False)
    visitor.cookies["csrftoken"] = "a" * 32
    assert visitor.post("/nowhere", **FORM).status_code == 404
    assert visitor.post("/nowhere", {f"field{n}": "1" for n in range(1100)}).status_code == 404


def test_an_unknown_address_below_api_reads_no_row(visitor: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert visitor.get("/api/tables/nowhere/nothing").status_code == 404


def test_a_successful_answer_is_not_changed(visitor: Client) -> None:
    answer = visitor.post("/api/reads", {"a": "b"})
    assert (answer.status_code, answer.content) == (200, b"1")


@pytest.mark.parametrize(("language", "heading"), [("en", "Too large"), ("fr", "")])
def test_what_is_too_large_is_refused_on_a_page_in_the_players_language(db: None, language: str, heading: str) -> None:
    """Whatever the browser asks for, a signed-in player reads the language of the profile."""
    player = Player.objects.create(display_name="Odile Caron", slug="odile-caron", language=language)
    player.user = create_user(email="odile@example.org", password="le tock du mercredi")
    player.save()
    visitor = Client(raise_request_exception=False, enforce_csrf_checks=True)
    visitor.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    visitor.cookies["csrftoken"] = "a" * 32
    sent = {"csrfmiddlewaretoken": "a" * 32} | {f"field{n}": "1" for n in range(1100)}
    other = "fr" if language == "en" else "en"
    for data in (sent, {"text": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}):
        page = visitor.post(
            "/accounts/login/", urlencode(data), "application/x-www-form-urlencoded", headers={"accept-language": other}
        )
        assert page.status_code == 413
        assert f'<html lang="{language}' in page.content.decode()
        assert heading in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/no-such-page/", "/staff/access/", "/clubs/", "/api/tables/none/snap", "/health/live"]
)
def test_an_address_with_too_many_parameters_is_refused_also_where_the_page_is_an_error(path: str) -> None:
    """The pages of 403 and 404 read the parameters again, and that failed a second time, with a 500."""
    answer = Client(raise_request_exception=False).get(path + "?" + "&".join(f"k{number}=1" for number in range(1100)))
    assert answer.status_code == 413
    assert b"too_large" in answer.content or b"<h1" in answer.content
