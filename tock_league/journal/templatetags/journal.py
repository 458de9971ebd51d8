"""`{% load journal %}`: what happened and who did it, in words."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

register = template.Library()

# A kind that is not here is shown by its code.
KINDS: dict[str, Promise] = {
    "sealed": _("Sealed until a ruling is public"),
    "role.given": _("A role was given"),
    "role.ended": _("A role ended"),
    "records.dumped": _("The operator printed the records of running games, with their hands"),
    "player.renamed": _("An administrator changed a player’s name"),
    "birth_year.asked_again": _("A player may tell the year of birth again"),
    "register.written": _("An entry was made in the register of incidents"),
    "register.exported": _("The register of incidents was exported"),
    "login.activated": _("A login may sign in again"),
    "login.deactivated": _("A login may no longer sign in"),
    "login.factors_removed": _("The second factors of a login were removed"),
    "login.tokens_revoked": _("The access tokens of a login were revoked"),
    "login.let_in": _("A login was let into the admin"),
    "login.shut_out": _("A login may no longer enter the admin"),
    "erasure.asked": _("Somebody asked by letter to be erased"),
    "person.erased": _("A person was erased and has a pseudonym"),
    "player.merged": _("Two players were merged, because they are one person"),
    "player.separated": _("A merge of two players was undone"),
    "season.ended": _("A season of the leaderboards ended"),
    "club.founded": _("A club was founded"),
    "club.news_sent": _("A club sent news to its members"),
    "club.joined": _("A player joined a club"),
    "club.left": _("A player left a club"),
    "club_role.given": _("A club role was given"),
    "club_role.ended": _("A club role ended"),
    "event.imported": _("An event held elsewhere was imported"),
    "event.import_removed": _("An imported event was removed"),
    "webhook.added": _("A webhook was added"),
    "webhook.changed": _("A webhook hears of other events"),
    "webhook.secret_renewed": _("A webhook has a new secret"),
    "webhook.switched_off": _("A webhook was disabled"),
    "webhook.switched_on": _("A webhook was enabled"),
    "webhook.removed": _("A webhook was deleted"),
    "competition.created": _("The competition was made"),
    "competition.edited": _("The competition was changed"),
    "competition.draft": _("The competition went back to draft"),
    "competition.published": _("The competition was announced"),
    "competition.open": _("Entries opened"),
    "competition.closed": _("Entries closed"),
    "competition.running": _("The competition is under way"),
    "competition.suspended": _("The competition was suspended"),
    "competition.finished": _("The competition ended"),
    "competition.archived": _("The competition was archived"),
    "competition.cancelled": _("The competition was cancelled"),
    "entry.registered": _("A team registered"),
    "entry.confirmed": _("A player confirmed the entry"),
    "entry.accepted": _("An entry was accepted"),
    "entry.admitted": _("An entry was admitted after all"),
    "entry.waitlisted": _("An entry is on the waiting list"),
    "entry.refused": _("An entry was refused"),
    "entry.withdrawn": _("A team withdrew"),
    "entry.dropped": _("A team was not here in time"),
    "entry.checked_in": _("A team checked in"),
    "entry.disqualified": _("A team was disqualified"),
    "entry.reinstated": _("A team is in the competition again"),
    "entry.brought_back": _("A team that had withdrawn plays on"),
    "entry.late": _("A team was entered after the start"),
    "entry.late_taken_back": _("A late entry was taken back"),
    "player.checked_in": _("A player checked in"),
    "player.checked_out": _("A check-in was taken back"),
    "roster.changed": _("A roster changed"),
    "seeds.given": _("Seeds were given"),
    "draw.made": _("The draw was made"),
    "draw.discarded": _("The draw was taken back"),
    "round.published": _("The pairings of a round were published"),
    "round.opened": _("A round began"),
    "stage.qualified": _("The next stage knows its teams"),
    "match.moved": _("A match got another date"),
    "match.seated": _("A match knows its teams"),
    "tie.settled": _("A tie was settled"),
    "ranks.written": _("The final ranks were written"),
    "result.recorded": _("A result was recorded"),
    "result.signed": _("A result was signed"),
    "result.corrected": _("A result was corrected"),
    "effect.applied": _("An effect of a ruling was applied"),
    "effect.lifted": _("An effect of a ruling was lifted"),
    "case.filed": _("A case was filed"),
    "case.stated": _("A statement was made to the referee"),
    "case.answered": _("The other side answered"),
    "case.unanswered": _("Nobody answered the call; play went on"),
    "case.escalated": _("A case went to the head referee"),
    "case.deadline_passed": _("A deadline passed"),
    "case.dismissal_proposed": _("A referee proposed not to admit a case"),
    "case.dismissal_refused": _("A second referee wants a case heard"),
    "case.ruling_proposed": _("A decision waits for a second signature"),
    "case.ruling_refused": _("A second referee did not sign"),
    "case.dismissed": _("A case was not admitted"),
    "case.withdrawn": _("A case was taken back"),
    "case.became_final": _("A ruling became final"),
    "lease.taken": _("A referee took a case"),
    "lease.renewed": _("A referee keeps a case"),
    "lease.released": _("A referee gave a case back"),
    "lease.expired": _("A referee’s hold on a case ran out"),
    "lease.lost": _("A referee lost a case with the role"),
    "seat.viewed": _("A referee looked at a seat’s cards"),
    "referee.recused": _("A referee stepped aside"),
    "outsider.named": _("A referee from outside was named"),
    "ruling.signed": _("A ruling was signed"),
    "ruling.superseded": _("A ruling was superseded"),
    "appeal.filed": _("An appeal was filed"),
    "appeal.answered": _("The other side replied to an appeal"),
    "appeal.ruled": _("The appeal was ruled"),
    "panel.formed": _("The appeal panel was formed"),
    "panel.replaced": _("A member of the appeal panel was replaced"),
    "vote.cast": _("A member of the panel voted"),
}
ACTORS: dict[str, Promise] = {
    "system": pgettext_lazy("who did it", "the site"),
    "visitor": pgettext_lazy("who did it", "a visitor"),
}


@register.simple_tag
def kind(code: str) -> str:
    """Return what happened, such as “A role was given”; the code itself where there are no words for it."""
    return str(KINDS.get(code, code))


@register.simple_tag
def actor(label: str) -> str:
    """Return who did it, where it is no player with a page."""
    return str(ACTORS[label]) if label in ACTORS else gettext("somebody who is no longer here")
