from django.urls import URLPattern, path  # noqa: F401

app_name = "pages"
urlpatterns: list[URLPattern] = []
