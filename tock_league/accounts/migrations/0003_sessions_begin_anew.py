"""End the sessions of people who signed in before sessions had limits and a list: everybody signs in once more.

Sessions of guests stay; guests keep their seats.
"""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations


def end(apps: Any, schema_editor: Any) -> None:
    Session = apps.get_model("sessions", "Session")
    store = SessionStore()
    old = [row.pk for row in Session.objects.iterator() if SESSION_KEY in store.decode(row.session_data)]
    for start in range(0, len(old), 500):
        Session.objects.filter(pk__in=old[start : start + 500]).delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_referee_roles"), ("sessions", "0001_initial")]
    operations = [migrations.RunPython(end, migrations.RunPython.noop)]
