"""The triggers of an append-only table, in both dialects.

PostgreSQL: row triggers refuse UPDATE and DELETE, a statement trigger TRUNCATE. SQLite: row triggers refuse UPDATE and
DELETE (TRUNCATE does not exist there), and one more refuses an INSERT whose id or other unique key exists already: INSERT
OR REPLACE deletes the old row *without* firing the delete trigger. A chained table also checks at INSERT that the entry
follows the last one of its stream; PostgreSQL computes the hash itself, SQLite has no SHA-256 and leaves it to the
verifier.

A table with redactable texts lets an UPDATE pass that replaces such a text by one that a row of Redaction names by its
SHA-256, and changes nothing else. On SQLite the function SHA256 is Django's: another program's update fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass

PERMITS = "journal_redaction"

REFUSE_FUNCTION = """
CREATE OR REPLACE FUNCTION tock_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % of % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""
CHAIN_FUNCTION = """
CREATE OR REPLACE FUNCTION tock_journal_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_seq bigint;
  last_hash text;
BEGIN
  EXECUTE format('SELECT seq, hash FROM %I WHERE stream = $1 ORDER BY seq DESC LIMIT 1', TG_TABLE_NAME)
    INTO last_seq, last_hash USING NEW.stream;
  IF last_seq IS NULL THEN
    last_seq := 0;
    last_hash := encode(sha256(convert_to('tock-journal-v1|' || NEW.stream, 'UTF8')), 'hex');
  END IF;
  IF NEW.seq IS DISTINCT FROM last_seq + 1 OR NEW.prev_hash IS DISTINCT FROM last_hash OR NEW.hash IS DISTINCT FROM
     encode(sha256(convert_to('tock-event-v1|', 'UTF8') || decode(last_hash, 'hex') || NEW.body), 'hex') THEN
    RAISE EXCEPTION 'append-only: entry % does not follow entry % of %', NEW.seq, last_seq, NEW.stream
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$
"""


@dataclass(frozen=True)
class Texts:
    """The columns of a table: those that never change, and the texts that a redaction may replace."""

    kept: Sequence[str] = ()
    redactable: Sequence[str] = ()

    def unlawful(self, table: str, *, same: str, digest: str) -> str:
        """Return the condition that an UPDATE is not a permitted redaction. "" for a table without such texts.

        `same`: the operator that also compares NULLs. `digest`: the SHA-256 of a column, with `{}` for its name.
        """
        if not self.redactable:
            return ""
        held = [f'NEW."{column}" {same} OLD."{column}"' for column in self.kept]
        for column in self.redactable:
            permit = (
                f'EXISTS (SELECT 1 FROM "{PERMITS}" r WHERE r."table" = \'{table}\' AND r."row" = OLD."id"'  # nosec B608
                f' AND r."field" = \'{column}\' AND r."digest" = {digest.format(column)})'
            )
            held.append(f'(NEW."{column}" {same} OLD."{column}" OR {permit})')
        return f"NOT ({' AND '.join(held)})"


def names(table: str, vendor: str, *, chained: bool) -> list[str]:
    """Return the names of the triggers that `table` must have."""
    found = [f"{table}_no_update", f"{table}_no_delete"]
    found += [f"{table}_no_truncate"] if vendor == "postgresql" else [f"{table}_no_replace"]
    return [*found, f"{table}_chain"] if chained else found


def create(
    table: str, vendor: str, *, keys: Sequence[Sequence[str]], chained: bool, texts: Texts | None = None
) -> list[str]:
    """Return the statements that make `table` append-only. `keys`: its unique keys, each a list of columns."""
    texts = texts or Texts()
    if vendor == "postgresql":
        return _postgresql(table, chained=chained, texts=texts)
    return _sqlite(table, keys=keys, chained=chained, texts=texts)


def _postgresql(table: str, *, chained: bool, texts: Texts) -> list[str]:
    def trigger(name: str, when: str, each: str, function: str) -> str:
        return f'CREATE TRIGGER "{table}_{name}" {when} ON "{table}" FOR EACH {each} EXECUTE FUNCTION {function}()'

    digest = "encode(sha256(convert_to(NEW.\"{}\"::text, 'UTF8')), 'hex')"
    unlawful = texts.unlawful(table, same="IS NOT DISTINCT FROM", digest=digest)
    if unlawful:  # WHEN of a trigger allows no subquery, a function does
        return _with_redactions(table, unlawful)
    made = [
        REFUSE_FUNCTION,
        trigger("no_update", "BEFORE UPDATE", "ROW", "tock_append_only"),
        trigger("no_delete", "BEFORE DELETE", "ROW", "tock_append_only"),
        trigger("no_truncate", "BEFORE TRUNCATE", "STATEMENT", "tock_append_only"),
    ]
    if chained:
        made += [CHAIN_FUNCTION, trigger("chain", "BEFORE INSERT", "ROW", "tock_journal_chain")]
    return made


def _with_redactions(table: str, unlawful: str) -> list[str]:
    """Return the statements for a table with redactable texts: a function of its own decides about an UPDATE."""
    function = f"tock_redact_{table}"
    body = (
        f'CREATE OR REPLACE FUNCTION "{function}"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {unlawful} THEN'
        " RAISE EXCEPTION 'append-only: % of % is refused', TG_OP, TG_TABLE_NAME"
        " USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NEW; END $$"
    )
    [refuse, _update, *others] = _postgresql(table, chained=False, texts=Texts())
    update = (
        f'CREATE TRIGGER "{table}_no_update" BEFORE UPDATE ON "{table}" FOR EACH ROW EXECUTE FUNCTION "{function}"()'
    )
    return [refuse, body, update, *others]


def _sqlite(table: str, *, keys: Sequence[Sequence[str]], chained: bool, texts: Texts) -> list[str]:
    def trigger(name: str, when: str, body: str) -> str:
        return f'CREATE TRIGGER "{table}_{name}" {when} ON "{table}" BEGIN {body} END'

    def refuse(what: str, when: str = "") -> str:
        return f"SELECT RAISE(ABORT, 'append-only: {what}'){when};"

    same = [" AND ".join(f'"{column}" = NEW."{column}"' for column in key) for key in keys]
    exists = " OR ".join(f"({one})" for one in same)
    unlawful = texts.unlawful(table, same="IS", digest='SHA256(NEW."{}")')
    lawful = f" WHERE {unlawful}" if unlawful else ""
    known = f' WHERE EXISTS (SELECT 1 FROM "{table}" WHERE {exists})'  # nosec B608: names of our own
    made = [
        trigger("no_update", "BEFORE UPDATE", refuse(f"UPDATE of {table} is refused", lawful)),
        trigger("no_delete", "BEFORE DELETE", refuse(f"DELETE of {table} is refused")),
        trigger("no_replace", "BEFORE INSERT", refuse(f"{table} has this row already", known)),
    ]
    if chained:
        own = f'FROM "{table}" WHERE stream = NEW.stream'
        last = f"(SELECT MAX(seq) {own})"  # nosec B608: names of our own
        before = f"(SELECT hash {own} AND seq = NEW.seq - 1)"  # nosec B608: names of our own
        steps = refuse("the entry does not follow the last one", f" WHERE NEW.seq IS NOT 1 + COALESCE({last}, 0)")
        steps += refuse("the entry is not linked", f" WHERE NEW.seq > 1 AND NEW.prev_hash IS NOT {before}")
        made.append(trigger("chain", "BEFORE INSERT", steps))
    return made
