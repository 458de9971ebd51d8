from django.db import migrations, models

from tock_league.common.names import folded

MANY = 500


def fold_names(apps, schema_editor):
    """Give each team the name as searches look for it."""
    model, some = apps.get_model("clubs", "Team"), []
    for team in model.objects.only("pk", "name").iterator(MANY):
        team.search_name = folded(team.name)
        some.append(team)
        if len(some) == MANY:
            model.objects.bulk_update(some, ["search_name"])
            some = []
    model.objects.bulk_update(some, ["search_name"])


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_news")]

    operations = [
        migrations.AddField(
            model_name="team",
            name="search_name",
            field=models.CharField(blank=True, default="", editable=False, max_length=84),
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
