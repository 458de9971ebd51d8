from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("competitions", "0010_competition_versions")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="name",
            field=models.CharField(blank=True, default="", editable=False, max_length=84),
        ),
    ]
