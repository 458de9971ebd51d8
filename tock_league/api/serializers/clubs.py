"""Bodies about clubs and teams, and the places of a team."""

from rest_framework import serializers as s

from tock_league.clubs.models import MOST_PLACES, NAME_LENGTH, SIZES, TEAM_NAME_LENGTH

from .base import Asked, Time, Told
from .people import PlayerRef

SLOT = "1 is the captain; numbers above the team's size are substitutes."


class NewClub(Asked):
    name = s.CharField(max_length=NAME_LENGTH)
    town = s.CharField(max_length=NAME_LENGTH)
    about = s.CharField(max_length=200, required=False, allow_blank=True, help_text="Where and when the club plays.")


class ClubChange(NewClub):
    name = s.CharField(max_length=NAME_LENGTH, required=False)
    town = s.CharField(max_length=NAME_LENGTH, required=False)


class Joining(Asked):
    home = s.BooleanField(required=False, default=True, help_text="Whether it becomes the home club.")


class Talk(Asked):
    is_open = s.BooleanField(help_text="Whether players may talk after the club's games.")


class TeamOfMembers(Asked):
    name = s.CharField(max_length=TEAM_NAME_LENGTH)
    players = s.ListField(
        child=s.CharField(max_length=16),
        min_length=2,
        max_length=4,
        help_text="The slugs of members of the club, who are not asked; the captain first.",
    )


class NewTeam(Asked):
    name = s.CharField(max_length=TEAM_NAME_LENGTH)
    size = s.ChoiceField(choices=list(SIZES), required=False, help_text="How many sit at a table; 2 if left out.")
    club = s.CharField(max_length=60, required=False, allow_null=True, help_text="The slug of a club; null: none.")


class TeamChange(Asked):
    name = s.CharField(max_length=TEAM_NAME_LENGTH, required=False)
    size = s.ChoiceField(choices=list(SIZES), required=False, help_text="Until somebody else has joined.")


class Offer(Asked):
    player = s.CharField(max_length=16, help_text="The slug of the player.")
    slot = s.IntegerField(min_value=2, max_value=MOST_PLACES, help_text=SLOT)


class Placing(Asked):
    player = s.CharField(max_length=16, help_text="The slug of a player of the team.")
    slot = s.IntegerField(
        min_value=1, max_value=MOST_PLACES, help_text=f"{SLOT} Who is there takes the player's place."
    )


class Named(Asked):
    player = s.CharField(max_length=16, help_text="The slug of a player of the team.")


class OpenOffer(Told):
    id = s.IntegerField(source="pk")
    player = PlayerRef(allow_null=True, help_text="null: whoever opens its link first.")
    expires_at = Time()


class Place(Told):
    slot = s.IntegerField()
    starts = s.BooleanField(help_text="Whether the player in this place sits at the table.")
    player = PlayerRef(source="spell.player", default=None, allow_null=True)
    invitation = OpenOffer(allow_null=True, help_text="The invitation that waits for an answer.")


class Follows(Told):
    follows = s.BooleanField()
