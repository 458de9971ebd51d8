from django.urls import path
from rest_framework.routers import SimpleRouter

from .views import documents, events, me, people, play, records, tables

app_name = "api"
router = SimpleRouter(trailing_slash=False)
router.register("players", people.Players, basename="players")
router.register("clubs", people.Clubs, basename="clubs")
router.register("teams", people.Teams, basename="teams")
router.register("competitions", events.Competitions, basename="competitions")
router.register("entries", events.Entries, basename="entries")
router.register("matches", events.Matches, basename="matches")
router.register("rule-sets", records.RuleSets, basename="rule-sets")
router.register("games", records.Games, basename="games")
router.register("ladders", records.Ladders, basename="ladders")
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
