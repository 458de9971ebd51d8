import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tock_league.common.create_models import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0003_sessions_begin_anew"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Erased",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("label", models.CharField(max_length=180, unique=True)),
                        ("pseudonym", models.CharField(blank=True, default="", max_length=40)),
                        ("at", models.DateTimeField()),
                        ("wiped", models.BooleanField(default=False)),
                    ],
                    options={
                        "verbose_name_plural": "erased",
                        "ordering": ["at", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("pseudonym", ""), _negated=True),
                                fields=("pseudonym",),
                                name="pseudonym_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Export",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("asked_at", models.DateTimeField()),
                        ("ready_at", models.DateTimeField(blank=True, null=True)),
                        ("expires_at", models.DateTimeField()),
                        ("body", models.BinaryField(null=True)),
                        ("size", models.PositiveBigIntegerField(default=0)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="exports",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-asked_at"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("body__isnull", True), ("ready_at__isnull", True)),
                                    models.Q(("body__isnull", False), ("ready_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="export_ready_has_a_body",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("expires_at__gt", models.F("asked_at"))),
                                name="export_expires_later",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ExportPart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=40)),
                        ("body", models.BinaryField()),
                        (
                            "export",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="people.export"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("export", "name"), name="export_part_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Farewell",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "cause",
                            models.CharField(
                                choices=[("asked", "Asked"), ("letter", "Letter"), ("idle", "Idle")], max_length=6
                            ),
                        ),
                        ("asked_at", models.DateTimeField()),
                        ("due_at", models.DateTimeField()),
                        ("postponed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "player",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="farewell",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="farewell",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["due_at"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("cause__in", ["asked", "letter", "idle"])), name="farewell_cause"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("user__isnull", False), ("player__isnull", False), _connector="OR"),
                                name="farewell_of_somebody",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("due_at__gte", models.F("asked_at"))), name="farewell_due_later"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
