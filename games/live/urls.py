from django.urls import path

from .consumer import TableConsumer

websocket_urlpatterns = [path("ws/table/<slug:slug>", TableConsumer.as_asgi())]
