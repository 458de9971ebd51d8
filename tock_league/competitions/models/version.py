"""The number by which pages know whether what they keep of a competition is still right."""

from django.db import models

from .competition import Competition


class CompetitionVersion(models.Model):
    """A number that is another one after each transaction that may have changed the competition's standings or bracket.

    Drawn at random and not counted, so that a version never comes again: neither after a transaction that was rolled back,
    nor in a database that was restored from a copy (decision 0056). A row of its own, because many statements write whole
    rows of Competition.
    """

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="version")
    number = models.BigIntegerField()

    def __str__(self) -> str:
        return f"version {self.number} of {self.competition_id}"
