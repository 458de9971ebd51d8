#!/usr/bin/env bash
# Makes the roles and the database, as the superuser. The image of PostgreSQL runs it once, on an empty volume; it may be
# run again, for example after a password was replaced in secrets/:
#   docker compose exec postgres bash /docker-entrypoint-initdb.d/roles.sh
#
#   tock_owner   owns the database and its tables; used by migrate alone
#   tock_app     web and beat: reads, adds and changes rows (`manage.py grant_rights` gives the rights on tables)
#   tock_worker  worker: as tock_app, and may create databases, which the restore drill needs
set -euo pipefail
secrets=${SECRETS_DIR:-/run/secrets}
database=${POSTGRES_DB:-tock}

# `psql` quotes the passwords (:'...'); they are read from files, so that no process list shows them.
run() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "${1}"; }

run postgres <<SQL
\set owner \`cat $secrets/postgres_owner_password\`
\set app \`cat $secrets/postgres_app_password\`
\set worker \`cat $secrets/postgres_worker_password\`
SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY['tock_owner', 'tock_app', 'tock_worker']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE tock_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner';
ALTER ROLE tock_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'app';
ALTER ROLE tock_worker LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT PASSWORD :'worker';
GRANT tock_app TO tock_worker;
SELECT 'CREATE DATABASE "$database" TEMPLATE template0 OWNER tock_owner ENCODING UTF8 LC_COLLATE ''C'' LC_CTYPE ''C'''
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '$database') \gexec
ALTER DATABASE "$database" OWNER TO tock_owner;
REVOKE ALL ON DATABASE "$database" FROM PUBLIC;
GRANT CONNECT ON DATABASE "$database" TO tock_app;
SQL

run "$database" <<SQL
ALTER SCHEMA public OWNER TO tock_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO tock_app;
ALTER DEFAULT PRIVILEGES FOR ROLE tock_owner IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO tock_app;
ALTER DEFAULT PRIVILEGES FOR ROLE tock_owner IN SCHEMA public GRANT SELECT, USAGE ON SEQUENCES TO tock_app;
SQL
