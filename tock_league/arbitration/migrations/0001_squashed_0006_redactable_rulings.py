"""All tables of arbitration as 0001 to 0006 leave them (docs/decisions/0063)."""

import django.db.models.deletion
from django.db import migrations, models

from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    replaces = [
        ("arbitration", "0001_initial"),
        ("arbitration", "0002_drafts"),
        ("arbitration", "0003_second_signature"),
        ("arbitration", "0004_family_ties"),
        ("arbitration", "0005_entered_results"),
        ("arbitration", "0006_redactable_rulings"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0002_referee_roles"),
        ("competitions", "0005_corrections"),
        ("games", "0006_pulse"),
        ("journal", "0002_redactions"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="CaseCounter",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("year", models.PositiveSmallIntegerField(unique=True)),
                        ("last", models.PositiveIntegerField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name="Case",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.CharField(editable=False, max_length=16, unique=True)),
                        ("seq", models.PositiveIntegerField(default=0)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("talk", "talking"),
                                    ("touch", "touched marble"),
                                    ("illegal", "illegal move"),
                                    ("blind", "blind burn"),
                                    ("clock", "clock"),
                                    ("connection", "connection"),
                                    ("conduct", "conduct"),
                                    ("result", "result entered"),
                                    ("eligibility", "right to play"),
                                    ("deal", "verification of the deal"),
                                    ("other", "something else"),
                                ],
                                max_length=12,
                            ),
                        ),
                        (
                            "origin",
                            models.CharField(
                                choices=[
                                    ("call", "call at the table"),
                                    ("dispute", "dispute after the game"),
                                    ("review", "re-examination"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("side", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("filed", "filed"),
                                    ("triage", "waiting for a second referee"),
                                    ("assigned", "taken by a referee"),
                                    ("hearing", "both sides heard"),
                                    ("ruled", "ruled"),
                                    ("appealed", "under appeal"),
                                    ("panel_formed", "appeal panel formed"),
                                    ("deliberating", "panel deliberating"),
                                    ("appeal_ruled", "ruled on appeal"),
                                    ("final", "final"),
                                    ("inadmissible", "not admitted"),
                                    ("withdrawn", "taken back"),
                                    ("superseded", "superseded by a later ruling"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("heard", models.BooleanField(default=False)),
                        ("live", models.BooleanField(default=False)),
                        ("outsider", models.BooleanField(default=False)),
                        ("filed_at", models.DateTimeField()),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="competitions.competition",
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="games.game",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="competitions.match",
                            ),
                        ),
                        (
                            "opened_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="opened_cases",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "reviews",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reviewed_by",
                                to="arbitration.case",
                            ),
                        ),
                        ("entered", models.CharField(blank=True, default="", max_length=20)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        (
                                            "filed",
                                            "triage",
                                            "assigned",
                                            "hearing",
                                            "ruled",
                                            "appealed",
                                            "panel_formed",
                                            "deliberating",
                                            "appeal_ruled",
                                            "final",
                                            "inadmissible",
                                            "withdrawn",
                                            "superseded",
                                        ),
                                    )
                                ),
                                name="case_state",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("origin__in", ["call", "dispute", "review"])), name="case_origin"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("live", True)), fields=("game",), name="case_one_live_at_a_table"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("origin", "dispute"), ("state__in", ["assigned", "filed", "hearing", "triage"])
                                ),
                                fields=("match",),
                                name="case_one_open_dispute_of_a_match",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("live", False),
                                    models.Q(
                                        ("game__isnull", False),
                                        ("state__in", ["assigned", "filed", "hearing", "triage"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="case_live_has_a_table",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("origin", "review"), ("reviews__isnull", False)),
                                    models.Q(models.Q(("origin", "review"), _negated=True), ("reviews__isnull", True)),
                                    _connector="OR",
                                ),
                                name="case_review_names_its_case",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("entered", ""), ("game__isnull", True), _connector="OR"),
                                name="case_about_a_game_or_a_result",
                            ),
                        ],
                        "ordering": ["filed_at", "pk"],
                        "indexes": [
                            models.Index(fields=["competition", "state"], name="case_queue"),
                            models.Index(fields=["state", "filed_at"], name="case_book"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CaseEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                        ("role", models.CharField(max_length=16)),
                        ("type", models.CharField(max_length=20)),
                        ("body", models.JSONField(default=dict)),
                        (
                            "actor",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="events",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="case_event",
                                to="journal.journalentry",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "seq"), name="case_event_seq"),
                            models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="case_event_from_one"),
                        ],
                        "ordering": ["case", "seq"],
                    },
                ),
                migrations.CreateModel(
                    name="Deadline",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("answer", "answer of the other side"),
                                    ("ruling", "ruling"),
                                    ("director", "organiser’s attention"),
                                    ("appeal", "appeal"),
                                    ("panel", "ruling of the panel"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("due_at", models.DateTimeField()),
                        ("done_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="deadlines",
                                to="arbitration.case",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("done_at__isnull", True)),
                                fields=("case", "kind"),
                                name="case_deadline_runs_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["answer", "ruling", "director", "appeal", "panel"])),
                                name="case_deadline_kind",
                            ),
                        ],
                        "ordering": ["due_at", "pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("done_at__isnull", True)),
                                fields=["due_at"],
                                name="case_deadline_due",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Evidence",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("position", "position in the game"),
                                    ("touch", "touches"),
                                    ("clock", "clock"),
                                    ("connection", "connection"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("seq", models.PositiveIntegerField()),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="evidence",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "event",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="evidence",
                                to="arbitration.caseevent",
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.game"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "kind", "game", "seq"), name="evidence_once"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["position", "touch", "clock", "connection"])),
                                name="evidence_kind",
                            ),
                        ],
                        "verbose_name_plural": "evidence",
                        "ordering": ["case", "game", "seq", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="FamilyTie",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "declared_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "high",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.player"
                            ),
                        ),
                        (
                            "low",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.player"
                            ),
                        ),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until__isnull", True)),
                                fields=("low", "high"),
                                name="family_tie_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("low__lt", models.F("high"))), name="family_tie_in_order"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("confirmed_at__isnull", True),
                                    ("confirmed_at__gte", models.F("since")),
                                    _connector="OR",
                                ),
                                name="family_tie_confirmed_after_it_began",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("declared_by", models.F("low")), ("declared_by", models.F("high")), _connector="OR"
                                ),
                                name="family_tie_declared_by_one_of_two",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Lease",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("version", models.PositiveIntegerField(default=0)),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="leases",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "referee",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="leases", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("case",),
                                name="lease_of_case_held_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("until__gt", models.F("since"))), name="lease_ends_after_start"
                            ),
                        ],
                        "ordering": ["case", "since", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="PanelSeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("since", models.DateTimeField()),
                        ("left_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="panel", to="arbitration.case"
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="panel_seats",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "member"), name="panel_member_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("left_at__isnull", True), ("place__isnull", False)),
                                fields=("case", "place"),
                                name="panel_place_held_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("place__isnull", True),
                                    models.Q(("place__gte", 1), ("place__lte", 3)),
                                    _connector="OR",
                                ),
                                name="panel_of_three",
                            ),
                        ],
                        "ordering": ["case", "place", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Recusal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ground", models.CharField(max_length=12)),
                        ("declared", models.BooleanField()),
                        ("at", models.DateTimeField()),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="recusals",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="recusals",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "person"), name="recusal_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "ground__in",
                                        (
                                            "recused",
                                            "party",
                                            "author",
                                            "club",
                                            "family",
                                            "partner",
                                            "affected",
                                            "final",
                                            "open_case",
                                        ),
                                    )
                                ),
                                name="recusal_ground",
                            ),
                        ],
                        "ordering": ["case", "at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Ruling",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("level", models.PositiveSmallIntegerField(default=1)),
                        ("as_head", models.BooleanField(default=False)),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("upheld", "claim upheld"),
                                    ("dismissed", "claim dismissed"),
                                    ("referee_error", "error of the referee or of the site"),
                                    ("entry_error", "error in the result entered"),
                                ],
                                max_length=14,
                            ),
                        ),
                        ("table_version", models.CharField(max_length=16)),
                        ("row", models.CharField(blank=True, default="", max_length=20)),
                        ("step", models.PositiveSmallIntegerField(default=0)),
                        ("penalty", models.CharField(default="none", max_length=16)),
                        ("standard", models.CharField(default="none", max_length=16)),
                        ("deviation_reason", models.TextField(blank=True, default="", max_length=2000)),
                        ("rules", models.JSONField(default=list)),
                        ("facts", models.TextField(max_length=1000)),
                        ("reasons", models.TextField(max_length=2000)),
                        ("dissent", models.TextField(blank=True, default="")),
                        ("decision", models.JSONField(default=dict)),
                        ("day", models.DateField()),
                        ("preview_digest", models.CharField(max_length=64)),
                        ("signed_at", models.DateTimeField()),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rulings",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rulings",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "confirms",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="confirmed_by",
                                to="arbitration.ruling",
                            ),
                        ),
                        (
                            "event",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ruling",
                                to="arbitration.caseevent",
                            ),
                        ),
                        (
                            "offender",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="findings",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "supersedes",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="superseded_by",
                                to="arbitration.ruling",
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seconded_rulings",
                                to="accounts.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "number"), name="ruling_number"),
                            models.CheckConstraint(condition=models.Q(("level__in", [1, 2])), name="ruling_level"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "penalty__in",
                                        (
                                            "none",
                                            "caution",
                                            "warning",
                                            "warning_point",
                                            "blind_burn",
                                            "game_forfeit",
                                            "match_forfeit",
                                            "exclusion",
                                            "suspension",
                                            "ban",
                                        ),
                                    ),
                                    (
                                        "standard__in",
                                        (
                                            "none",
                                            "caution",
                                            "warning",
                                            "warning_point",
                                            "blind_burn",
                                            "game_forfeit",
                                            "match_forfeit",
                                            "exclusion",
                                            "suspension",
                                            "ban",
                                        ),
                                    ),
                                ),
                                name="ruling_penalty_of_the_table",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("penalty", "none"),
                                    models.Q(
                                        models.Q(("row", ""), _negated=True),
                                        ("offender__isnull", False),
                                        ("step__gte", 1),
                                    ),
                                    _connector="OR",
                                ),
                                name="I9_penalty_cites_a_row",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("confirms__isnull", True), ("supersedes__isnull", True), _connector="OR"
                                ),
                                name="ruling_confirms_or_supersedes",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("outcome__in", ["upheld", "dismissed", "referee_error", "entry_error"])
                                ),
                                name="ruling_outcome",
                            ),
                        ],
                        "ordering": ["case", "number"],
                        "indexes": [
                            models.Index(fields=["offender", "day"], name="ruling_findings"),
                            models.Index(fields=["signed_at"], name="ruling_signed"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Effect",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("type", models.CharField(max_length=16)),
                        ("target", models.CharField(max_length=40)),
                        ("root", models.CharField(max_length=60)),
                        ("amount", models.IntegerField(default=0)),
                        ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("game_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("from_at", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        ("act_seq", models.PositiveIntegerField(blank=True, null=True)),
                        (
                            "result_effect",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cause",
                                to="competitions.resulteffect",
                            ),
                        ),
                        (
                            "lifted_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lifts",
                                to="arbitration.ruling",
                            ),
                        ),
                        (
                            "ruling",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="effects",
                                to="arbitration.ruling",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("ruling", "number"), name="effect_number"),
                            models.UniqueConstraint(
                                condition=models.Q(("lifted_by__isnull", True)),
                                fields=("type", "target", "root"),
                                name="effect_in_force_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "type__in",
                                        [
                                            "ban",
                                            "blind_burn",
                                            "caution",
                                            "clock",
                                            "exclusion",
                                            "forfeit_game",
                                            "forfeit_match",
                                            "no_show",
                                            "owed_burn",
                                            "paper",
                                            "points",
                                            "replay",
                                            "result",
                                            "rewind",
                                            "suspension",
                                            "table_forfeit",
                                            "touch",
                                            "void",
                                            "warning",
                                        ],
                                    )
                                ),
                                name="case_effect_type",
                            ),
                        ],
                        "ordering": ["ruling", "number"],
                    },
                ),
                migrations.CreateModel(
                    name="Appeal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("side", models.PositiveSmallIntegerField()),
                        (
                            "grounds",
                            models.CharField(
                                choices=[
                                    ("rule", "the wrong rule was applied"),
                                    ("fact", "new evidence shows other facts"),
                                    ("proportion", "the penalty is out of proportion"),
                                    ("procedure", "the procedure was not kept"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeals",
                                to="accounts.player",
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeals",
                                to="arbitration.case",
                            ),
                        ),
                        (
                            "event",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeal",
                                to="arbitration.caseevent",
                            ),
                        ),
                        (
                            "ruling",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeals",
                                to="arbitration.ruling",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "side"), name="appeal_once_a_side"),
                            models.CheckConstraint(
                                condition=models.Q(("grounds__in", ["rule", "fact", "proportion", "procedure"])),
                                name="appeal_grounds",
                            ),
                        ],
                        "ordering": ["case", "at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Vote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "choice",
                            models.CharField(
                                choices=[("uphold", "the ruling stands"), ("overturn", "the ruling falls")],
                                max_length=10,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="votes", to="arbitration.case"
                            ),
                        ),
                        (
                            "event",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="vote",
                                to="arbitration.caseevent",
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="votes", to="accounts.player"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "member"), name="vote_once"),
                            models.CheckConstraint(
                                condition=models.Q(("choice__in", ["uphold", "overturn"])), name="vote_choice"
                            ),
                        ],
                        "ordering": ["case", "at", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Draft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("form", models.CharField(max_length=12)),
                        ("fields", models.JSONField(default=dict)),
                        ("version", models.PositiveIntegerField(default=1)),
                        ("saved_at", models.DateTimeField()),
                        ("offered", models.BooleanField(default=False)),
                        (
                            "case",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="drafts",
                                to="arbitration.case",
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
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="drafts", to="accounts.player"
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="drafts",
                                to="competitions.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["case", "person", "form"],
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "person", "form"), name="draft_of_form_once"),
                            models.UniqueConstraint(fields=("match", "person"), name="draft_of_a_dispute_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("case__isnull", False),
                                        (
                                            "form__in",
                                            [
                                                "decision",
                                                "uphold",
                                                "answer",
                                                "add",
                                                "appeal",
                                                "reply",
                                                "vote",
                                                "recuse",
                                                "escalate",
                                                "dismiss",
                                                "disagree",
                                                "refuse",
                                                "review",
                                            ],
                                        ),
                                        ("match__isnull", True),
                                    ),
                                    models.Q(("case__isnull", True), ("form", "dispute"), ("match__isnull", False)),
                                    _connector="OR",
                                ),
                                name="draft_form",
                            ),
                        ],
                    },
                ),
            ],
        ),
        AppendOnly("CaseEvent"),
        AppendOnly("Evidence"),
        AppendOnly("Ruling", redactable=["facts", "reasons", "deviation_reason", "dissent"]),
        AppendOnly("Appeal"),
        AppendOnly("Vote"),
    ]
