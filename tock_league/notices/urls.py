from django.urls import path

from . import views

app_name = "notices"
urlpatterns = [
    path("notices/", views.index, name="list"),
    path("notices/seen/", views.all_seen, name="all_seen"),
    path("notices/settings/", views.edit, name="settings"),
    path("notices/turns/", views.turns, name="turns"),
    path("notices/devices/", views.add_device, name="add_device"),
    path("notices/devices/<int:pk>/end/", views.end_device, name="end_device"),
    path("notices/devices/<int:pk>/texts/", views.device_texts, name="device_texts"),
    path("notices/mail/again/", views.mail_again, name="mail_again"),
    path("notices/stop/<str:token>/", views.stop, name="stop"),
    path("notices/<int:pk>/", views.go, name="go"),
]
