"""All tables of games as 0001 to 0016 leave them (docs/decisions/0063); PostgreSQL partitions the rows of records (0036)."""

from typing import Any

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels

from ._partitions import partition


def partitioned(_apps: Any, editor: Any) -> None:
    """On SQLite it stays one table."""
    if editor.connection.vendor == "postgresql":
        partition(editor)


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_referee"),
        ("games", "0003_full_ranking"),
        ("games", "0004_analysis"),
        ("games", "0005_rounds"),
        ("games", "0006_pulse"),
        ("games", "0007_unopened_commitments"),
        ("games", "0008_months"),
        ("games", "0009_archived_records"),
        ("games", "0010_guests_find_their_seats"),
        ("games", "0011_table_preferences"),
        ("games", "0012_casual_tables"),
        ("games", "0013_table_invitations"),
        ("games", "0014_lessons_finished"),
        ("games", "0015_play_comments"),
        ("games", "0016_held_seats_of_guests"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0008_blocks_and_presence"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Game",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("slug", models.CharField(max_length=20, unique=True)),
                        ("rules", models.CharField(max_length=40)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("seating", "waiting for the players"),
                                    ("playing", "playing"),
                                    ("over", "over"),
                                ],
                                default="seating",
                                max_length=10,
                            ),
                        ),
                        ("epoch", models.PositiveIntegerField(default=0)),
                        ("last_seq", models.PositiveIntegerField(default=0)),
                        ("released_seq", models.PositiveIntegerField(default=0)),
                        ("chain", models.CharField(blank=True, default="", max_length=64)),
                        ("phase", models.CharField(blank=True, default="", max_length=10)),
                        ("turn", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("decision", models.CharField(blank=True, default="", max_length=24)),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                        ("due_kind", models.CharField(blank=True, default="", max_length=10)),
                        ("bot_at", models.DateTimeField(blank=True, null=True)),
                        ("ranks", models.JSONField(blank=True, null=True)),
                        ("reason", models.CharField(blank=True, default="", max_length=20)),
                        ("rated", models.BooleanField(default=False)),
                        ("unrated_reason", models.CharField(blank=True, default="", max_length=20)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="games", to="games.table"
                            ),
                        ),
                        ("frozen", models.BooleanField(default=False)),
                        ("month", models.PositiveIntegerField()),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="game_due"
                            ),
                            models.Index(
                                condition=models.Q(("bot_at__isnull", False)), fields=["bot_at"], name="game_bot"
                            ),
                            models.Index(
                                condition=models.Q(
                                    models.Q(("state", "over"), _negated=True),
                                    ("started_at__isnull", True),
                                    _connector="OR",
                                ),
                                fields=["id"],
                                name="game_unopened",
                            ),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("table", "number"), name="game_number")],
                    },
                ),
                migrations.CreateModel(
                    name="DealSecret",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seeds", models.BinaryField()),
                        ("salts", models.BinaryField()),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="secret", to="games.game"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Table",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("slug", models.CharField(max_length=20, unique=True)),
                        ("name", models.CharField(max_length=120)),
                        ("rules", models.CharField(max_length=40)),
                        ("seats", models.PositiveSmallIntegerField()),
                        ("teams", models.PositiveSmallIntegerField()),
                        ("team_names", models.JSONField(default=list)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("match", "match"), ("practice", "practice"), ("casual", "casual")],
                                max_length=10,
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("open", "open"),
                                    ("playing", "playing"),
                                    ("finished", "finished"),
                                    ("closed", "closed"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("rated", models.BooleanField(default=False)),
                        ("touch", models.BooleanField(default=True)),
                        ("bots_allowed", models.BooleanField(default=False)),
                        (
                            "release",
                            models.CharField(
                                choices=[("deal", "one deal late"), ("live", "live"), ("game", "after the game")],
                                default="deal",
                                max_length=5,
                            ),
                        ),
                        ("best_of", models.PositiveSmallIntegerField(default=1)),
                        ("clocks", models.JSONField(blank=True, null=True)),
                        ("opens_at", models.DateTimeField(blank=True, null=True)),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("referee_wait_s", models.PositiveSmallIntegerField(default=300)),
                        ("full_ranking", models.BooleanField(default=False)),
                        ("decisive", models.BooleanField(default=False)),
                        ("rounds", models.PositiveSmallIntegerField(default=0)),
                        ("seated_only", models.BooleanField(default=False)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["state", "starts_at"], name="table_lobby")],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("best_of__gte", 1)), name="table_best_of"),
                            models.CheckConstraint(
                                condition=models.Q(("seats__gte", 2), ("teams__gte", 2)), name="table_shape"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("referee_wait_s__lte", 3600)), name="table_referee_wait"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("full_ranking", False), ("teams", models.F("seats")), _connector="OR"
                                ),
                                name="table_full_ranking",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableRole",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("role", models.CharField(max_length=20)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="table_roles",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="games.table"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("table", "player", "role"), name="table_role_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GameEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("epoch", models.PositiveIntegerField(default=0)),
                        ("kind", models.CharField(max_length=4)),
                        ("code", models.CharField(max_length=16)),
                        ("body", models.JSONField()),
                        ("actor", models.CharField(max_length=12)),
                        ("command_id", models.CharField(blank=True, max_length=36, null=True)),
                        ("body_hash", models.CharField(blank=True, default="", max_length=64)),
                        ("at", models.BigIntegerField()),
                        ("chain", models.CharField(max_length=64)),
                        (
                            "game",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="events",
                                to="games.game",
                            ),
                        ),
                        ("month", models.PositiveIntegerField()),
                    ],
                    options={
                        "ordering": ["game", "seq"],
                        "constraints": [
                            models.UniqueConstraint(fields=("game", "seq"), name="event_seq"),
                            models.UniqueConstraint(fields=("game", "command_id"), name="event_command"),
                            models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="event_from_one"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["play", "act"])), name="event_kind"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Seating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("guest_key", models.CharField(blank=True, default="", max_length=64)),
                        ("bot", models.CharField(blank=True, default="", max_length=10)),
                        (
                            "player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seatings",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="seatings", to="games.table"
                            ),
                        ),
                        ("guest_name", models.CharField(blank=True, default="", max_length=20)),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["table", "seat"],
                        "constraints": [
                            models.UniqueConstraint(fields=("table", "seat"), name="seating_seat"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("player__isnull", False),
                                    models.Q(("guest_key", ""), _negated=True),
                                    models.Q(("bot", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="seating_held",
                            ),
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("guest_key", ""), _negated=True),
                                fields=["guest_key"],
                                name="seating_guest",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeatView",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("granted_at", models.DateTimeField()),
                        ("until", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="seat_views", to="games.game"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seat_views",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("game", "player"),
                                name="seat_view_one_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("until__gt", models.F("granted_at"))), name="seat_view_ends"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Analysis",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("by", models.CharField(max_length=20)),
                        ("body", models.JSONField(null=True)),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="analysis", to="games.game"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "analyses",
                    },
                ),
                migrations.CreateModel(
                    name="Pulse",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("process", models.CharField(max_length=32, unique=True)),
                        ("at", models.BigIntegerField()),
                        ("stopped", models.BooleanField(default=False)),
                    ],
                ),
                migrations.CreateModel(
                    name="Outage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.BigIntegerField()),
                        ("until", models.BigIntegerField(db_index=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("until__gt", models.F("since"))), name="outage_lasts"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ArchivedRecord",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rows", models.PositiveIntegerField()),
                        ("body", models.BinaryField()),
                        ("sha256", models.CharField(max_length=64)),
                        ("archived_at", models.DateTimeField()),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="archived", to="games.game"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("rows__gte", 1)), name="archived_rows")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TablePreferences",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("chosen", models.JSONField(default=dict)),
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="table_preferences",
                                to="accounts.player",
                            ),
                        ),
                        ("lessons", models.JSONField(default=list)),
                    ],
                    options={
                        "verbose_name_plural": "table preferences",
                    },
                ),
                migrations.CreateModel(
                    name="CasualTable",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("code", models.CharField(max_length=6, unique=True)),
                        ("host_key", models.CharField(blank=True, default="", max_length=64)),
                        ("listed", models.BooleanField(default=False)),
                        ("quick", models.BooleanField(default=False)),
                        ("level", models.CharField(max_length=10)),
                        (
                            "host",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "table",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="casual", to="games.table"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["quick", "listed"], name="casual_lobby")],
                    },
                ),
                migrations.CreateModel(
                    name="HeldSeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("guest_key", models.CharField(blank=True, default="", max_length=64)),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="held_seats", to="games.game"
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
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("player__isnull", False),
                                    models.Q(("guest_key", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="held_seat_by_somebody",
                            ),
                            models.UniqueConstraint(fields=("game", "player"), name="held_seat_of_player"),
                            models.UniqueConstraint(
                                condition=models.Q(("guest_key", ""), _negated=True),
                                fields=("game", "guest_key"),
                                name="held_seat_of_guest",
                            ),
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("guest_key", ""), _negated=True),
                                fields=["guest_key"],
                                name="held_seat_guest",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableInvitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "casual",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="games.casualtable",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="table_invitations",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("casual", "player"), name="table_invitation_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlayComment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("seq", models.PositiveIntegerField()),
                        (
                            "text",
                            models.CharField(
                                max_length=500,
                                validators=[
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
                                verbose_name="comment",
                            ),
                        ),
                        ("line", models.CharField(blank=True, default="", max_length=80)),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="games.game"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="play_comments",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["game", "seq"], name="comment_of_play")],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="comment_from_one")
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(partitioned),  # irreversible: restore a copy
    ]
