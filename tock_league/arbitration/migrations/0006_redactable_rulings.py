from django.db import migrations

from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("arbitration", "0005_entered_results"), ("journal", "0002_redactions")]

    operations = [AppendOnly("Ruling", redactable=["facts", "reasons", "deviation_reason", "dissent"])]
