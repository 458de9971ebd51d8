import django.db.models.deletion
from django.db import migrations, models

from tock_league.accounts.models import plain_text
from tock_league.common.validation import no_markup
from tock_league.journal.store import AppendOnly


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_referee_roles"),
        ("competitions", "0004_seats"),
    ]

    operations = [
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                ("reason", models.CharField(max_length=200, validators=[plain_text, no_markup])),
                ("tied", models.BooleanField(default=False)),
                ("digest", models.CharField(blank=True, default="", max_length=64)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["competition", "number"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="resulteffect",
            name="effect_kind",
        ),
        migrations.AddField(
            model_name="resulteffect",
            name="decided_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="resulteffect",
            name="sheet",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="resulteffect",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="resulteffect",
            name="kind",
            field=models.CharField(
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
        migrations.AddConstraint(
            model_name="resulteffect",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="resulteffect",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "paper"), ("sheet__isnull", False)),
                    models.Q(models.Q(("kind", "paper"), _negated=True), ("sheet__isnull", True)),
                    _connector="OR",
                ),
                name="effect_paper_has_a_sheet",
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="accounts.player",
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="competition",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="corrections", to="competitions.competition"
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="corrections", to="competitions.match"
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="other",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="competitions.match",
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="reverts",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reverted_by",
                to="competitions.correction",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.UniqueConstraint(fields=("competition", "number"), name="correction_number"),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["paper", "no_show", "reopen", "move", "revert"])),
                name="correction_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "revert"), ("reverts__isnull", False)),
                    models.Q(models.Q(("kind", "revert"), _negated=True), ("reverts__isnull", True)),
                    _connector="OR",
                ),
                name="correction_reverts_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "move"), ("other__isnull", False)),
                    models.Q(models.Q(("kind", "move"), _negated=True), ("other__isnull", True)),
                    _connector="OR",
                ),
                name="correction_moves_to_a_match",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="correction_has_a_reason"
            ),
        ),
        migrations.AddField(
            model_name="resulteffect",
            name="later",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="resultversion",
            name="tied",
            field=models.BooleanField(default=False),
        ),
        AppendOnly("ResultEffect"),
        AppendOnly("Correction"),
    ]
