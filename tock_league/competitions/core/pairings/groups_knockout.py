"""A kind of tournament in two formats: round-robin groups, then a bracket of the best `qualify` of each.

Page: docs/formats/groups.md.
"""

from ..kind import BRACKET, GROUP, MAX_GROUPS, MAX_QUALIFY, PlanError, Settings, StagePlan, Texts, bracket_games

GROUPS, FINALS = "round_robin/1", "knockout/1"


class GroupsThenKnockout:
    """Groups, then a knockout of the best of each group."""

    key = "groups_knockout"
    place = 1
    fields = ("groups", "qualify", "legs", "third_place", "best_of_semi", "late_rounds")

    def check(self, plan: Settings) -> None:
        """Raise PlanError if groups, qualify or legs is out of its range."""
        if not 1 <= plan.groups <= MAX_GROUPS:
            raise PlanError("plan_groups", "groups")
        if not 1 <= plan.qualify <= MAX_QUALIFY or plan.groups * plan.qualify < 2:
            raise PlanError("plan_qualify", "qualify")
        if plan.legs not in (1, 2):
            raise PlanError("plan_legs", "legs")

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries: two or `qualify` per group, whichever is more."""
        return max(2 * plan.groups, plan.groups * plan.qualify)

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the groups, then the bracket."""
        groups = StagePlan(GROUPS, {"legs": plan.legs}, GROUP, groups=plan.groups, qualify=plan.qualify)
        return (groups, StagePlan(FINALS, {"third_place": plan.third_place}, BRACKET))

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Groups, then a knockout: everybody plays several matches, the best play on")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description with the number of groups."""
        words = texts.ngettext("%(groups)s group, then a bracket", "%(groups)s groups, then a bracket", plan.groups)
        return words % {"groups": plan.groups}

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentences on qualification and the match for third place."""
        on = texts.ngettext(
            "%(qualify)s team of each group goes on into the bracket.",
            "%(qualify)s teams of each group go on into the bracket.",
            plan.qualify,
        )
        third = [texts.gettext("The losers of the semi-finals play for third place.")] if plan.third_place else []
        return [on % {"qualify": plan.qualify}, *third]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match: in the groups, before the final and in the final."""
        groups = texts.gettext("groups %(games)s") % {"games": plan.games(GROUP)}
        return groups + ", " + bracket_games(plan, texts)


KIND = GroupsThenKnockout()
