from django.db import migrations, models

from tock_league.common.names import plain_look_of

MANY = 500


def look_at_players(apps, schema_editor):
    """Give each player the look of the name."""
    model, some = apps.get_model("accounts", "Player"), []
    for player in model.objects.only("pk", "display_name").iterator(MANY):
        player.look = plain_look_of(player.display_name)
        some.append(player)
        if len(some) == MANY:
            model.objects.bulk_update(some, ["look"])
            some = []
    model.objects.bulk_update(some, ["look"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_birth_year_asked_again")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="look",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.RunPython(look_at_players, migrations.RunPython.noop, elidable=True),
    ]
