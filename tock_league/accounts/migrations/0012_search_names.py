from django.db import migrations, models

from tock_league.common.names import folded

MANY = 500


def fold_names(apps, schema_editor):
    """Give each player the name as searches look for it."""
    model, some = apps.get_model("accounts", "Player"), []
    for player in model.objects.only("pk", "display_name").iterator(MANY):
        player.search_name = folded(player.display_name)
        some.append(player)
        if len(some) == MANY:
            model.objects.bulk_update(some, ["search_name"])
            some = []
    model.objects.bulk_update(some, ["search_name"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_spanish_players")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="search_name",
            field=models.CharField(blank=True, default="", editable=False, max_length=40),
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
