import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import tock_league.accounts.models


class Migration(migrations.Migration):
    dependencies = [("competitions", "0011_entry_name"), ("clubs", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seasons",
                to="clubs.club",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="name",
            field=models.CharField(
                max_length=80,
                validators=[django.core.validators.MinLengthValidator(3), tock_league.accounts.models.plain_text],
                verbose_name="name",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                condition=models.Q(("club__isnull", True)),
                fields=("name",),
                name="season_name_once",
                violation_error_message="There is a season of that name already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                fields=("club", "name"),
                name="season_name_once_in_club",
                violation_error_message="There is a season of that name already.",
            ),
        ),
    ]
