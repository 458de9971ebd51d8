import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0009_access_tokens"),
        ("clubs", "0006_talk_after_games"),
        ("competitions", "0009_talk_after_games"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Webhook",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.CharField(max_length=24, unique=True)),
                        ("address", models.CharField(max_length=500)),
                        ("kinds", models.JSONField(default=list)),
                        ("sealed", models.TextField()),
                        ("made_at", models.DateTimeField()),
                        (
                            "off",
                            models.CharField(
                                blank=True,
                                choices=[("person", "Person"), ("failures", "Failures")],
                                default="",
                                max_length=8,
                            ),
                        ),
                        ("off_at", models.DateTimeField(blank=True, null=True)),
                        ("failing_since", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhooks",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhooks",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "made_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="webhooks",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["made_at", "pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("club__isnull", True), ("competition__isnull", False)),
                                    models.Q(("club__isnull", False), ("competition__isnull", True)),
                                    _connector="OR",
                                ),
                                name="webhook_of_one_place",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("off__in", ["", "person", "failures"])), name="webhook_off"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Delivery",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("event", models.CharField(max_length=24)),
                        ("kind", models.CharField(max_length=24)),
                        (
                            "state",
                            models.CharField(
                                choices=[("waiting", "Waiting"), ("sent", "Sent"), ("given_up", "Given Up")],
                                default="waiting",
                                max_length=8,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0)),
                        ("made_at", models.DateTimeField()),
                        ("asked_at", models.DateTimeField()),
                        ("claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("last_at", models.DateTimeField(blank=True, null=True)),
                        ("took_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("answer", models.CharField(blank=True, default="", max_length=500)),
                        ("error", models.CharField(blank=True, default="", max_length=24)),
                        (
                            "webhook",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="webhooks.webhook",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "deliveries",
                        "ordering": ["-made_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["webhook", "-made_at"], name="delivery_log"),
                            models.Index(fields=["made_at"], name="delivery_age"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("webhook", "event"), name="delivery_once"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["waiting", "sent", "given_up"])),
                                name="delivery_state",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
