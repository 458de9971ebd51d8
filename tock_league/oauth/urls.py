from django.urls import path

from .views import accesses, applications, consent, protocol

app_name = "oauth"
urlpatterns = [
    path("profile/applications/", applications.mine, name="applications"),
    path("profile/applications/<slug:slug>/", applications.one, name="application"),
    path("profile/applications/<slug:slug>/secret/", applications.secret, name="secret"),
    path("profile/applications/<slug:slug>/delete/", applications.delete, name="delete"),
    path("profile/access/", accesses.permitted, name="accesses"),
    path("profile/access/<int:pk>/end/", accesses.end, name="end"),
    path("oauth/authorize", consent.authorize, name="authorize"),
    path("oauth/token", protocol.token, name="token"),
    path("oauth/revoke", protocol.revoke, name="revoke"),
    path(".well-known/oauth-authorization-server", protocol.metadata, name="metadata"),
]
