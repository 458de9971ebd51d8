"""Pages of the profile and of administrators, in the namespace `accounts` (tock_league/urls.py)."""

from django.urls import path

from . import merge_views, views

urlpatterns = [
    path("profile/data/", views.my_data, name="my_data"),
    path("profile/data/export/", views.ask_export, name="ask_export"),
    path("profile/data/export/<int:pk>/", views.download, name="download_export"),
    path("profile/data/erase/", views.ask_erasure, name="ask_erasure"),
    path("staff/players/<slug:player>/merge/<slug:other>/", merge_views.merge, name="merge"),
    path("staff/players/merges/<int:pk>/separate/", merge_views.separate, name="separate"),
    path("profile/data/stay/", views.stay, name="stay"),
]
