from django.urls import path

from . import views

app_name = "incidents"
urlpatterns = [
    path("staff/incidents/", views.index, name="list"),
    path("staff/incidents/new/", views.new, name="new"),
    path("staff/incidents/export/", views.export, name="export"),
    path("staff/incidents/<str:number>/", views.one, name="one"),
]
