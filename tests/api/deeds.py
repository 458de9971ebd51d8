"""Who may do what over the API: every operation of the document that writes, and those that read what an office shows."""

from typing import Any

WHO = ("visitor", "stranger", "player", "captain", "club_organiser", "strange_club_organiser", "referee")
NOBODY: set[str] = set()
ALL = set(WHO) - {"visitor"}
DESK = {"club_organiser"}
OFFICIALS = {"club_organiser", "referee"}
TEAM = {"captain", "club_organiser"}
ROSTER = {"captain", "club_organiser", "referee"}
RULING = {"outcome": "dismissed", "facts": "Rien.", "reasons": "Rien."}
GAMES = [{"winner": 0, "margin": 1}]
SIGNED = {"reason": "Parce que.", "digest": "0" * 64}
# By method and path: the address with names of `Things`, the body, and who gets further than “you may not”.
DEEDS: dict[str, tuple[str, Any, set[str]]] = {
    "post competitions": ("competitions", {"name": "Coupe", "club": "{club}", "starts_at": "2027-01-01T00:00Z"}, DESK),
    "patch competitions/{slug}/settings": ("competitions/{event}/settings", {"places": 16}, DESK),
    "post competitions/{slug}/step": ("competitions/{event}/step", {"code": "close"}, DESK),
    "post competitions/{slug}/countdown": ("competitions/{event}/countdown", {"code": "start", "minutes": 5}, DESK),
    "post competitions/{slug}/cancel-countdown": ("competitions/{event}/cancel-countdown", None, DESK),
    "post competitions/{slug}/state": ("competitions/{event}/state", {"to": "cancelled", "reason": "Verglas."}, DESK),
    "post competitions/{slug}/seeds": ("competitions/{event}/seeds", {"how": "rating"}, DESK),
    "post competitions/{slug}/take-back-draw": ("competitions/{event}/take-back-draw", None, DESK),
    "post competitions/{slug}/ties": ("competitions/{drawn}/ties", {"group": "", "how": "lots"}, DESK),
    "post competitions/{slug}/entries": ("competitions/{empty}/entries", {"team": "{team}"}, TEAM),
    "post entries/{slug}/answer": ("entries/{entry}/answer", {"accept": True}, {"captain"}),
    "post entries/{slug}/check-in": ("entries/{entry}/check-in", {"player": "{captain}", "here": True}, ROSTER),
    "post entries/{slug}/substitute": ("entries/{entry}/substitute", {"leaves": "{captain}", "comes": "{player}"}, ROSTER),
    "post entries/{slug}/substitutes": ("entries/{entry}/substitutes", {"player": "{player}"}, ROSTER),
    "post entries/{slug}/admit": ("entries/{entry}/admit", None, DESK),
    "post entries/{slug}/refuse": ("entries/{entry}/refuse", {"reason": "Trop tard."}, TEAM),
    "post entries/{slug}/leave": ("entries/{entry}/leave", {"how": "withdrawal"}, TEAM),
    "post entries/{slug}/come-back": ("entries/{playing}/come-back", SIGNED, OFFICIALS),
    "post matches/{slug}/report": ("matches/{match}/report", {"games": GAMES}, {"captain"}),
    "post matches/{slug}/accept": ("matches/{match}/accept", {"seen": 1}, {"captain"}),
    "post matches/{slug}/certify": ("matches/{match}/certify", {"games": GAMES}, OFFICIALS),
    "post matches/{slug}/forfeit": ("matches/{match}/forfeit", {"position": 0, "reason": "x"}, OFFICIALS | {"captain"}),
    "post matches/{slug}/no-show": ("matches/{match}/no-show", {"position": 0, "reason": "x"}, OFFICIALS),
    "post matches/{slug}/table": ("matches/{match}/table", {"table": 1}, OFFICIALS),
    "post matches/{slug}/move": ("matches/{match}/move", {"starts_at": "2026-12-01T00:00Z"}, DESK),
    "post matches/{slug}/place": ("matches/{match}/place", {"what": "decide", "on_board": True}, OFFICIALS),
    "post matches/{slug}/corrections": ("matches/{match}/corrections", {"kind": "reopen", **SIGNED}, OFFICIALS),
    "post matches/{slug}/corrections/preview": ("matches/{match}/corrections/preview", {"kind": "reopen"}, OFFICIALS),
    "post matches/{slug}/corrections/{number}/take-back": (
        "matches/{match}/corrections/1/take-back", SIGNED, OFFICIALS,
    ),
    "post clubs": ("clubs", {"name": "Tock de la Tuque", "town": "La Tuque"}, ALL),
    "patch clubs/{slug}": ("clubs/{club}", {"about": "Le mercredi."}, NOBODY),
    "post clubs/{slug}/join": ("clubs/{club}/join", {"home": False}, ALL),
    "post clubs/{slug}/leave": ("clubs/{club}/leave", None, ALL),
    "post clubs/{slug}/talk": ("clubs/{club}/talk", {"is_open": False}, NOBODY),
    "post clubs/{slug}/teams": ("clubs/{club}/teams", {"name": "Deux", "players": ["{player}", "{captain}"]}, DESK),
    "post teams": ("teams", {"name": "Les Libres"}, ALL),
    "patch teams/{slug}": ("teams/{team}", {"name": "Les Autres"}, {"captain"}),
    "get teams/{slug}/places": ("teams/{team}/places", None, {"captain"}),
    "post teams/{slug}/lineup": ("teams/{team}/lineup", {"player": "{captain}", "slot": 2}, {"captain"}),
    "post teams/{slug}/invitations": ("teams/{team}/invitations", {"player": "{stranger}", "slot": 4}, {"captain"}),
    "post teams/{slug}/invitations/{id}/revoke": ("teams/{team}/invitations/{invitation}/revoke", None, {"captain"}),
    "post teams/{slug}/leave": ("teams/{team}/leave", None, ALL),
    "post teams/{slug}/remove": ("teams/{team}/remove", {"player": "{partner}"}, {"captain"}),
    "post teams/{slug}/dissolve": ("teams/{team}/dissolve", None, {"captain"}),
    "post teams/{slug}/follow": ("teams/{team}/follow", None, ALL),
    "post teams/{slug}/unfollow": ("teams/{team}/unfollow", None, ALL),
    "post players/{slug}/follow": ("players/{partner}/follow", None, ALL),
    "post players/{slug}/unfollow": ("players/{partner}/unfollow", None, ALL),
    "post games/{slug}/disputes": ("games/{game}/disputes", {"seq": 1, "kind": "clock", "text": "x"}, {"captain"}),
    "post matches/{slug}/disputes": (
        "matches/{match}/disputes", {"kind": "result", "asks": "open", "text": "x"}, {"captain"},
    ),
    "get competitions/{slug}/cases": ("competitions/{league}/cases", None, OFFICIALS),
    "get cases/{number}": ("cases/{case}", None, OFFICIALS | {"captain"}),
    "post cases/{number}/answer": ("cases/{case}/answer", {"text": "x"}, NOBODY),  # the captain opened it
    "post cases/{number}/add": ("cases/{case}/add", {"text": "x"}, {"captain"}),
    "post cases/{number}/reply": ("cases/{case}/reply", {"text": "x"}, {"captain"}),
    "post cases/{number}/withdraw": ("cases/{case}/withdraw", None, {"captain"}),
    "post cases/{number}/appeal": ("cases/{case}/appeal", {"grounds": "fact", "text": "x"}, {"captain"}),
    "post cases/{number}/take": ("cases/{case}/take", None, {"referee"}),
    "post cases/{number}/renew": ("cases/{case}/renew", None, {"referee"}),
    "post cases/{number}/release": ("cases/{case}/release", None, {"referee"}),
    "post cases/{number}/recuse": ("cases/{case}/recuse", {"reason": "x"}, {"referee"}),
    "post cases/{number}/escalate": ("cases/{case}/escalate", {"reason": "x"}, {"referee"}),
    "post cases/{number}/seat": ("cases/{case}/seat", {"seat": 0}, {"referee"}),
    "post cases/{number}/dismiss": ("cases/{case}/dismiss", {"reason": "x"}, {"referee"}),
    "post cases/{number}/agree": ("cases/{case}/agree", None, {"referee"}),
    "post cases/{number}/disagree": ("cases/{case}/disagree", {"reason": "x"}, {"referee"}),
    "post cases/{number}/refuse": ("cases/{case}/refuse", {"reason": "x"}, {"referee"}),
    "post cases/{number}/review": ("cases/{case}/review", {"reason": "x"}, NOBODY),  # head referees
    "get cases/{number}/choices": ("cases/{case}/choices", None, {"referee"}),
    "post cases/{number}/draft": ("cases/{case}/draft", RULING, {"referee"}),
    "post cases/{number}/ruling/preview": ("cases/{case}/ruling/preview", RULING, {"referee"}),
    "post cases/{number}/ruling": ("cases/{case}/ruling", {**RULING, "digest": "x"}, {"referee"}),
    "get cases/{number}/second-signature": ("cases/{case}/second-signature", None, {"referee"}),
    "post cases/{number}/second-signature": ("cases/{case}/second-signature", {"digest": "x"}, {"referee"}),
    "post cases/{number}/panel": ("cases/{case}/panel", None, DESK),
    "post cases/{number}/vote": ("cases/{case}/vote", {"vote": "uphold", "note": "x"}, NOBODY),  # its panel
    "post cases/{number}/panel/ruling": ("cases/{case}/panel/ruling", {"reasons": "x"}, NOBODY),
    "post seasons": ("seasons", {"name": "Hiver", "starts_on": "2027-01-01", "ends_on": "2027-03-01"}, NOBODY),
    "post leagues": ("leagues", {"name": "Ligue du jeudi", "season": "x", "club": "{club}"}, DESK),
    "post nights": ("nights", {"name": "Soirée", "club": "{club}"}, DESK),
    "post competitions/{slug}/calendar": ("competitions/{league}/calendar", {"first": "2027-01-01T00:00Z"}, DESK),
    "post competitions/{slug}/take-back-calendar": ("competitions/{league}/take-back-calendar", None, DESK),
    "post competitions/{slug}/draw-partners": (
        "competitions/{league}/draw-partners", {"players": ["{player}", "{captain}"], "starts_at": "2027-01-01T00:00Z"}, DESK,
    ),
    "get competitions/{slug}/late": ("competitions/{event}/late?team={team}", None, DESK),
    "post competitions/{slug}/late": ("competitions/{event}/late", {"team": "{team}", "digest": "x"}, DESK),
    "get entries/{slug}/take-back-late": ("entries/{entry}/take-back-late", None, DESK),
    "post entries/{slug}/take-back-late": ("entries/{entry}/take-back-late", {"digest": "x"}, DESK),
    "get competitions/{slug}/settings": ("competitions/{event}/settings", None, DESK),
    "get competitions/{slug}/step": ("competitions/{event}/step", None, DESK),
    "get competitions/{slug}/pairing": ("competitions/{event}/pairing", None, DESK),
    "post competitions/{slug}/wish": (
        "competitions/{event}/wish", {"kind": "apart", "one": "{entry}", "other": "{entry}", "reason": "x"}, DESK,
    ),
    "post competitions/{slug}/wishes/{id}/take-back": ("competitions/{event}/wishes/1/take-back", None, DESK),
    "post competitions/{slug}/exchange": (
        "competitions/{event}/exchange", {"what": "places", "one": "{entry}", "other": "{entry}", "reason": "x"}, DESK,
    ),
    "post competitions/{slug}/new-seed": ("competitions/{event}/new-seed", {"reason": "x"}, DESK),
    "get competitions/{slug}/ties": ("competitions/{drawn}/ties", None, DESK),
    "get entries/{slug}/leaving": ("entries/{entry}/leaving", None, TEAM),
    "get entries/{slug}/coming-back": ("entries/{playing}/coming-back", None, OFFICIALS),
    "get matches/{slug}/paper": ("matches/{match}/paper", None, OFFICIALS | {"captain"}),
    "get matches/{slug}/corrections/{number}/take-back": ("matches/{match}/corrections/1/take-back", None, OFFICIALS),
    "post me/notices/{id}/seen": ("me/notices/{notice}/seen", None, {"player"}),
    "post me/notices/seen": ("me/notices/seen", None, ALL),
    "post me/invitations/{id}/answer": ("me/invitations/{invitation}/answer", {"accept": True}, {"player"}),
}  # fmt: skip
