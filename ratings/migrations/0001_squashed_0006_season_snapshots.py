"""All tables of ratings as 0001 to 0006 leave them (docs/decisions/0063)."""

import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    replaces = [
        ("ratings", "0001_initial"),
        ("ratings", "0002_board_reads"),
        ("ratings", "0003_fill_board_reads"),
        ("ratings", "0004_evaluation_reports"),
        ("ratings", "0005_index_of_corrections"),
        ("ratings", "0006_season_snapshots"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("clubs", "0009_search_index"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Generation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("building", "being computed"),
                                    ("live", "in force"),
                                    ("old", "the one before"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("cause", models.CharField(max_length=100)),
                        ("applied_at", models.DateTimeField(blank=True, null=True)),
                        ("applied_source", models.CharField(blank=True, default="", max_length=80)),
                        ("digest", models.CharField(blank=True, default="", max_length=64)),
                        ("created_at", models.DateTimeField()),
                        ("switched_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="generations",
                                to="ratings.ladder",
                            ),
                        ),
                        (
                            "params",
                            models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="ratings.ratingparams"),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("ladder", "number"), name="generation_number")],
                    },
                ),
                migrations.CreateModel(
                    name="RatingParams",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("version", models.PositiveIntegerField(unique=True)),
                        ("values", models.JSONField()),
                        ("reason", models.CharField(max_length=200)),
                        ("created_at", models.DateTimeField()),
                        (
                            "report",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="ratings.evaluationreport",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "rating params",
                    },
                ),
                migrations.CreateModel(
                    name="Ladder",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=40, unique=True)),
                        ("family", models.CharField(max_length=32)),
                        ("teams", models.PositiveSmallIntegerField()),
                        ("dirty_from", models.DateTimeField(blank=True, null=True)),
                        (
                            "generation",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="ratings.generation",
                            ),
                        ),
                        (
                            "params",
                            models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="ratings.ratingparams"),
                        ),
                    ],
                    options={
                        "ordering": ["key"],
                    },
                ),
                migrations.CreateModel(
                    name="RatedResult",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("source", models.CharField(max_length=80)),
                        ("revision", models.PositiveIntegerField(default=1)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("result", "result"),
                                    ("void", "voided"),
                                    ("seed", "start from another ladder"),
                                    ("merge", "accounts merged"),
                                    ("season", "new season"),
                                ],
                                default="result",
                                max_length=6,
                            ),
                        ),
                        ("completed_at", models.DateTimeField()),
                        ("sides", models.JSONField(default=list)),
                        ("ranks", models.JSONField(default=list)),
                        ("start", models.JSONField(blank=True, null=True)),
                        ("rated", models.BooleanField(default=True)),
                        ("reason", models.CharField(max_length=40)),
                        ("ruling", models.CharField(blank=True, default="", max_length=20)),
                        ("created_at", models.DateTimeField()),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="log", to="ratings.ladder"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["ladder", "completed_at", "source"], name="result_order"),
                            models.Index(
                                condition=models.Q(("revision__gt", 1)),
                                fields=["ladder", "-created_at"],
                                name="result_corrections",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("ladder", "source", "revision"), name="result_revision"),
                            models.CheckConstraint(
                                condition=models.Q(("revision__gte", 1)), name="result_revision_from_1"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Subject",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(choices=[("player", "player"), ("team", "pair")], max_length=6)),
                        ("key", models.CharField(max_length=80, unique=True)),
                        ("size", models.PositiveSmallIntegerField()),
                        ("listed", models.BooleanField(default=True)),
                        ("members", models.ManyToManyField(related_name="rating_subjects", to="accounts.player")),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "player"), ("size", 1)),
                                    models.Q(("kind", "team"), ("size__gt", 1)),
                                    _connector="OR",
                                ),
                                name="subject_kind_and_size",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("source", models.CharField(max_length=80)),
                        ("completed_at", models.DateTimeField()),
                        ("mu_before", models.FloatField()),
                        ("sigma_before", models.FloatField()),
                        ("mu_after", models.FloatField()),
                        ("sigma_after", models.FloatField()),
                        ("score_before", models.BigIntegerField()),
                        ("score_after", models.BigIntegerField()),
                        ("chance", models.FloatField()),
                        ("idle_days", models.PositiveIntegerField(default=0)),
                        ("won", models.BooleanField()),
                        (
                            "generation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="changes",
                                to="ratings.generation",
                            ),
                        ),
                        (
                            "result",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="changes",
                                to="ratings.ratedresult",
                            ),
                        ),
                        (
                            "subject",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="changes",
                                to="ratings.subject",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["generation", "subject", "completed_at"], name="history_of_subject")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("generation", "source", "subject"), name="one_change_per_game"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Rating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=6)),
                        ("mu", models.FloatField()),
                        ("sigma", models.FloatField()),
                        ("games", models.PositiveIntegerField(default=0)),
                        ("wins", models.PositiveIntegerField(default=0)),
                        ("last_rated_at", models.DateTimeField(blank=True, null=True)),
                        ("score_milli", models.BigIntegerField()),
                        ("opponents", models.PositiveIntegerField(default=0)),
                        ("partners", models.PositiveIntegerField(default=0)),
                        ("meetings", models.JSONField(default=dict)),
                        ("on_club", models.BooleanField(default=False)),
                        ("on_global", models.BooleanField(default=False)),
                        ("eligible_until", models.DateTimeField(blank=True, null=True)),
                        (
                            "generation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to="ratings.generation",
                            ),
                        ),
                        (
                            "subject",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to="ratings.subject",
                            ),
                        ),
                        ("listed", models.BooleanField(default=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                models.F("generation"),
                                models.F("kind"),
                                models.OrderBy(models.F("score_milli"), descending=True),
                                models.F("subject"),
                                condition=models.Q(("on_global", True)),
                                name="board_by_key",
                            ),
                            models.Index(
                                condition=models.Q(("eligible_until__isnull", False)),
                                fields=["eligible_until"],
                                name="rating_expiry",
                            ),
                            models.Index(
                                models.F("generation"),
                                models.F("kind"),
                                models.OrderBy(models.F("score_milli"), descending=True),
                                models.F("subject"),
                                condition=models.Q(("listed", True), ("on_global", False)),
                                name="apart_by_key",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("generation", "subject"), name="rating_of_subject")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RankBucket",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=6)),
                        ("bucket", models.IntegerField()),
                        ("count", models.IntegerField(default=0)),
                        (
                            "generation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="buckets",
                                to="ratings.generation",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("generation", "kind", "bucket"), name="bucket_once"),
                            models.CheckConstraint(condition=models.Q(("count__gte", 0)), name="bucket_not_negative"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WaitingResult",
                    fields=[
                        (
                            "result",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="waiting",
                                serialize=False,
                                to="ratings.ratedresult",
                            ),
                        ),
                        ("outbox_id", models.BigIntegerField()),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="waiting", to="ratings.ladder"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ClubScore",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("eligible", models.PositiveIntegerField()),
                        ("mean_milli", models.FloatField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                db_constraint=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "generation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="club_scores",
                                to="ratings.generation",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                models.F("generation"),
                                models.OrderBy(models.F("mean_milli"), descending=True),
                                models.OrderBy(models.F("eligible"), descending=True),
                                models.F("club"),
                                condition=models.Q(("mean_milli__isnull", False)),
                                name="clubs_by_key",
                            )
                        ],
                        "constraints": [models.UniqueConstraint(fields=("generation", "club"), name="club_score_once")],
                    },
                ),
                migrations.CreateModel(
                    name="EvaluationReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("values", models.JSONField()),
                        ("values_digest", models.CharField(max_length=64)),
                        ("games", models.PositiveIntegerField()),
                        ("figures", models.JSONField()),
                        ("made_from", models.CharField(max_length=64, unique=True)),
                        ("created_at", models.DateTimeField()),
                        (
                            "ladder",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reports",
                                to="ratings.ladder",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["ladder", "values_digest", "created_at"], name="report_of_values")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LadderSeason",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60)),
                        ("name", models.CharField(max_length=80)),
                        ("asked_at", models.DateTimeField()),
                        ("frozen_at", models.DateTimeField(blank=True, null=True)),
                        ("done_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="ratings.ladder"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-asked_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("ladder", "slug"), name="season_of_ladder_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeasonSnapshot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=6)),
                        ("rank", models.PositiveIntegerField()),
                        ("score_milli", models.BigIntegerField()),
                        ("sigma", models.FloatField()),
                        ("last_rated_at", models.DateTimeField(blank=True, null=True)),
                        ("games", models.PositiveIntegerField()),
                        ("wins", models.PositiveIntegerField()),
                        ("margin", models.PositiveIntegerField(blank=True, null=True)),
                        ("team", models.CharField(blank=True, max_length=84, null=True)),
                        ("names", models.JSONField(blank=True, null=True)),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="snapshots",
                                to="ratings.ladderseason",
                            ),
                        ),
                        (
                            "subject",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="snapshots",
                                to="ratings.subject",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["season", "kind", "rank", "subject"], name="season_by_key"),
                            models.Index(
                                condition=models.Q(("margin__isnull", True)),
                                fields=["season", "id"],
                                name="season_unfilled",
                            ),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("season", "subject"), name="snapshot_once")],
                    },
                ),
            ],
        ),
        AppendOnly("EvaluationReport"),
    ]
