import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0004_private_people"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Incident",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.CharField(max_length=12, unique=True)),
                        ("known_at", models.DateTimeField()),
                        ("opened_at", models.DateTimeField()),
                        (
                            "opened_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-opened_at", "-pk"],
                    },
                ),
                migrations.CreateModel(
                    name="IncidentEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("facts", "Facts"),
                                    ("risk", "Assessment of the risk"),
                                    ("notice", "Notice given"),
                                    ("note", "Note"),
                                    ("closed", "Closed"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("body", models.JSONField()),
                        ("salt", models.CharField(max_length=32)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "incident",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="incidents.incident",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "incident entries",
                        "ordering": ["incident", "seq"],
                        "constraints": [
                            models.UniqueConstraint(fields=("incident", "seq"), name="incident_entry_seq"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["facts", "risk", "notice", "note", "closed"])),
                                name="incident_entry_kind",
                            ),
                        ],
                    },
                ),
            ],
        ),
        AppendOnly("Incident"),
        AppendOnly("IncidentEntry"),
    ]
