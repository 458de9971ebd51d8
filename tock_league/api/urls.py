from django.urls import path
from rest_framework.routers import SimpleRouter

from .views import (
    cases,
    clubs,
    documents,
    draw_by_hand,
    entering,
    events,
    hall,
    leagues,
    me,
    notices,
    organising,
    people,
    play,
    records,
    results,
    ruling,
    tables,
)

app_name = "api"
router = SimpleRouter(trailing_slash=False)
router.register("players", people.Players, basename="players")
router.register("players", clubs.PlayerDeeds, basename="player-deeds")
router.register("clubs", people.Clubs, basename="clubs")
router.register("clubs", clubs.ClubDeeds, basename="club-deeds")
router.register("teams", people.Teams, basename="teams")
router.register("teams", clubs.TeamDeeds, basename="team-deeds")
router.register("competitions", events.Competitions, basename="competitions")
router.register("competitions", organising.Organising, basename="organising")
router.register("competitions", hall.Halls, basename="halls")
router.register("competitions", draw_by_hand.DrawByHand, basename="draw-by-hand")
router.register("competitions", leagues.Calendars, basename="calendars")
router.register("seasons", leagues.Seasons, basename="seasons")
router.register("leagues", leagues.Leagues, basename="leagues")
router.register("nights", leagues.Nights, basename="nights")
router.register("entries", leagues.LateEntries, basename="late-entries")
router.register("entries", events.Entries, basename="entries")
router.register("entries", entering.Entering, basename="entering")
router.register("matches", events.Matches, basename="matches")
router.register("matches", results.Results, basename="results")
router.register("rule-sets", records.RuleSets, basename="rule-sets")
router.register("games", records.Games, basename="games")
router.register("ladders", records.Ladders, basename="ladders")
router.register("competitions", cases.Queue, basename="queue")
router.register("games", cases.GameDisputes, basename="game-disputes")
router.register("matches", cases.ResultDisputes, basename="result-disputes")
router.register("cases", cases.Cases, basename="cases")
router.register("cases", ruling.Ruling, basename="judging")
router.register("me/notices", notices.Notices, basename="notices")
router.register("me/cases", cases.OwnCases, basename="own-cases")
router.register("rulings", records.Rulings, basename="rulings")
router.register("journal", records.Journal, basename="journal")
router.register("me/invitations", me.Invitations, basename="invitations")
# Casual tables, and play over HTTP.
router.register("tables", tables.Tables, basename="tables")
router.register("me/tables", tables.OwnTables, basename="own-tables")

urlpatterns = [
    path("", documents.console, name="console"),
    path("schema", documents.document, name="schema"),
    path("asyncapi", documents.sockets, name="asyncapi"),
    path("play/<slug:table>", play.state, name="play-state"),
    path("play/<slug:table>/events", play.events, name="play-events"),
    path("play/<slug:table>/commands", play.commands, name="play-commands"),
    path("me", me.Me.as_view({"get": "retrieve"}), name="me"),
    *router.urls,
]
