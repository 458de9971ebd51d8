from django.urls import path

from .views import claims, lists

app_name = "newcomers"
urlpatterns = [
    path("clubs/<slug:slug>/newcomers/", lists.club, name="club"),
    path("clubs/<slug:slug>/newcomers/list/", lists.club_list, name="club_list"),
    path("competitions/<slug:slug>/visitors/", lists.event_list, name="event"),
    path("newcomers/lists/<slug:slug>/undo/", lists.undo, name="undo"),
    path("players/<slug:slug>/code/", claims.make_code, name="make_code"),
    path("players/<slug:slug>/code/end/", claims.revoke_code, name="revoke_code"),
    path("claim/", claims.claim, name="claim"),
    path("staff/claims/", claims.waiting, name="claims"),
    path("staff/claims/<int:pk>/decline/", claims.decline, name="decline"),
]
