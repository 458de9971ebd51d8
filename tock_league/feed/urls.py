from django.urls import path

from . import views

app_name = "feed"
urlpatterns = [
    path("competitions/<slug:slug>/embed/", views.snippets, name="snippets"),
    path("embed/competitions/<slug:slug>/<slug:part>/", views.competition, name="competition"),
    path("embed/boards/<slug:family>/<int:teams>/<slug:kind>/", views.board, name="board"),
    path("embed/matches/<slug:slug>/overlay/", views.overlay, name="overlay"),
]
