from django.urls import path

from . import views

app_name = "calendars"
urlpatterns = [
    path("profile/calendars/", views.mine, name="mine"),
    path("profile/calendars/<slug:kind>/renew/", views.renew, name="renew"),
    path("profile/calendars/<slug:kind>/stop/", views.stop, name="stop"),
    path("calendars/own/<slug:secret>.ics", views.own, {"kind": "player"}, name="player"),
    path("calendars/referee/<slug:secret>.ics", views.own, {"kind": "referee"}, name="referee"),
    path("calendars/teams/<slug:slug>.ics", views.team, name="team"),
    path("calendars/clubs/<slug:slug>.ics", views.club, name="club"),
    path("calendars/competitions/<slug:slug>.ics", views.competition, name="competition"),
    path("calendars/seasons/<slug:slug>.ics", views.season, name="season"),
    path("calendars/matches/<slug:slug>.ics", views.match, name="match"),
]
