"""Numbers that whoever runs the site may set: what may be held open or asked for, and how long what is kept."""

import os


def _number(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


# What a person, an address and a process may hold open, ask for in ten seconds, or send: docs/hosting.md, "Bounds".
LIVE_SOCKETS = _number("LIVE_SOCKETS", 3000)
LIVE_SOCKETS_PER_ADDRESS = _number("LIVE_SOCKETS_PER_ADDRESS", 400)
LIVE_SOCKETS_PER_PERSON = _number("LIVE_SOCKETS_PER_PERSON", 12)
LIVE_STREAMS = _number("LIVE_STREAMS", 1000)  # of the live feed
LIVE_STREAMS_PER_ADDRESS = _number("LIVE_STREAMS_PER_ADDRESS", 50)
LIVE_POLLS_PER_ADDRESS = _number("LIVE_POLLS_PER_ADDRESS", 120)
LIVE_POLLS_WITHOUT_LOGIN = _number("LIVE_POLLS_WITHOUT_LOGIN", 40)
LIVE_POLLS_PER_PERSON = _number("LIVE_POLLS_PER_PERSON", 6)
API_CALLS_PER_ADDRESS = _number("API_CALLS_PER_ADDRESS", 600)
API_CALLS_WITHOUT_LOGIN = _number("API_CALLS_WITHOUT_LOGIN", 200)
API_CALLS_PER_PERSON = _number("API_CALLS_PER_PERSON", 120)
# Calls of the API below /api/v1/ in a minute: by an address without login, by a person, and of a person those that write.
API_MINUTE_WITHOUT_LOGIN = _number("API_MINUTE_WITHOUT_LOGIN", 120)
API_MINUTE_PER_PERSON = _number("API_MINUTE_PER_PERSON", 600)
API_MINUTE_WRITES = _number("API_MINUTE_WRITES", 60)
CLUBS_PER_DAY = _number("CLUBS_PER_DAY", 3)
TEAMS_PER_DAY = _number("TEAMS_PER_DAY", 10)
TEAMS_FORMED_PER_DAY = _number("TEAMS_FORMED_PER_DAY", 100)
JOINS_PER_DAY = _number("JOINS_PER_DAY", 20)
NEWS_PER_DAY = _number("NEWS_PER_DAY", 3)  # of a club
BODY_BYTES = _number("BODY_BYTES", 1024 * 1024)
TABLE_BODY_BYTES = _number("TABLE_BODY_BYTES", 64 * 1024)

# Pages made at the same time in a process; who waits longer than this for a turn, or for a connection, is told 503.
PAGES_AT_ONCE = 8
PATIENCE_S = 1.5
TOCK_SLOW_COMMAND_MS = _number("TOCK_SLOW_COMMAND_MS", 250)  # a command that took longer has a line in the log

# How long what is held about people is kept, in days; see docs/people.md.
ERASE_AFTER_DAYS = _number("ERASE_AFTER_DAYS", 7)  # to change one's mind
KEEP_EXPORTS_DAYS = max(1, _number("KEEP_EXPORTS_DAYS", 7))
KEEP_UNCONFIRMED_DAYS = _number("KEEP_UNCONFIRMED_DAYS", 7)
KEEP_ADDRESSES_DAYS = _number("KEEP_ADDRESSES_DAYS", 30)  # IP addresses
KEEP_STATEMENTS_DAYS = _number("KEEP_STATEMENTS_DAYS", 730)
KEEP_NOTICES_DAYS = max(1, _number("KEEP_NOTICES_DAYS", 90))
KEEP_FEED_DAYS = max(2, _number("KEEP_FEED_DAYS", 30))  # public facts, for webhooks and the live feed
KEEP_DELIVERIES_DAYS = max(2, _number("KEEP_DELIVERIES_DAYS", 30))  # the log of webhooks
KEEP_LETTERS_DAYS = _number("KEEP_LETTERS_DAYS", 30)  # mails of a site that only writes them to a folder
IDLE_AFTER_DAYS = _number("IDLE_AFTER_DAYS", 1095)
IDLE_ANSWER_DAYS = _number("IDLE_ANSWER_DAYS", 30)
