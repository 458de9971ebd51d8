from django.urls import path

from . import views

app_name = "accounts"
urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("profile/session/", views.session, name="session"),
    path("profile/sessions/<int:pk>/end/", views.end_session, name="end_session"),
    path("profile/protect/", views.protect, name="protect"),
]
