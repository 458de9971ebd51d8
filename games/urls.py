from django.urls import path

from . import api
from .live import analysis, coach, comments, http, records
from .views import casual, lessons
from .views import tables as views

app_name = "games"
urlpatterns = [
    path("tables/<slug:slug>/", views.table, name="table"),
    path("games/open-deals/", views.open_deals, name="open_deals"),
    path("games/deal_verifier.py", views.deal_verifier, name="deal_verifier"),
    path("games/<slug:slug>/", views.replay, name="replay"),
    path("play/new/", casual.new, name="casual_new"),
    path("play/quick/", casual.quick, name="quick_seat"),
    path("play/join/", casual.join, name="join"),
    path("play/<slug:code>/", casual.room, name="room"),
    path("play/<slug:code>/<slug:deed>/", casual.deed, name="room_deed"),
    path("games/<slug:slug>/play-on/", views.play_on, name="play_on"),
    path("practice/", views.practice, name="practice"),
    path("learn/", lessons.learn, name="learn"),
    path("learn/<slug:name>/", lessons.lesson, name="lesson"),
    path("api/lessons", api.finish_lessons, name="finish_lessons"),
    path("api/lessons/<slug:name>", api.play_lesson, name="play_lesson"),
    path("api/table-preferences", api.choose_preferences, name="preferences"),
    path("api/tables/<slug:slug>/commands", http.commands, name="commands"),
    path("api/tables/<slug:slug>/events", http.events, name="events"),
    path("api/tables/<slug:slug>/snap", http.snap, name="snap"),
    path("api/tables/<slug:slug>/coach", coach.coach, name="coach"),
    path("api/games/<slug:slug>/record", records.record, name="record"),
    path("api/games/<slug:slug>/record.jsonl", records.export, name="export"),
    path("api/games/<slug:slug>/comments", comments.comments, name="comments"),
    path("api/games/<slug:slug>/comments/<int:number>/remove", comments.remove, name="remove_comment"),
    path("api/games/<slug:slug>/alternatives", comments.alternatives, name="alternatives"),
    path("api/games/<slug:slug>/analysis", analysis.analysis, name="analysis"),
]
