"""The REST API below /api/v1/: docs/api.md."""

# The API below /api/v1/ (docs/api.md). Whatever a view does not say itself is refused.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tock_league.api.authentication.TokenAuthentication",  # first: it says how to answer a 401
        "tock_league.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tock_league.api.authentication.Scoped"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tock_league.api.parsing.Json"],
    "DEFAULT_THROTTLE_CLASSES": ["tock_league.api.throttling.Throttle"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "tock_league.api.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "tock_league.api.schema.Schema",
    "EXCEPTION_HANDLER": "tock_league.api.problems.handler",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tock League",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": ["tock_league.api.schema.finished"],
    "GET_LIB_DOC_EXCLUDES": "tock_league.api.serializers.base.classes_without_text",
}
# Pages of other sites: without cookies they read what everybody may read, and with the token of an application what it may.
# Browsers let no page read an answer with `*` to a request with cookies.
CORS_URLS_REGEX = r"^/(api/v1(/|$)|oauth/(token|revoke)$|\.well-known/oauth-authorization-server$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
CORS_ALLOW_HEADERS = [
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
]
CORS_EXPOSE_HEADERS = ["ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"]
