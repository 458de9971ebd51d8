"""What `check --deploy` asks of a host: who answers for personal information, and where vulnerabilities are reported."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error, Warning, register

SCHEMES = ("mailto", "https", "tel")


@register()
def contact_is_an_address(**_options: Any) -> list[Error]:
    """Return an error for a SECURITY_CONTACT that security.txt cannot hold (RFC 9116, 2.5.3)."""
    contact = settings.SECURITY_CONTACT
    if not contact or (urlsplit(contact).scheme in SCHEMES and contact.isprintable() and " " not in contact):
        return []
    hint = "Write an address with its scheme, such as mailto:security@example.org or https://example.org/report."
    return [Error(f"SECURITY_CONTACT is no address: {contact!r}.", hint=hint, id="pages.E001")]


@register(deploy=True)
def answers_for_privacy(**_options: Any) -> list[Warning]:
    """Return a warning while the privacy page names nobody (Québec, P-39.1, section 3.1; GDPR, article 13)."""
    lacking = [name for name in ("PRIVACY_OFFICER", "PRIVACY_CONTACT") if not getattr(settings, name)]
    if not lacking:
        return []
    hint = "Name the person who answers for personal information, and an address: docs/privacy.md."
    return [Warning(f"The privacy page names nobody: {' and '.join(lacking)} not set.", hint=hint, id="pages.W001")]


@register(deploy=True)
def takes_reports(**_options: Any) -> list[Warning]:
    """Return a warning while nobody can report a vulnerability."""
    if settings.SECURITY_CONTACT:
        return []
    hint = "Set it to mailto: or https: and an address that somebody reads."
    return [Warning("SECURITY_CONTACT is not set: there is no security.txt.", hint=hint, id="pages.W002")]
