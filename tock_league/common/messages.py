"""Django's messages, in a cookie whose name has the `__Host-` prefix where cookies are Secure."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    cookie_name = "__Host-messages" if settings.SESSION_COOKIE_SECURE else "messages"


class Storage(FallbackStorage):
    """A cookie while the messages fit into it, else the session."""

    storage_classes = (HostCookieStorage, SessionStorage)
