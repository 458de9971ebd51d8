from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_referee")]

    operations = [
        migrations.AddField(model_name="table", name="full_ranking", field=models.BooleanField(default=False)),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("full_ranking", False), ("teams", models.F("seats")), _connector="OR"),
                name="table_full_ranking",
            ),
        ),
    ]
