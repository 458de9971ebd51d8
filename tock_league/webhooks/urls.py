from django.urls import path

from . import views

app_name = "webhooks"
urlpatterns = [
    path("clubs/<slug:slug>/webhooks/", views.of_club, name="club"),
    path("competitions/<slug:slug>/webhooks/", views.of_competition, name="competition"),
    path("webhooks/<slug:slug>/", views.one, name="one"),
    path("webhooks/<slug:slug>/ping/", views.ping, name="ping"),
    path("webhooks/<slug:slug>/secret/", views.secret, name="secret"),
    path("webhooks/<slug:slug>/switch/", views.switch, name="switch"),
    path("webhooks/<slug:slug>/delete/", views.remove, name="remove"),
    path("webhooks/<slug:slug>/again/<int:pk>/", views.again, name="again"),
]
