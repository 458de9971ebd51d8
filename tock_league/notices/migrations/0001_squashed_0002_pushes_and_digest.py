"""All tables of notices as 0001 and 0002 leave them (docs/decisions/0063)."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tock_league.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("notices", "0001_notices"), ("notices", "0002_pushes_and_digest")]

    initial = True

    dependencies = [
        ("accounts", "0009_access_tokens"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Bounce",
                    fields=[
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="bounce",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("email", models.EmailField(max_length=254)),
                        ("at", models.DateTimeField()),
                        ("code", models.PositiveSmallIntegerField()),
                    ],
                ),
                migrations.CreateModel(
                    name="QuietHours",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="quiet_hours",
                                serialize=False,
                                to="accounts.player",
                            ),
                        ),
                        ("begins", models.PositiveSmallIntegerField()),
                        ("ends", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "verbose_name_plural": "quiet hours",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("begins__lte", 23), ("ends__lte", 23)), name="quiet_hours_of_a_day"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=24)),
                        ("key", models.CharField(max_length=80)),
                        ("data", models.JSONField(default=dict)),
                        ("address", models.CharField(max_length=200)),
                        ("on_site", models.BooleanField(default=True)),
                        ("at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
                        ("useless_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "mail",
                            models.CharField(
                                choices=[
                                    ("none", "None"),
                                    ("waiting", "Waiting"),
                                    ("sent", "Sent"),
                                    ("dropped", "Dropped"),
                                ],
                                default="none",
                                max_length=8,
                            ),
                        ),
                        ("mail_why", models.CharField(blank=True, default="", max_length=16)),
                        ("mail_claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("mailed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="accounts.player",
                            ),
                        ),
                        ("push", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "indexes": [
                            models.Index(fields=["player", "-at"], name="notice_list"),
                            models.Index(
                                condition=models.Q(("on_site", True), ("seen_at__isnull", True)),
                                fields=["player"],
                                name="notice_unseen",
                            ),
                            models.Index(fields=["at"], name="notice_age"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "kind", "key"), name="notice_once"),
                            models.CheckConstraint(
                                condition=models.Q(("mail__in", ["none", "waiting", "sent", "dropped"])),
                                name="notice_mail",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Preference",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=24)),
                        ("way", models.CharField(max_length=4)),
                        ("wanted", models.BooleanField()),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notice_preferences",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["player", "kind", "way"],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "kind", "way"), name="notice_preference_once"),
                            models.CheckConstraint(
                                condition=models.Q(("way__in", ["site", "mail", "push"])), name="notice_preference_way"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Device",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("endpoint", models.CharField(max_length=600)),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("p256dh", models.CharField(max_length=88)),
                        ("auth", models.CharField(max_length=24)),
                        ("name", models.CharField(max_length=60)),
                        ("shows_text", models.BooleanField(default=False)),
                        ("session", models.CharField(blank=True, default="", max_length=64)),
                        ("made_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("failures", models.PositiveSmallIntegerField(default=0)),
                        ("rests_until", models.DateTimeField(blank=True, null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="push_devices",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["player", "made_at", "pk"],
                        "indexes": [models.Index(fields=["session"], name="device_session")],
                    },
                ),
                migrations.CreateModel(
                    name="DigestHour",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="digest_hour",
                                serialize=False,
                                to="accounts.player",
                            ),
                        ),
                        ("day", models.PositiveSmallIntegerField()),
                        ("hour", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("day__lte", 6), ("hour__lte", 23)), name="digest_hour_of_a_week"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Push",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[("waiting", "Waiting"), ("sent", "Sent"), ("dropped", "Dropped")],
                                default="waiting",
                                max_length=8,
                            ),
                        ),
                        ("why", models.CharField(blank=True, default="", max_length=16)),
                        ("claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="pushes", to="notices.device"
                            ),
                        ),
                        (
                            "notice",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="pushes", to="notices.notice"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "pushes",
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("notice", "device"), name="push_once"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["waiting", "sent", "dropped"])), name="push_state"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
