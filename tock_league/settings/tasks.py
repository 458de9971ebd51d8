"""Celery: how tasks are taken, and which run at which interval (in seconds)."""

CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 30
CELERY_TIMEZONE = "America/Toronto"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "results"
CELERY_TASK_ROUTES = {"ratings.tasks.rebuild*": {"queue": "recompute"}}
CELERY_BEAT_SCHEDULE = {
    "sweep-outbox": {"task": "tock_league.common.tasks.sweep_outbox", "schedule": 5.0},
    "forget-outbox": {"task": "tock_league.common.tasks.forget_outbox", "schedule": 86400.0},
    "forget-sessions": {"task": "tock_league.accounts.tasks.forget_sessions", "schedule": 86400.0},
    "worker-pulse": {"task": "tock_league.common.tasks.worker_pulse", "schedule": 20.0},
    "keep-tournaments": {"task": "tock_league.competitions.tasks.keep_tournaments", "schedule": 20.0},
    "remind-of-matches": {"task": "tock_league.competitions.tasks.remind", "schedule": 60.0},
    "open-due-tables": {"task": "tock_league.competitions.tasks.open_due_tables", "schedule": 20.0},
    "rate-waiting": {"task": "ratings.tasks.rate_waiting", "schedule": 5.0},
    "rebuild-reports": {"task": "ratings.tasks.rebuild_reports", "schedule": 3600.0},
    "expire-boards": {"task": "ratings.tasks.expire_boards", "schedule": 3600.0},
    "close-abandoned-tables": {"task": "games.tasks.close_abandoned", "schedule": 60.0},
    "sweep-deadlines": {"task": "games.tasks.sweep_deadlines", "schedule": 30.0},
    "call-away": {"task": "games.tasks.call_away", "schedule": 10.0},
    "keep-months-ready": {"task": "games.tasks.keep_months_ready", "schedule": 86400.0},
    "sweep-cases": {"task": "tock_league.arbitration.tasks.sweep_deadlines", "schedule": 20.0},
    "remind-of-cases": {"task": "tock_league.arbitration.tasks.remind", "schedule": 60.0},
    "digests-of-the-week": {"task": "tock_league.notices.tasks.send_digests", "schedule": 300.0},
    "forget-people": {"task": "tock_league.people.tasks.forget", "schedule": 3600.0},
    "watch-results": {"task": "tock_league.integrity.tasks.watch", "schedule": 300.0},
    "nightly-backup": {"task": "tock_league.upkeep.tasks.nightly_backup", "schedule": 600.0},
    "weekly-drill": {"task": "tock_league.upkeep.tasks.weekly_drill", "schedule": 900.0},
}
