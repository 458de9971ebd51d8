"""The WSGI entry point: pages without sockets, for a host without an ASGI server; live tables then use long polls."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")

application = get_wsgi_application()
