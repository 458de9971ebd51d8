from django.urls import path

from . import views

app_name = "clubs"
urlpatterns = [
    path("clubs/", views.index, name="list"),
    path("clubs/new/", views.found, name="found"),
    path("clubs/<slug:slug>/edit/", views.edit, name="edit"),
    path("clubs/<slug:slug>/join/", views.join, name="join"),
    path("clubs/<slug:slug>/leave/", views.leave, name="leave"),
    path("clubs/<slug:slug>/teams/new/", views.form_team, name="form_team"),
    path("clubs/<slug:slug>/roles/", views.give_role, name="give_role"),
    path("clubs/<slug:slug>/roles/end/", views.end_role, name="end_role"),
]
