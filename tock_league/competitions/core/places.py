"""What may be asked about the place of a match: a board in a room, or a table of the site."""

PROPOSE, ACCEPT, DECLINE, WITHDRAW, DECIDE = DEEDS = ("propose", "accept", "decline", "withdraw", "decide")
