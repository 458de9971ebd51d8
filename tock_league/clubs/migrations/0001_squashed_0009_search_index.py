"""All tables of clubs as 0001 to 0009 leave them (docs/decisions/0063)."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import tock_league.common.ids
from tock_league.common.create_models import CreateModels
from tock_league.common.postgresql import trigrams


class Migration(migrations.Migration):
    replaces = [
        ("clubs", "0001_initial"),
        ("clubs", "0002_invitations"),
        ("clubs", "0003_team_size"),
        ("clubs", "0004_club_look"),
        ("clubs", "0005_follows"),
        ("clubs", "0006_talk_after_games"),
        ("clubs", "0007_news"),
        ("clubs", "0008_search_names"),
        ("clubs", "0009_search_index"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0009_access_tokens"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Club",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("slug", models.SlugField(editable=False, max_length=60, unique=True)),
                        (
                            "name",
                            models.CharField(
                                max_length=60,
                                unique=True,
                                validators=[
                                    django.core.validators.MinLengthValidator(3),
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    ),
                                ],
                                verbose_name="name",
                            ),
                        ),
                        (
                            "town",
                            models.CharField(
                                max_length=60,
                                validators=[
                                    django.core.validators.MinLengthValidator(2),
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    ),
                                ],
                                verbose_name="town",
                            ),
                        ),
                        (
                            "about",
                            models.CharField(
                                blank=True,
                                default="",
                                max_length=200,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                                verbose_name="where and when you play",
                            ),
                        ),
                        ("look", models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True)),
                        ("has_talk", models.BooleanField(default=True, verbose_name="talk after games")),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="Team",
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
                            "name",
                            models.CharField(
                                max_length=84,
                                validators=[
                                    django.core.validators.MinLengthValidator(2),
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    ),
                                    django.core.validators.RegexValidator(
                                        "<[a-zA-Z/!?]",
                                        "Tags such as <b> are not allowed here; type plain text.",
                                        code="markup",
                                        inverse_match=True,
                                    ),
                                ],
                                verbose_name="name",
                            ),
                        ),
                        ("drawn", models.BooleanField(default=False, editable=False)),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="teams",
                                to="clubs.club",
                            ),
                        ),
                        ("dissolved_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("size", models.PositiveSmallIntegerField(default=2, verbose_name="players at the table")),
                        ("search_name", models.CharField(blank=True, default="", editable=False, max_length=84)),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("club__isnull", False), ("dissolved_at__isnull", True), ("drawn", False)
                                ),
                                fields=("club", "name"),
                                name="team_name_in_club",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("size__in", [2, 3, 4])), name="team_size_fits_a_table"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TeamPlayer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slot", models.PositiveSmallIntegerField()),
                        ("joined", models.DateTimeField()),
                        ("left", models.DateTimeField(blank=True, null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="team_spells",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="spells", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["slot"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("left__isnull", True)),
                                fields=("team", "player"),
                                name="I02_player_once_in_team",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("left__isnull", True)),
                                fields=("team", "slot"),
                                name="I02_slot_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("left__isnull", True), ("left__gte", models.F("joined")), _connector="OR"
                                ),
                                name="I02_left_after_joined",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("slot__gte", 1), ("slot__lte", 6)), name="I02_slot_1_to_6"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClubRole",
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
                                choices=[("officer", "club officer"), ("organiser", "organiser")], max_length=16
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="clubs.club"
                            ),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="club_roles",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until__isnull", True)),
                                fields=("club", "player", "name"),
                                name="club_role_held_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("name__in", ["officer", "organiser"])), name="club_role_name"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                                ),
                                name="club_role_ends_after_start",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("home", models.BooleanField(default=True, verbose_name="home club")),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="clubs.club"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("home", True), ("until__isnull", True)),
                                fields=("player",),
                                name="I01_one_home_club",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("until__isnull", True)),
                                fields=("club", "player"),
                                name="I01_member_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                                ),
                                name="I01_ends_after_start",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TeamInvitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slot", models.PositiveSmallIntegerField()),
                        (
                            "token_hash",
                            models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True),
                        ),
                        ("sent_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("open", "open"),
                                    ("accepted", "accepted"),
                                    ("declined", "declined"),
                                    ("revoked", "taken back"),
                                    ("expired", "expired"),
                                ],
                                default="open",
                                max_length=8,
                            ),
                        ),
                        ("answered_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "answered_by",
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
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="team_invitations",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "sent_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["slot", "-sent_at"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "open")),
                                fields=("team", "slot"),
                                name="invitation_once_a_place",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("player__isnull", False), ("state", "open")),
                                fields=("team", "player"),
                                name="invitation_once_a_player",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("player__isnull", False), ("token_hash__isnull", True)),
                                    models.Q(("player__isnull", True), ("token_hash__isnull", False)),
                                    _connector="OR",
                                ),
                                name="invitation_by_name_or_link",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("state__in", ["open", "accepted", "declined", "revoked", "expired"])
                                ),
                                name="invitation_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("answered_at__isnull", True), ("state", "open")),
                                    models.Q(
                                        models.Q(("state", "open"), _negated=True), ("answered_at__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="invitation_closed_has_a_date",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("expires_at__gt", models.F("sent_at"))),
                                name="invitation_expires_later",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("slot__gte", 2), ("slot__lte", 6)), name="invitation_slot_2_to_6"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Follow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        (
                            "follower",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="follows",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="clubs.team",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("follower", "player"), name="follows_player_once"),
                            models.UniqueConstraint(fields=("follower", "team"), name="follows_team_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("player__isnull", False), ("team__isnull", True)),
                                    models.Q(("player__isnull", True), ("team__isnull", False)),
                                    _connector="OR",
                                ),
                                name="follows_player_or_team",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("player__isnull", True),
                                    models.Q(("player", models.F("follower")), _negated=True),
                                    _connector="OR",
                                ),
                                name="follows_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClubNews",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "slug",
                            models.SlugField(
                                default=tock_league.common.ids.new_slug, editable=False, max_length=16, unique=True
                            ),
                        ),
                        (
                            "text",
                            models.CharField(
                                max_length=500,
                                validators=[
                                    django.core.validators.MinLengthValidator(3),
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    ),
                                    django.core.validators.RegexValidator(
                                        "<[a-zA-Z/!?]",
                                        "Tags such as <b> are not allowed here; type plain text.",
                                        code="markup",
                                        inverse_match=True,
                                    ),
                                ],
                                verbose_name="text",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="club_news",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="news", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "club news",
                        "ordering": ["-at", "-pk"],
                        "indexes": [models.Index(fields=["club", "-at"], name="club_news_list")],
                    },
                ),
            ],
        ),
        trigrams.index("team_search_name", "clubs_team", "search_name"),
    ]
