# One image for web, worker, beat and migrate. Built from the hashed lock; runs without root on a read-only file system.
FROM python:3.11-slim-bookworm AS packages
WORKDIR /build
COPY requirements/runtime.lock .
RUN python -m venv /env \
 && /env/bin/pip install --no-cache-dir --require-hashes --only-binary :all: --no-binary trueskill -r runtime.lock

# Bookworm, whose pg_dump and pg_restore are those of PostgreSQL 15, as in docker-compose.yml: a newer pg_restore sends
# settings that an older server refuses.
FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install --no-install-recommends -y postgresql-client && rm -rf /var/lib/apt/lists/*
ENV PATH=/env/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=tock_league.settings.production STATIC_ROOT=/app/staticfiles
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin tock \
 && install -d -o tock /data
COPY --from=packages /env /env
WORKDIR /app
COPY manage.py ./
COPY requirements ./requirements
COPY docs ./docs
COPY locale ./locale
COPY static ./static
COPY templates ./templates
COPY games ./games
COPY ratings ./ratings
COPY tock_league ./tock_league
# Placeholder values for this command only: collectstatic needs settings that load.
RUN python -m compileall -q /app && \
    SECRET_KEY=build SITE_URL=https://build ALLOWED_HOSTS=build CSRF_TRUSTED_ORIGINS=https://build \
    DATABASE_URL=postgres://build/build REDIS_URL=redis://build \
    python manage.py collectstatic --noinput --verbosity 0
USER tock
EXPOSE 8000
# Serves and stops as `serve` does, with two worker processes.
CMD ["python", "-m", "tock_league.embedded.web", "--host", "0.0.0.0", "--port", "8000", "--workers", "2"]
