from django.urls import path, re_path

from . import install, play, views

app_name = "pages"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", play.play, name="play"),
    path("play/<slug:code>/people/", play.invite, name="invite"),
    path("tonight/", views.tonight, name="tonight"),
    path("profile/following/", views.followed, name="following"),
    path("my-events/", views.organising, name="organising"),
    path("my-games/", views.my_games, name="my_games"),
    path("games/<slug:slug>/end/", play.game_end, name="game_end"),
    path("players/<slug:slug>/", views.player, name="player"),
    # /clubs/new/ founds a club: see clubs.urls
    re_path(r"^clubs/(?P<slug>(?!new/)[-a-zA-Z0-9_]+)/$", views.club, name="club"),
    # /teams/new/ founds a team: see clubs.urls
    re_path(r"^teams/(?P<slug>(?!new/)[-a-zA-Z0-9_]+)/$", views.team, name="team"),
    path("staff/access/", views.access, name="access"),
    path("staff/components/", views.components, name="components"),
    path("privacy/", views.privacy, name="privacy"),
    path("security/", views.security, name="security"),
    path("leaderboards/how/", views.how_ratings, name="how_ratings"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("sw.js", install.worker, name="worker"),  # at the root: a worker serves the pages below its own address
    path("offline/", install.offline, name="offline"),
    path("rules/<slug:name>/", views.rules, name="rules"),
]
