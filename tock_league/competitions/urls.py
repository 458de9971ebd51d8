from django.urls import path

from .views import organiser, public

app_name = "competitions"
urlpatterns = [
    path("competitions/", public.index, name="list"),
    path("competitions/new/", organiser.new_league, name="new"),
    path("competitions/nights/new/", organiser.new_night, name="new_night"),
    path("competitions/seasons/new/", organiser.new_season, name="new_season"),
    path("competitions/<slug:slug>/", public.competition, name="competition"),
    path("competitions/<slug:slug>/matches/", public.match_list, name="matches"),
    path("competitions/<slug:slug>/regulations/", public.regulations, name="regulations"),
    path("competitions/<slug:slug>/organise/", organiser.organise, name="organise"),
    path("competitions/<slug:slug>/organise/enter/", organiser.enter, name="enter"),
    path("competitions/<slug:slug>/organise/withdraw/", organiser.withdraw, name="withdraw"),
    path("competitions/<slug:slug>/organise/calendar/", organiser.make_calendar, name="make_calendar"),
    path("competitions/<slug:slug>/organise/discard/", organiser.discard_calendar, name="discard_calendar"),
    path("competitions/<slug:slug>/organise/draw/", organiser.draw, name="draw"),
    path("competitions/<slug:slug>/organise/state/", organiser.set_state, name="set_state"),
    path("matches/<slug:slug>/", public.match, name="match"),
    path("matches/<slug:slug>/move/", organiser.move, name="move"),
    path("matches/<slug:slug>/award/", organiser.award, name="award"),
    path("tables/<slug:slug>/match/", public.match_of_table, name="match-of-table"),
]
