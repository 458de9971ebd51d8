from django.urls import path

from .views import clubs, following, news, teams

app_name = "clubs"
urlpatterns = [
    path("clubs/", clubs.index, name="list"),
    path("clubs/new/", clubs.found, name="found"),
    path("clubs/<slug:slug>/edit/", clubs.edit, name="edit"),
    path("clubs/<slug:slug>/talk/", clubs.talk, name="talk"),
    path("clubs/<slug:slug>/news/", news.news, name="news"),
    path("clubs/<slug:slug>/news/<slug:news>/delete/", news.remove, name="remove_news"),
    path("clubs/<slug:slug>/join/", clubs.join, name="join"),
    path("clubs/<slug:slug>/leave/", clubs.leave, name="leave"),
    path("clubs/<slug:slug>/teams/new/", clubs.form_team, name="form_team"),
    path("clubs/<slug:slug>/roles/", clubs.give_role, name="give_role"),
    path("clubs/<slug:slug>/roles/end/", clubs.end_role, name="end_role"),
    path("teams/new/", teams.found, name="found_team"),
    path("teams/invitations/<slug:token>/", teams.invitation, name="invitation"),
    path("teams/invitations/<slug:token>/answer/", teams.answer_link, name="answer_link"),
    path("teams/<slug:slug>/edit/", teams.edit, name="edit_team"),
    path("teams/<slug:slug>/size/", teams.resize, name="resize_team"),
    path("teams/<slug:slug>/invite/", teams.invite, name="invite"),
    path("teams/<slug:slug>/invite/player/", teams.invite_player, name="invite_player"),
    path("teams/<slug:slug>/invite/link/", teams.invite_link, name="invite_link"),
    path("teams/<slug:slug>/places/", teams.set_place, name="set_place"),
    path("teams/<slug:slug>/leave/", teams.leave, name="leave_team"),
    path("teams/<slug:slug>/remove/<slug:player>/", teams.remove, name="remove_player"),
    path("teams/<slug:slug>/dissolve/", teams.dissolve, name="dissolve"),
    path("teams/<slug:slug>/follow/", following.follow_team, name="follow_team"),
    path("teams/<slug:slug>/unfollow/", following.unfollow_team, name="unfollow_team"),
    path("players/<slug:slug>/follow/", following.follow_player, name="follow_player"),
    path("players/<slug:slug>/unfollow/", following.unfollow_player, name="unfollow_player"),
    path("invitations/<int:pk>/revoke/", teams.revoke, name="revoke"),
    path("invitations/<int:pk>/answer/", teams.answer, name="answer"),
]
