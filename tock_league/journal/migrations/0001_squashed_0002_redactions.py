"""All tables of the journal as 0001 and 0002 leave them (docs/decisions/0063)."""

import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    replaces = [("journal", "0001_initial"), ("journal", "0002_redactions")]

    initial = True

    dependencies = []

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="JournalStream",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120, unique=True)),
                        ("length", models.PositiveBigIntegerField(default=0)),
                        ("hash", models.CharField(max_length=64)),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="JournalEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("stream", models.CharField(max_length=120)),
                        ("seq", models.PositiveBigIntegerField()),
                        ("body", models.BinaryField()),
                        ("prev_hash", models.CharField(max_length=64)),
                        ("hash", models.CharField(max_length=64, unique=True)),
                    ],
                    options={
                        "verbose_name_plural": "journal entries",
                        "ordering": ["stream", "seq"],
                        "constraints": [
                            models.UniqueConstraint(fields=("stream", "seq"), name="journal_seq"),
                            models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="journal_from_one"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PrivateText",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("field", models.CharField(max_length=40)),
                        ("salt", models.BinaryField(max_length=16)),
                        ("text", models.TextField()),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="private_texts",
                                to="journal.journalentry",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("entry", "field"), name="private_text_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Redaction",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("table", models.CharField(max_length=64)),
                        ("row", models.PositiveBigIntegerField()),
                        ("field", models.CharField(max_length=40)),
                        ("digest", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "indexes": [models.Index(fields=["table", "row", "field"], name="redaction_of_text")],
                    },
                ),
            ],
        ),
        AppendOnly("JournalEntry", chained=True),
        AppendOnly("Redaction"),
    ]
