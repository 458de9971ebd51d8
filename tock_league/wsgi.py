"""Pages without sockets, for a host that has no ASGI server; the live tables then run over their HTTP twins."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")

application = get_wsgi_application()
