from django.urls import path

from . import views
from .prints import views as prints

app_name = "exports"
urlpatterns = [
    path("competitions/<slug:slug>/print/", prints.page, name="print"),
    path("competitions/<slug:slug>/room/", prints.in_the_room, name="room"),
    path("competitions/<slug:slug>/print/<slug:what>.pdf", prints.sheet, name="print_sheet"),
    path("exports/competitions/<slug:slug>/event.json", views.event, name="event"),
    path("exports/competitions/<slug:slug>/games.jsonl", views.records, name="games"),
    path("exports/competitions/<slug:slug>/event.trf", views.chess, name="chess"),
    path("exports/clubs/<slug:slug>/<slug:table>.<slug:form>", views.of_club, name="club"),
    path("exports/competitions/<slug:slug>/<slug:table>.<slug:form>", views.of_competition, name="competition"),
    path("exports/leaderboards/<slug:family>/<int:teams>/<slug:kind>.<slug:form>", views.board, name="board"),
    path(
        "exports/leaderboards/<slug:family>/<int:teams>/seasons/<slug:season>/<slug:kind>.<slug:form>",
        views.season,
        name="season",
    ),
    path("exports/journal/<stream:name>.<slug:form>", views.journal, name="journal"),
]
