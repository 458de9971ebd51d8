from collections import defaultdict

from django.db import migrations

from ratings.core.clubs import mean_milli


def fill(apps, schema_editor):
    """Copy `listed` of the subjects, and count the clubs of each live generation."""
    rating, subject = apps.get_model("ratings", "Rating"), apps.get_model("ratings", "Subject")
    rating.objects.filter(subject__in=subject.objects.filter(listed=False)).update(listed=False)
    membership, score = apps.get_model("clubs", "Membership"), apps.get_model("ratings", "ClubScore")
    homes = dict(membership.objects.filter(home=True, until__isnull=True).values_list("player_id", "club_id"))
    for generation in apps.get_model("ratings", "Generation").objects.filter(state="live"):
        found = defaultdict(list)
        rows = rating.objects.filter(generation=generation, kind="player", on_club=True).order_by("-score_milli")
        for key, milli in rows.values_list("subject__key", "score_milli").iterator(2000):
            if int(key) in homes:
                found[homes[int(key)]].append(milli)
        score.objects.bulk_create(
            [
                score(generation=generation, club_id=club, eligible=len(scores), mean_milli=mean_milli(scores))
                for club, scores in sorted(found.items())
            ],
            batch_size=500,
        )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0002_board_reads")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
