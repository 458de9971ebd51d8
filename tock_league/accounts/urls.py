from django.urls import path

from .views import blocks, bots, consents, profile, tokens

app_name = "accounts"
urlpatterns = [
    path("profile/", profile.profile, name="profile"),
    path("profile/session/", profile.session, name="session"),
    path("profile/sessions/<int:pk>/end/", profile.end_session, name="end_session"),
    path("profile/protect/", profile.protect, name="protect"),
    path("profile/tokens/", tokens.own, name="tokens"),
    path("profile/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
    path("profile/bots/", bots.own, name="bots"),
    path("profile/bots/<slug:slug>/", bots.one, name="bot"),
    path("profile/bots/<slug:slug>/close/", bots.close, name="close_bot"),
    path("profile/bots/<slug:slug>/tokens/<int:pk>/revoke/", bots.revoke, name="revoke_bot_token"),
    path("profile/blocked/", blocks.blocked, name="blocked"),
    path("players/<slug:slug>/block/", blocks.block, name="block"),
    path("players/<slug:slug>/unblock/", blocks.unblock, name="unblock"),
    path("profile/birth-year/", consents.birth_year, name="birth_year"),
    path("profile/children/", consents.children, name="children"),
    path("profile/consent/ask/", consents.ask, name="ask_consent"),
    path("profile/consent/<int:pk>/withdraw/", consents.withdraw, name="withdraw_consent"),
    path("consent/<str:code>/", consents.consent, name="consent"),
]
