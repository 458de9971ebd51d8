from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_player_look")]

    operations = [
        migrations.AlterField(
            model_name="player",
            name="look",
            field=models.CharField(blank=True, db_index=True, default="", editable=False, max_length=64),
        ),
    ]
