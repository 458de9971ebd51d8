"""Pages that lie open when their reader's session ends are cleared."""

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from tests.accounts.signing import a_player
from tests.servers.browser import Visitors

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def test_signing_out_clears_the_persons_other_windows(visitors: Visitors) -> None:
    person = a_player("Océane Trudel", "oceane@example.org")
    visitor = visitors.enter("Océane", user=person.user)
    other = visitor.context.new_page()
    other.goto(visitor.base + reverse("accounts:profile"))
    assert other.input_value("#id_display_name") == "Océane Trudel"
    page = visitor.open("/")
    page.click("summary.who")
    page.click("form[data-sign-out] button")
    other.wait_for_url(f"**{reverse('account_login')}?next=*")
    assert "Océane" not in other.content()


def test_a_page_whose_session_ended_elsewhere_is_cleared_when_it_comes_to_the_front(visitors: Visitors) -> None:
    person = a_player("Océane Trudel", "oceane@example.org")
    visitor = visitors.enter("Océane", user=person.user)
    page = visitor.open(reverse("accounts:profile"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_load_state("networkidle")
    assert page.input_value("#id_display_name") == "Océane Trudel"
    Session.objects.all().delete()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_url(f"**{reverse('account_login')}?next=*")
