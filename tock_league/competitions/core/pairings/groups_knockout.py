"""A kind of tournament in two formats: round-robin groups, then a bracket of the best `qualify` of each.

Page: docs/formats/groups.md.
"""

from ..kind import (
    BRACKET,
    BY_FIELD,
    GROUP,
    MAX_GROUPS,
    MAX_QUALIFY,
    MOST_ENTRIES,
    PlanError,
    Settings,
    StagePlan,
    Texts,
    bracket_games,
)

GROUPS, FINALS = "round_robin/1", "knockout/1"


class GroupsThenKnockout:
    """Groups, then a knockout of the best of each group."""

    key = "groups_knockout"
    place = 1
    most = MOST_ENTRIES
    fields = ("groups", "qualify", "berths", "legs", "third_place", "best_of_semi", "late_rounds")

    def check(self, plan: Settings) -> None:
        """Raise PlanError if groups, qualify or legs is out of its range."""
        if not 1 <= plan.groups <= MAX_GROUPS:
            raise PlanError("plan_groups", "groups")
        if plan.berths > plan.groups * MAX_QUALIFY:
            raise PlanError("plan_berths", "berths")
        if not plan.berths and not 1 <= plan.qualify <= MAX_QUALIFY:
            raise PlanError("plan_qualify", "qualify")
        if not plan.berths and plan.groups * plan.qualify < 2:
            raise PlanError("plan_qualify", "qualify")
        if plan.legs not in (1, 2):
            raise PlanError("plan_legs", "legs")

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries: two per group, or as many as advance from one, whichever is more."""
        return plan.groups * self.stages(plan)[0].needs

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the groups, then the bracket."""
        qualify, best = divmod(plan.berths, plan.groups) if plan.berths > 0 else (plan.qualify, 0)
        if plan.berths == BY_FIELD:
            qualify = 1  # at least; the field is not known yet
        groups = StagePlan(GROUPS, {"legs": plan.legs}, GROUP, groups=plan.groups, qualify=qualify, best=best)
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
        third = [texts.gettext("The losers of the semi-finals play for third place.")] if plan.third_place else []
        if plan.berths == BY_FIELD:
            half = texts.gettext(
                "The bracket has the largest of the sizes 2, 4, 8, 16, 32 that is at most half of the field; the best of the "
                "next rank of all groups fill it up."
            )
            return [half, *third]
        if plan.berths:
            stage = self.stages(plan)[0]
            told = {"berths": plan.berths, "qualify": stage.qualify, "best": stage.best, "rank": stage.qualify + 1}
            if not stage.best:
                all_in_all = texts.gettext("%(berths)s teams go on into the bracket, %(qualify)s of each group.")
            elif stage.qualify:
                all_in_all = texts.gettext(
                    "%(berths)s teams go on into the bracket: %(qualify)s of each group, and the best %(best)s of those with "
                    "rank %(rank)s."
                )
            else:
                all_in_all = texts.gettext(
                    "%(berths)s teams go on into the bracket: the best of the winners of the groups."
                )
            return [all_in_all % told, *third]
        on = texts.ngettext(
            "%(qualify)s team of each group goes on into the bracket.",
            "%(qualify)s teams of each group go on into the bracket.",
            plan.qualify,
        )
        return [on % {"qualify": plan.qualify}, *third]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match: in the groups, before the final and in the final."""
        groups = texts.gettext("groups %(games)s") % {"games": plan.games(GROUP)}
        return groups + ", " + bracket_games(plan, texts)


KIND = GroupsThenKnockout()
