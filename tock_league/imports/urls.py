from django.urls import path

from . import views

app_name = "imports"
urlpatterns = [
    path("imported/", views.index, name="list"),
    path("imported/new/", views.new, name="new"),
    path("imported/<slug:slug>/", views.one, name="one"),
    path("imported/<slug:slug>/remove/", views.remove, name="remove"),
]
