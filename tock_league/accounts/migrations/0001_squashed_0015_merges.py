"""All tables of accounts as 0001 to 0015 leave them (docs/decisions/0063)."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tock_league.accounts.models
import tock_league.common.ids
from tock_league.common.create_models import CreateModels
from tock_league.common.postgresql import trigrams


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_referee_roles"),
        ("accounts", "0003_sessions_begin_anew"),
        ("accounts", "0004_private_people"),
        ("accounts", "0005_birth_year_asked_again"),
        ("accounts", "0006_player_look"),
        ("accounts", "0007_player_look_index"),
        ("accounts", "0008_blocks_and_presence"),
        ("accounts", "0009_access_tokens"),
        ("accounts", "0010_bot_accounts"),
        ("accounts", "0011_spanish_players"),
        ("accounts", "0012_search_names"),
        ("accounts", "0013_search_index"),
        ("accounts", "0014_tokens_of_applications"),
        ("accounts", "0015_merges"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="User",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                        ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                        ),
                        (
                            "username",
                            models.CharField(
                                default=tock_league.common.ids.new_slug, editable=False, max_length=150, unique=True
                            ),
                        ),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "user",
                        "verbose_name_plural": "users",
                        "abstract": False,
                        "constraints": [
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("email"),
                                condition=models.Q(("email", ""), _negated=True),
                                name="user_email",
                            )
                        ],
                    },
                    managers=[
                        ("objects", tock_league.accounts.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name="Player",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        (
                            "slug",
                            models.SlugField(
                                default=tock_league.common.ids.new_slug, editable=False, max_length=16, unique=True
                            ),
                        ),
                        (
                            "display_name",
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
                                verbose_name="name shown to others",
                            ),
                        ),
                        (
                            "language",
                            models.CharField(
                                choices=[("fr", "French"), ("en", "English"), ("es", "Spanish")],
                                default="fr",
                                max_length=5,
                                verbose_name="language",
                            ),
                        ),
                        (
                            "time_zone",
                            models.CharField(
                                default="America/Toronto",
                                max_length=64,
                                validators=[tock_league.accounts.models.known_time_zone],
                                verbose_name="time zone",
                            ),
                        ),
                        ("bot", models.CharField(blank=True, default="", editable=False, max_length=16)),
                        (
                            "user",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="player",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "page_for",
                            models.CharField(
                                choices=[
                                    ("everybody", "everybody"),
                                    ("signed_in", "people who have signed in"),
                                    ("clubs", "members of my clubs and teams"),
                                ],
                                default="clubs",
                                max_length=16,
                                verbose_name="who sees my page",
                            ),
                        ),
                        (
                            "look",
                            models.CharField(blank=True, db_index=True, default="", editable=False, max_length=64),
                        ),
                        ("shows_presence", models.BooleanField(default=True, verbose_name="show when I am here")),
                        ("search_name", models.CharField(blank=True, default="", editable=False, max_length=40)),
                    ],
                    options={
                        "ordering": ["display_name", "pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("display_name", ""), _negated=True), name="player_name"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("page_for__in", ["everybody", "signed_in", "clubs"])),
                                name="player_page_for",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("language__in", ["fr", "en", "es"])), name="player_language"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Role",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "name",
                            models.CharField(
                                choices=[
                                    ("administrator", "administrator"),
                                    ("organiser", "organiser"),
                                    ("referee", "referee"),
                                    ("head_referee", "head referee"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "given_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until__isnull", True)),
                                fields=("player", "name"),
                                name="role_held_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                                ),
                                name="role_ends_after_start",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("name__in", ["administrator", "organiser", "referee", "head_referee"])
                                ),
                                name="role_name",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BirthYear",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="birth",
                                serialize=False,
                                to="accounts.player",
                            ),
                        ),
                        ("year", models.PositiveSmallIntegerField(verbose_name="year of birth")),
                        (
                            "called",
                            models.CharField(
                                blank=True,
                                default="",
                                max_length=40,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                            ),
                        ),
                        ("told_at", models.DateTimeField()),
                        ("asked_again", models.BooleanField(default=False)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("year__gte", 1900), ("year__lte", 2200)), name="birth_year"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Consent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "purpose",
                            models.CharField(
                                choices=[
                                    ("account", "the account, as the privacy page describes it"),
                                    ("child", "a child takes part: clubs, competitions, rated games"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("version", models.CharField(max_length=16)),
                        ("given_at", models.DateTimeField()),
                        (
                            "guardian",
                            models.CharField(
                                blank=True,
                                default="",
                                max_length=84,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                            ),
                        ),
                        ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "given_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="consents_given",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="consents",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "withdrawn_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-given_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("withdrawn_at__isnull", True)),
                                fields=("player", "purpose"),
                                name="consent_in_force_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("purpose__in", ["account", "child"])), name="consent_purpose"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("withdrawn_at__isnull", True),
                                    ("withdrawn_at__gte", models.F("given_at")),
                                    _connector="OR",
                                ),
                                name="consent_order",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ConsentRequest",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="consent_request",
                                serialize=False,
                                to="accounts.player",
                            ),
                        ),
                        ("code_hash", models.CharField(max_length=64, unique=True)),
                        ("expires_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Block",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        (
                            "blocked",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="blocks", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "blocked"), name="blocked_once"),
                            models.CheckConstraint(
                                condition=models.Q(("player", models.F("blocked")), _negated=True),
                                name="blocks_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Token",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        ("scopes", models.JSONField(default=list)),
                        ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                        ("hint", models.CharField(editable=False, max_length=8)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("personal", models.BooleanField(db_default=True, default=True, editable=False)),
                    ],
                    options={
                        "ordering": ["-created_at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("expires_at__gt", models.F("created_at"))),
                                name="token_expires_later",
                            ),
                            models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="token_name"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BotAccount",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="account",
                                serialize=False,
                                to="accounts.player",
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="bots", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-made_at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("player", models.F("owner")), _negated=True), name="bot_of_another"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("closed_at__isnull", True),
                                    ("closed_at__gte", models.F("made_at")),
                                    _connector="OR",
                                ),
                                name="bot_closed_later",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Merge",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("moved", models.JSONField(default=dict)),
                        ("separated_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "former",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="merges", to="accounts.player"
                            ),
                        ),
                        (
                            "kept",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="merged", to="accounts.player"
                            ),
                        ),
                        (
                            "separated_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("separated_at__isnull", True)),
                                fields=("former",),
                                name="merged_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("former", models.F("kept")), _negated=True),
                                name="merged_with_another",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("separated_at__isnull", True),
                                    ("separated_at__gte", models.F("at")),
                                    _connector="OR",
                                ),
                                name="separated_after_merge",
                            ),
                        ],
                    },
                ),
            ],
        ),
        trigrams.index("player_search_name", "accounts_player", "search_name"),
    ]
