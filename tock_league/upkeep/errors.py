"""What a command of this package answers instead of a traceback."""


class CannotDo(Exception):
    """The reason, in one sentence that says what to do."""
