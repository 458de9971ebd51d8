"""Static files read whole, where WhiteNoise would stream them through a synchronous iterator.

An ASGI server cannot stream such an iterator: Django warns, and reads it into a list in the end. Our files are small.
"""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise with responses that hold the whole file."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """Return the file, or the part that a range asks for; its headers are WhiteNoise's."""
        answer = static_file.get_response(request.method, request.META)
        body = b""
        if answer.file is not None:
            with answer.file as opened:
                body = opened.read()
        response = HttpResponse(body, status=int(answer.status))
        del response["Content-Type"]
        for key, value in answer.headers:
            response[key] = value
        if answer.file is not None and response.status_code == HTTPStatus.OK:
            # A file that was replaced since the start has another length than WhiteNoise has noted.
            response["Content-Length"] = str(len(body))
        return response
