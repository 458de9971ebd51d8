from django.db import migrations

from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("competitions", "0006_late_entries"), ("journal", "0002_redactions")]

    operations = [AppendOnly("Correction", redactable=["reason"])]
