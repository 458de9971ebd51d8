from django.db import migrations, models

from tock_league.common.names import look_of


def look_at_clubs(apps, schema_editor):
    """Give each club its look; of several that look alike, the oldest one has it and all keep their names."""
    taken = set()
    for club in apps.get_model("clubs", "Club").objects.order_by("pk"):
        look = look_of(club.name)
        if look not in taken:
            taken.add(look)
            club.look = look
            club.save(update_fields=["look"])


class Migration(migrations.Migration):
    dependencies = [("clubs", "0003_team_size")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="look",
            field=models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True),
        ),
        migrations.RunPython(look_at_clubs, migrations.RunPython.noop, elidable=True),
    ]
