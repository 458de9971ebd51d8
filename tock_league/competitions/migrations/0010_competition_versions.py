import secrets

import django.db.models.deletion
from django.db import migrations, models


def give_versions(apps, schema_editor):
    competitions = apps.get_model("competitions", "Competition").objects.values_list("pk", flat=True)
    version = apps.get_model("competitions", "CompetitionVersion")
    version.objects.bulk_create(
        [version(competition_id=pk, number=secrets.randbits(63)) for pk in competitions], batch_size=500
    )


class Migration(migrations.Migration):
    dependencies = [("competitions", "0009_talk_after_games")]

    operations = [
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
        migrations.RunPython(give_versions, migrations.RunPython.noop),
    ]
