from django.urls import path

from .views import desk, public

app_name = "hall"
urlpatterns = [
    path("competitions/<slug:slug>/wall/", public.wall, name="wall"),
    path("competitions/<slug:slug>/wall/<int:number>/", public.wall, name="screen"),
    path("competitions/<slug:slug>/clock/", public.clock, name="clock"),
    path("t/<slug:secret>/", public.team, name="team"),
    path("competitions/<slug:slug>/hall/", desk.hall, name="hall"),
    path("competitions/<slug:slug>/hall/clock/", desk.press, name="press"),
    path("competitions/<slug:slug>/hall/say/", desk.say, name="say"),
    path("competitions/<slug:slug>/hall/say/end/", desk.say_no_more, name="say_no_more"),
    path("competitions/<slug:slug>/hall/screens/", desk.add_screen, name="add_screen"),
    path("competitions/<slug:slug>/hall/screens/<int:number>/", desk.change_screen, name="change_screen"),
    path("competitions/<slug:slug>/hall/screens/<int:number>/show/", desk.show, name="show"),
    path("competitions/<slug:slug>/hall/screens/<int:number>/remove/", desk.remove_screen, name="remove_screen"),
    path("competitions/<slug:slug>/hall/links/", desk.make_links, name="make_links"),
    path("competitions/<slug:slug>/hall/links/stop/", desk.stop_links, name="stop_links"),
    path("competitions/<slug:slug>/hall/links/<slug:entry>/", desk.renew_link, name="renew_link"),
]
