from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="role",
            name="role_name",
        ),
        migrations.AlterField(
            model_name="role",
            name="name",
            field=models.CharField(
                choices=[
                    ("administrator", "administrator"),
                    ("organiser", "organiser"),
                    ("referee", "referee"),
                    ("head_referee", "head referee"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="role",
            constraint=models.CheckConstraint(
                condition=models.Q(("name__in", ["administrator", "organiser", "referee", "head_referee"])),
                name="role_name",
            ),
        ),
    ]
