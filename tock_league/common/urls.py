from django.urls import path

from . import health, metrics

app_name = "common"
urlpatterns = [
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
