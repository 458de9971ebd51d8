from django.urls import path

from . import views

app_name = "integrity"
urlpatterns = [
    path("staff/integrity/", views.index, name="list"),
    path("staff/integrity/<str:number>/", views.finding, name="finding"),
]
