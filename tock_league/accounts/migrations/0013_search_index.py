from django.db import migrations

from tock_league.common.postgresql import trigrams


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_search_names")]

    operations = [trigrams.index("player_search_name", "accounts_player", "search_name")]
