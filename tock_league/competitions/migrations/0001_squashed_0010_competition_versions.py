"""All tables of competitions as 0001 to 0010 leave them (docs/decisions/0063)."""

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

import tock_league.common.ids
from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    replaces = [
        ("competitions", "0001_initial"),
        ("competitions", "0002_tournaments"),
        ("competitions", "0003_results"),
        ("competitions", "0004_seats"),
        ("competitions", "0005_corrections"),
        ("competitions", "0006_late_entries"),
        ("competitions", "0007_redactable_corrections"),
        ("competitions", "0008_partner_desk"),
        ("competitions", "0009_talk_after_games"),
        ("competitions", "0010_competition_versions"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0008_blocks_and_presence"),
        ("clubs", "0005_follows"),
        ("games", "0012_casual_tables"),
        ("journal", "0002_redactions"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Division",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("tier", models.PositiveSmallIntegerField(default=1)),
                        (
                            "name",
                            models.CharField(
                                max_length=80,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                                verbose_name="name",
                            ),
                        ),
                        ("size", models.PositiveSmallIntegerField(verbose_name="number of teams")),
                        ("up", models.PositiveSmallIntegerField(default=0)),
                        ("down", models.PositiveSmallIntegerField(default=0)),
                        ("playoff", models.PositiveSmallIntegerField(default=0)),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="divisions",
                                to="competitions.season",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["season", "tier", "name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "tier", "name"), name="I03_division_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("down__gte", 0),
                                    ("playoff__gte", 0),
                                    (
                                        "size__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("up"), "+", models.F("down")
                                            ),
                                            "+",
                                            models.F("playoff"),
                                        ),
                                    ),
                                    ("up__gte", 0),
                                ),
                                name="I03_berths_fit_size",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Group",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ordinal", models.PositiveSmallIntegerField(default=1)),
                        ("name", models.CharField(blank=True, default="", max_length=60)),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="groups",
                                to="competitions.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["stage", "ordinal"],
                        "constraints": [models.UniqueConstraint(fields=("stage", "ordinal"), name="I09_group_ordinal")],
                    },
                ),
                migrations.CreateModel(
                    name="Competition",
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
                            "kind",
                            models.CharField(
                                choices=[("league", "league"), ("tournament", "tournament")], max_length=12
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("draft", "draft"),
                                    ("published", "announced"),
                                    ("open", "entries open"),
                                    ("closed", "entries closed"),
                                    ("running", "under way"),
                                    ("suspended", "suspended"),
                                    ("finished", "finished"),
                                    ("archived", "archived"),
                                    ("cancelled", "cancelled"),
                                ],
                                default="draft",
                                max_length=12,
                            ),
                        ),
                        (
                            "name",
                            models.CharField(
                                max_length=80,
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
                        ("rules", models.CharField(editable=False, max_length=40)),
                        ("is_rehearsal", models.BooleanField(default=False)),
                        ("bots_allowed", models.BooleanField(default=False)),
                        ("lots_seed", models.CharField(editable=False, max_length=64)),
                        (
                            "reason",
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
                                verbose_name="public reason",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="competitions",
                                to="clubs.club",
                                verbose_name="organising club",
                            ),
                        ),
                        (
                            "division",
                            models.OneToOneField(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="competition",
                                to="competitions.division",
                            ),
                        ),
                        (
                            "regulations",
                            models.ForeignKey(
                                editable=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="competitions.regulations",
                            ),
                        ),
                        ("check_in_from", models.DateTimeField(blank=True, null=True, verbose_name="check-in opens")),
                        ("check_in_until", models.DateTimeField(blank=True, null=True, verbose_name="check-in closes")),
                        ("entries_close_at", models.DateTimeField(blank=True, null=True, verbose_name="entries close")),
                        ("on_paper", models.BooleanField(default=False, verbose_name="results on paper")),
                        ("plan", models.JSONField(blank=True, default=dict, editable=False)),
                        (
                            "seeding",
                            models.CharField(
                                choices=[("rating", "by rating"), ("hand", "by hand"), ("lots", "drawn by lots")],
                                default="rating",
                                max_length=8,
                                verbose_name="seeding",
                            ),
                        ),
                        ("size", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="places")),
                        ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="first round")),
                        ("seats", models.PositiveSmallIntegerField(default=4, editable=False)),
                    ],
                    options={
                        "ordering": ["-created_at"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["league", "tournament"])), name="I04_kind"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        [
                                            "draft",
                                            "published",
                                            "open",
                                            "closed",
                                            "running",
                                            "suspended",
                                            "finished",
                                            "archived",
                                            "cancelled",
                                        ],
                                    )
                                ),
                                name="I04_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("seeding__in", ["rating", "hand", "lots"])), name="I04_seeding"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("size__isnull", True), ("size__gte", 2), _connector="OR"),
                                name="I04_size",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("check_in_from__isnull", True),
                                    ("check_in_until__isnull", True),
                                    ("check_in_until__gt", models.F("check_in_from")),
                                    _connector="OR",
                                ),
                                name="I04_check_in_ends_after_it_opens",
                            ),
                            models.CheckConstraint(condition=models.Q(("seats__in", [4, 6, 8])), name="I04_seats"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entry",
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
                        ("seed", models.PositiveIntegerField(blank=True, null=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("pending", "not every player has confirmed yet"),
                                    ("accepted", "accepted"),
                                    ("waitlisted", "on the waiting list"),
                                    ("refused", "refused"),
                                    ("checked_in", "checked in"),
                                    ("dropped", "not checked in in time"),
                                    ("playing", "playing"),
                                    ("finished", "finished"),
                                    ("withdrawn", "withdrawn"),
                                    ("disqualified", "disqualified"),
                                ],
                                default="accepted",
                                max_length=12,
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="clubs.team",
                            ),
                        ),
                        ("final_rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("queued_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "reason",
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
                                verbose_name="public reason",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "entries",
                        "ordering": ["competition", "seed", "pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("player__isnull", True), ("team__isnull", False)),
                                    models.Q(("player__isnull", False), ("team__isnull", True)),
                                    _connector="OR",
                                ),
                                name="I06_team_or_player",
                            ),
                            models.UniqueConstraint(fields=("competition", "team"), name="I06_team_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("player__isnull", False)),
                                fields=("competition", "player"),
                                name="I06_player_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("seed__isnull", False)),
                                fields=("competition", "seed"),
                                name="I06_seed_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        [
                                            "pending",
                                            "accepted",
                                            "waitlisted",
                                            "refused",
                                            "checked_in",
                                            "dropped",
                                            "playing",
                                            "finished",
                                            "withdrawn",
                                            "disqualified",
                                        ],
                                    )
                                ),
                                name="I06_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("final_rank__isnull", True), ("final_rank__gte", 1), _connector="OR"
                                ),
                                name="I06_rank_from_1",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Match",
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
                        ("number", models.PositiveSmallIntegerField()),
                        ("sides", models.PositiveSmallIntegerField(default=2)),
                        (
                            "mode",
                            models.CharField(
                                choices=[("first_to", "First To"), ("play_all", "Play All")],
                                default="first_to",
                                max_length=8,
                            ),
                        ),
                        ("best_of", models.PositiveSmallIntegerField(default=1)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting for its teams"),
                                    ("ready", "date not set"),
                                    ("scheduled", "scheduled"),
                                    ("called", "table open"),
                                    ("live", "under way"),
                                    ("reported", "result reported by one side"),
                                    ("contested", "result contested"),
                                    ("confirmed", "result confirmed"),
                                    ("awarded", "forfeit"),
                                    ("void", "void"),
                                ],
                                default="ready",
                                max_length=10,
                            ),
                        ),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("decided_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "table",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="match",
                                to="games.table",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="competitions.round",
                            ),
                        ),
                        (
                            "label",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", ""),
                                    ("quarter", "quarter-final"),
                                    ("semi", "semi-final"),
                                    ("third_place", "third place"),
                                    ("final", "final"),
                                ],
                                default="",
                                max_length=12,
                            ),
                        ),
                        ("table_no", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ],
                    options={
                        "verbose_name_plural": "matches",
                        "ordering": ["starts_at", "pk"],
                        "indexes": [
                            models.Index(fields=["state", "starts_at"], name="match_due"),
                            models.Index(fields=["competition", "starts_at"], name="match_calendar"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "number"), name="I13_match_number"),
                            models.CheckConstraint(
                                condition=models.Q(("sides__gte", 2), ("sides__lte", 8)), name="I13_sides"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "best_of",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.Value(2),
                                                "*",
                                                django.db.models.expressions.CombinedExpression(
                                                    models.F("best_of"), "/", models.Value(2)
                                                ),
                                            ),
                                            "+",
                                            models.Value(1),
                                        ),
                                    ),
                                    ("best_of__gt", 0),
                                ),
                                name="I13_best_of_odd",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("mode__in", ["first_to", "play_all"])), name="I13_mode"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state__in", ["scheduled", "called", "live"]), _negated=True),
                                    ("starts_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="I13_dated_when_scheduled",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        [
                                            "waiting",
                                            "ready",
                                            "scheduled",
                                            "called",
                                            "live",
                                            "reported",
                                            "contested",
                                            "confirmed",
                                            "awarded",
                                            "void",
                                        ],
                                    )
                                ),
                                name="I13_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("label__in", ["", "quarter", "semi", "third_place", "final"])),
                                name="I13_label",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MatchGame",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("record_hash", models.CharField(blank=True, default="", max_length=64)),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT, related_name="match_game", to="games.game"
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games",
                                to="competitions.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["match", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "number"), name="I19_game_number"),
                            models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="I19_number_from_1"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Regulations",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("code", models.SlugField(max_length=40)),
                        ("version", models.PositiveIntegerField()),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("body", models.JSONField()),
                    ],
                    options={
                        "verbose_name_plural": "regulations",
                        "constraints": [models.UniqueConstraint(fields=("code", "version"), name="I05_code_version")],
                    },
                ),
                migrations.CreateModel(
                    name="ResultVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("game_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("fact", models.CharField(max_length=16)),
                        (
                            "source",
                            models.CharField(
                                choices=[
                                    ("engine", "Engine"),
                                    ("organiser", "Organiser"),
                                    ("captain", "Captain"),
                                    ("referee", "Referee"),
                                    ("rules", "Rules"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                blank=True,
                                default="",
                                max_length=200,
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
                            ),
                        ),
                        ("recorded_at", models.DateTimeField()),
                        ("prev_hash", models.CharField(max_length=64)),
                        ("hash", models.CharField(max_length=64)),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="versions",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "game",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="version",
                                to="competitions.matchgame",
                            ),
                        ),
                        ("sheet", models.JSONField(blank=True, null=True)),
                        (
                            "order",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games_played",
                                to="competitions.resulteffect",
                            ),
                        ),
                        ("tied", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["match", "version"],
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "version"), name="I20_version_once"),
                            models.UniqueConstraint(fields=("match", "prev_hash"), name="I20_chain_cannot_fork"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "fact__in",
                                        [
                                            "played",
                                            "adjudicated",
                                            "forfeit",
                                            "no_show",
                                            "withdrawal",
                                            "disqualification",
                                            "double_forfeit",
                                            "void",
                                            "reopened",
                                        ],
                                    )
                                ),
                                name="I20_fact",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("sheet__isnull", True), ("game_number__isnull", True), _connector="OR"
                                ),
                                name="I20_sheet_is_whole",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ResultLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("outcome", models.CharField(max_length=4)),
                        ("place", models.PositiveSmallIntegerField()),
                        ("margin", models.SmallIntegerField(default=0)),
                        (
                            "result",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="competitions.resultversion",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["result", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("result", "position"), name="I20_line_once"),
                            models.CheckConstraint(
                                condition=models.Q(("outcome__in", ["win", "tie", "loss"])), name="I20_outcome"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RosterSpot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[("starter", "starter"), ("substitute", "substitute")],
                                default="starter",
                                max_length=10,
                            ),
                        ),
                        ("slot", models.PositiveSmallIntegerField()),
                        ("joined", models.DateTimeField()),
                        ("left", models.DateTimeField(blank=True, null=True)),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="roster",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="roster_spots",
                                to="accounts.player",
                            ),
                        ),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["entry", "role", "slot"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("left__isnull", True)),
                                fields=("competition", "player"),
                                name="I07_player_on_one_roster",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("left__isnull", True)),
                                fields=("entry", "role", "slot"),
                                name="I07_slot_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("role", "starter"), ("slot__gte", 1), ("slot__lte", 4)),
                                    models.Q(("role", "substitute"), ("slot__gte", 1), ("slot__lte", 2)),
                                    _connector="OR",
                                ),
                                name="I07_slot_range",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("left__isnull", True), ("left__gte", models.F("joined")), _connector="OR"
                                ),
                                name="I07_left_after_joined",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Round",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "state",
                            models.CharField(
                                choices=[("planned", "Planned"), ("open", "Open"), ("done", "Done")],
                                default="planned",
                                max_length=8,
                            ),
                        ),
                        ("exclusive", models.BooleanField(default=False)),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rounds",
                                to="competitions.group",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["group", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "number"), name="I12_round_number"),
                            models.UniqueConstraint(
                                condition=models.Q(("exclusive", True), ("state", "open")),
                                fields=("group",),
                                name="I12_one_exclusive_round_open",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["planned", "open", "done"])), name="I12_state"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Season",
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
                                max_length=80,
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
                        ("starts_on", models.DateField(verbose_name="first day")),
                        ("ends_on", models.DateField(verbose_name="last day")),
                    ],
                    options={
                        "ordering": ["-starts_on", "name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("ends_on__gte", models.F("starts_on"))),
                                name="season_ends_after_start",
                                violation_error_message="The last day lies before the first day.",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Stage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ordinal", models.PositiveSmallIntegerField(default=1)),
                        ("format", models.CharField(max_length=40)),
                        ("options", models.JSONField(blank=True, default=dict)),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="stages",
                                to="competitions.competition",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["competition", "ordinal"],
                        "constraints": [
                            models.UniqueConstraint(fields=("competition", "ordinal"), name="I09_stage_ordinal")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Side",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("seat", "Seat"),
                                    ("pairing_bye", "Pairing Bye"),
                                    ("requested_bye", "Requested Bye"),
                                    ("absence", "Absence"),
                                    ("rest", "Rest"),
                                ],
                                default="seat",
                                max_length=14,
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="side_rows",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="side_rows",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="side_rows",
                                to="competitions.round",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="competitions.stage"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["match", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "position"), name="I14_position_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("entry__isnull", False)),
                                fields=("round", "entry"),
                                name="I14_entry_once_in_round",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "pairing_bye")),
                                fields=("stage", "entry"),
                                name="I14_one_pairing_bye",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "seat"), ("match__isnull", False), ("position__isnull", False)),
                                    models.Q(
                                        ("entry__isnull", False),
                                        ("kind__in", ["pairing_bye", "requested_bye", "absence", "rest"]),
                                        ("match__isnull", True),
                                        ("position__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="I14_seat_or_named_absence",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BracketEdge",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("outcome", models.CharField(choices=[("winner", "Winner"), ("loser", "Loser")], max_length=6)),
                        ("to_position", models.PositiveSmallIntegerField()),
                        ("from_no", models.PositiveSmallIntegerField()),
                        ("to_no", models.PositiveSmallIntegerField()),
                        (
                            "from_match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="edges_out",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "to_match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="edges_in",
                                to="competitions.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["to_no", "to_position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("from_match", "outcome"), name="I11_goes_to_one_place"),
                            models.UniqueConstraint(fields=("to_match", "to_position"), name="I11_seat_fed_once"),
                            models.CheckConstraint(
                                condition=models.Q(("from_no__lt", models.F("to_no"))), name="I11_forwards"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("outcome__in", ["winner", "loser"])), name="I11_outcome"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckIn",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("phase", models.CharField(default="day", max_length=12)),
                        ("at", models.DateTimeField()),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="check_ins",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="check_ins",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("competition", "phase", "player"), name="I08_checked_in_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CompetitionRole",
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
                                    ("organiser", "organiser"),
                                    ("referee", "referee"),
                                    ("head_referee", "head referee"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        ("outsider", models.BooleanField(default=False)),
                        (
                            "reason",
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
                                verbose_name="public reason",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="roles",
                                to="competitions.competition",
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="competition_roles",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["competition", "name", "since", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until__isnull", True)),
                                fields=("competition", "player", "name"),
                                name="competition_role_held_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("name__in", ["organiser", "referee", "head_referee"])),
                                name="competition_role_name",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"
                                ),
                                name="competition_role_ends_after_start",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Meeting",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("leg", models.PositiveSmallIntegerField(default=1)),
                        ("waiver", models.CharField(blank=True, default="", max_length=40)),
                        (
                            "high",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="competitions.entry"
                            ),
                        ),
                        (
                            "low",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="competitions.entry"
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="meetings",
                                to="competitions.round",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="meetings",
                                to="competitions.stage",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("low__lt", models.F("high"))), name="I16_low_before_high"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("waiver", "")),
                                fields=("stage", "leg", "low", "high"),
                                name="I16_met_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PairingRun",
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
                                choices=[("draft", "Draft"), ("published", "Published"), ("discarded", "Discarded")],
                                default="draft",
                                max_length=10,
                            ),
                        ),
                        ("engine", models.CharField(max_length=40)),
                        ("seed", models.CharField(max_length=64)),
                        ("inputs", models.JSONField()),
                        ("inputs_hash", models.CharField(max_length=64)),
                        ("certificate", models.JSONField()),
                        ("published_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="competitions.round",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "published")), fields=("round",), name="I18_published_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["draft", "published", "discarded"])), name="I18_state"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "published"), _negated=True),
                                    ("published_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="I18_published_is_dated",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StageInput",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slot", models.PositiveSmallIntegerField()),
                        ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("source_ordinal", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("stage_ordinal", models.PositiveSmallIntegerField()),
                        ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="inputs",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "source_group",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="feeds",
                                to="competitions.group",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="inputs",
                                to="competitions.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["stage", "slot"],
                        "constraints": [
                            models.UniqueConstraint(fields=("stage", "slot"), name="I10_slot_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("source_group__isnull", False)),
                                fields=("stage", "source_group", "rank"),
                                name="I10_rank_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("entry__isnull", False)),
                                fields=("stage", "entry"),
                                name="I10_entry_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("match__isnull", False)),
                                fields=("match", "position"),
                                name="I10_seat_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("entry__isnull", False),
                                        ("rank__isnull", True),
                                        ("source_group__isnull", True),
                                        ("source_ordinal__isnull", True),
                                    ),
                                    models.Q(
                                        ("entry__isnull", True),
                                        ("rank__gte", 1),
                                        ("rank__isnull", False),
                                        ("source_group__isnull", False),
                                        ("source_ordinal__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="I10_one_source",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("source_ordinal__isnull", True),
                                    ("source_ordinal__lt", models.F("stage_ordinal")),
                                    _connector="OR",
                                ),
                                name="I10_earlier_stage",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("match__isnull", True), ("position__isnull", True)),
                                    models.Q(("match__isnull", False), ("position__isnull", False)),
                                    _connector="OR",
                                ),
                                name="I10_seat_whole",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StandingOverride",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField()),
                        (
                            "how",
                            models.CharField(
                                choices=[
                                    ("lots", "lots drawn from the published seed"),
                                    ("play_off", "play-off match"),
                                    ("ruling", "decision of the referee"),
                                ],
                                max_length=8,
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                max_length=200,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[^\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
                                        "Control characters are not allowed here; type plain text.",
                                        code="control_characters",
                                    )
                                ],
                                verbose_name="public reason",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="competitions.entry"
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="overrides",
                                to="competitions.group",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["group", "place"],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "entry"), name="I27_entry_once"),
                            models.UniqueConstraint(fields=("group", "place"), name="I27_place_once"),
                            models.CheckConstraint(
                                condition=models.Q(("how__in", ["lots", "play_off", "ruling"])), name="I27_how"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True), name="I27_reason"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EffectLift",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ruling", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        (
                            "effect",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lift",
                                to="competitions.resulteffect",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ResultEffect",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ruling", models.CharField(max_length=20)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("game_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("result", "Result"),
                                    ("void", "Void"),
                                    ("replay", "Replay"),
                                    ("forfeit_game", "Forfeit Game"),
                                    ("forfeit_match", "Forfeit Match"),
                                    ("points", "Points"),
                                    ("rating", "Rating"),
                                    ("paper", "Paper"),
                                    ("no_show", "No Show"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("amount", models.SmallIntegerField(default=0)),
                        ("after", models.PositiveIntegerField(default=0)),
                        ("keeps_place", models.BooleanField(default=False)),
                        ("derived", models.BooleanField(default=False)),
                        ("signed_at", models.DateTimeField()),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="effects",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="effects",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="effects",
                                to="competitions.match",
                            ),
                        ),
                        ("decided_at", models.DateTimeField(blank=True, null=True)),
                        ("sheet", models.JSONField(blank=True, null=True)),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("later", models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("competition", "ruling", "number"), name="effect_of_ruling_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind__in", ["forfeit_game", "rating"]), _negated=True),
                                    ("game_number__isnull", False),
                                    _connector="OR",
                                ),
                                name="effect_names_its_game",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind__in", ["result", "forfeit_game"]), _negated=True),
                                    ("position__isnull", False),
                                    _connector="OR",
                                ),
                                name="effect_names_its_side",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("entry__isnull", False), ("kind", "points")),
                                    models.Q(models.Q(("kind", "points"), _negated=True), ("entry__isnull", True)),
                                    _connector="OR",
                                ),
                                name="effect_points_name_an_entry",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("ruling", ""), _negated=True), name="effect_has_a_ruling"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "kind__in",
                                        [
                                            "result",
                                            "void",
                                            "replay",
                                            "forfeit_game",
                                            "forfeit_match",
                                            "points",
                                            "rating",
                                            "paper",
                                            "no_show",
                                        ],
                                    )
                                ),
                                name="effect_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "paper"), ("sheet__isnull", False)),
                                    models.Q(models.Q(("kind", "paper"), _negated=True), ("sheet__isnull", True)),
                                    _connector="OR",
                                ),
                                name="effect_paper_has_a_sheet",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ResultSignature",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "capacity",
                            models.CharField(choices=[("captain", "Captain"), ("referee", "Referee")], max_length=8),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "result",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="signatures",
                                to="competitions.resultversion",
                            ),
                        ),
                        (
                            "side",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="competitions.side",
                            ),
                        ),
                        (
                            "signer",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="result_signatures",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["result", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("result", "signer"), name="I21_signer_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("capacity", "captain")),
                                fields=("result", "side"),
                                name="I21_one_captain_a_side",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("capacity", "captain"), ("side__isnull", False), ("signer__isnull", False)
                                    ),
                                    models.Q(("capacity", "referee"), ("side__isnull", True)),
                                    _connector="OR",
                                ),
                                name="I21_captain_has_a_side",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Correction",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("paper", "the score was wrong"),
                                    ("no_show", "a team did not come"),
                                    ("reopen", "the match has no result yet"),
                                    ("move", "the result belongs to another match"),
                                    ("revert", "an earlier correction is taken back"),
                                ],
                                max_length=8,
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                max_length=200,
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
                            ),
                        ),
                        ("tied", models.BooleanField(default=False)),
                        ("digest", models.CharField(blank=True, default="", max_length=64)),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="corrections",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="corrections",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "reverts",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reverted_by",
                                to="competitions.correction",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["competition", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("competition", "number"), name="correction_number"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["paper", "no_show", "reopen", "move", "revert"])),
                                name="correction_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "revert"), ("reverts__isnull", False)),
                                    models.Q(models.Q(("kind", "revert"), _negated=True), ("reverts__isnull", True)),
                                    _connector="OR",
                                ),
                                name="correction_reverts_one",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "move"), ("other__isnull", False)),
                                    models.Q(models.Q(("kind", "move"), _negated=True), ("other__isnull", True)),
                                    _connector="OR",
                                ),
                                name="correction_moves_to_a_match",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True), name="correction_has_a_reason"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LateEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("missed", models.PositiveSmallIntegerField()),
                        ("before", models.JSONField()),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="late",
                                to="competitions.entry",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="late_entries",
                                to="competitions.group",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "late entries",
                        "ordering": ["pk"],
                    },
                ),
                migrations.CreateModel(
                    name="PartnerSearch",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "text",
                            models.CharField(
                                max_length=140,
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
                                verbose_name="a line about it",
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("open", "open"),
                                    ("found", "found"),
                                    ("withdrawn", "taken back"),
                                    ("removed", "removed"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "closed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="partner_searches",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="clubs.team",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-since", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("club__isnull", False), ("competition__isnull", True)),
                                    models.Q(("club__isnull", True), ("competition__isnull", False)),
                                    _connector="OR",
                                ),
                                name="partner_search_in_club_or_event",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("state", "open")),
                                fields=("player", "club"),
                                name="partner_search_once_in_club",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("state", "open")),
                                fields=("player", "competition"),
                                name="partner_search_once_in_event",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["open", "found", "withdrawn", "removed"])),
                                name="partner_search_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("closed_at__isnull", True), ("state", "open")),
                                    models.Q(models.Q(("state", "open"), _negated=True), ("closed_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="partner_search_closed_has_a_date",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("until__gt", models.F("since"))), name="partner_search_ends_later"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PartnerAnswer",
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
                                choices=[("open", "open"), ("accepted", "accepted"), ("declined", "declined")],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="partner_answers",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "search",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="answers",
                                to="competitions.partnersearch",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("search", "player"), name="partner_answer_once"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["open", "accepted", "declined"])),
                                name="partner_answer_state",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TalkLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "text",
                            models.CharField(
                                max_length=200,
                                validators=[
                                    django.core.validators.MinLengthValidator(1),
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
                                verbose_name="a line",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("removed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="talk", to="games.game"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="talk", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="TalkMute",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "muted",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="talk_mutes",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "muted"), name="talk_muted_once"),
                            models.CheckConstraint(
                                condition=models.Q(("player", models.F("muted")), _negated=True),
                                name="talk_mutes_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TalkReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("kept", models.BooleanField(blank=True, null=True)),
                        ("handled_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="talk_reports",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "handled_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="competitions.talkline",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("line", "by"), name="talk_reported_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("handled_at__isnull", True), ("kept__isnull", True)),
                                    models.Q(("handled_at__isnull", False), ("kept__isnull", False)),
                                    _connector="OR",
                                ),
                                name="talk_handled_has_a_date",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CompetitionVersion",
                    fields=[
                        (
                            "competition",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="version",
                                serialize=False,
                                to="competitions.competition",
                            ),
                        ),
                        ("number", models.BigIntegerField()),
                    ],
                ),
            ],
        ),
        AppendOnly("ResultEffect"),
        AppendOnly("EffectLift"),
        AppendOnly("Correction", redactable=["reason"]),
    ]
