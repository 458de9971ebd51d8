from django.db import migrations

from tock_league.common.postgresql import trigrams


class Migration(migrations.Migration):
    dependencies = [("clubs", "0008_search_names")]

    operations = [trigrams.index("team_search_name", "clubs_team", "search_name")]
