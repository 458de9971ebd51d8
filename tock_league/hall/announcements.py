"""The facts of a hall that the live feed tells beside those of competitions.

They have no meaning outside the hall, so webhooks are not offered them.
"""

CLOCK, SAID, SCREEN = "clock.changed", "announcement.changed", "screen.changed"
FACTS = (CLOCK, SAID, SCREEN)
