"""All sockets."""

from games.live.urls import websocket_urlpatterns

__all__ = ["websocket_urlpatterns"]
