from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0004_evaluation_reports"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="ratedresult",
            index=models.Index(
                condition=models.Q(("revision__gt", 1)), fields=["ladder", "-created_at"], name="result_corrections"
            ),
        ),
    ]
