from django.urls import path

from . import views

app_name = "ratings"
LADDER = "leaderboards/<slug:family>/<int:teams>/"
urlpatterns = [
    path("leaderboards/", views.leaderboards, name="leaderboards"),
    path("leaderboards/method/report/", views.report, name="report"),
    path("leaderboards/method/report/<int:number>.json", views.report_json, name="report_json"),
    path("leaderboards/seasons/end/", views.end_season, name="end_season"),
    path(LADDER, views.ladder, {"kind": "team"}, name="ladder"),
    path(LADDER + "players/", views.ladder, {"kind": "player"}, name="players"),
    path(LADDER + "clubs/", views.clubs_compared, name="clubs"),
    path(LADDER + "seasons/<slug:season>/", views.season, {"kind": "team"}, name="season"),
    path(LADDER + "seasons/<slug:season>/players/", views.season, {"kind": "player"}, name="season_players"),
    path(LADDER + "<int:subject_id>/", views.subject, name="subject"),
    path(LADDER + "<int:subject_id>/against/", views.rivals, name="rivals"),
    path(LADDER + "<int:subject_id>/against/<int:other_id>/", views.against, name="against"),
    path("clubs/<slug:slug>/leaderboard/", views.club, name="club"),
]
