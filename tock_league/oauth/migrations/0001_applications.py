import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tock_league.common.create_models import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0014_tokens_of_applications"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Application",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("client_id", models.CharField(editable=False, max_length=16, unique=True)),
                        (
                            "name",
                            models.CharField(
                                max_length=40,
                                validators=[
                                    django.core.validators.MinLengthValidator(2),
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    ),
                                ],
                                verbose_name="name",
                            ),
                        ),
                        ("look", models.CharField(editable=False, max_length=64, unique=True)),
                        ("website", models.CharField(max_length=250, verbose_name="website")),
                        (
                            "description",
                            models.CharField(
                                max_length=300,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                                verbose_name="description",
                            ),
                        ),
                        ("redirects", models.JSONField(default=list)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("confidential", "runs on a server, which can keep a secret"),
                                    ("public", "runs in a browser, on a phone or on a computer"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("digest", models.CharField(blank=True, default="", editable=False, max_length=64)),
                        ("hint", models.CharField(blank=True, default="", editable=False, max_length=8)),
                        ("made_at", models.DateTimeField()),
                        ("suspended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="applications",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-made_at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["confidential", "public"])), name="application_kind"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("digest", ""), ("kind", "public")),
                                    models.Q(("kind", "confidential"), models.Q(("digest", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="application_secret",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Access",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("scopes", models.JSONField(default=list)),
                        ("since", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("expires_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="accesses",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "application",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="accesses",
                                to="oauth.application",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "accesses",
                        "ordering": ["-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("application", "user"),
                                name="access_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("expires_at__lte", models.F("ends_at"))), name="access_ends"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Code",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("line", models.CharField(db_index=True, max_length=16)),
                        ("scopes", models.JSONField(default=list)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("redirect", models.CharField(max_length=250)),
                        ("challenge", models.CharField(max_length=64)),
                        (
                            "access",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="codes", to="oauth.access"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["expires_at"], name="code_age")],
                    },
                ),
                migrations.CreateModel(
                    name="Issued",
                    fields=[
                        (
                            "token",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="issued",
                                serialize=False,
                                to="accounts.token",
                            ),
                        ),
                        ("line", models.CharField(db_index=True, max_length=16)),
                        (
                            "access",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="issued", to="oauth.access"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "issued",
                    },
                ),
                migrations.CreateModel(
                    name="Refresh",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("line", models.CharField(db_index=True, max_length=16)),
                        ("scopes", models.JSONField(default=list)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "access",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="refreshes", to="oauth.access"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "refreshes",
                        "indexes": [models.Index(fields=["expires_at"], name="refresh_age")],
                    },
                ),
            ],
        ),
    ]
