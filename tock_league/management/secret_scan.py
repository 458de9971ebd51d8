"""`python -m tock_league.management.secret_scan`: no key, token or password is in a file of the repository.

detect-secrets looks for the shapes of keys and tokens in every file that git knows, and in the code of the site also for
texts that are assigned to a word such as password. Tests name passwords on purpose, and their digests are facts, so these
two searches leave them out. A scan that looked at nothing fails.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detect_secrets.core.scan import get_plugins, scan_file
from detect_secrets.settings import transient_settings

ROOT = Path(__file__).resolve().parent.parent.parent
SHAPES = (  # those of services whose keys somebody of this project might hold
    "ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "BasicAuthDetector", "DiscordBotTokenDetector",
    "GitHubTokenDetector", "GitLabTokenDetector", "JwtTokenDetector", "MailchimpDetector", "NpmDetector", "OpenAIDetector",
    "PrivateKeyDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector", "StripeDetector",
    "TelegramBotTokenDetector", "TwilioKeyDetector",
)  # fmt: skip
WORDS = ("KeywordDetector",)
SITE = (
    "tock_league/",
    "games/",
    "ratings/",
    "benchmarks/",
    "static/",
    "templates/",
    ".env",
    "Dockerfile",
    "docker-compose",
    "deploy/",
)
LEFT_OUT = (
    ".mo",
    ".po",
    ".lock",
    "package-lock.json",
    ".woff2",
    ".png",
    ".svg",
    ".css",
    ".gz",
)  # generated, or no place for one
GOLDEN = "tests/golden/"
FEWEST = 100  # files; the repository has many more

# What is found and is no secret: (kind, text of the line); placeholders of documents and help texts, and words of the code.
KNOWN = {
    ("Basic Auth Credentials", "the-same-password@postgres"),
    ("Basic Auth Credentials", "tock:password@db.example.org"),
    ("Basic Auth Credentials", "user:password@host"),
    ("Basic Auth Credentials", "user:password@mail.example.org"),
    ("Secret Keyword", "a dummy of more than fifty characters"),
    ("Secret Keyword", "for tests only, never served to anybody"),
    ("Secret Keyword", '"mfa_webauthn_add"'),
    ("Secret Keyword", '"reset_password": '),
}


def files() -> list[str]:
    """Return the files that git knows. Raises CalledProcessError or FileNotFoundError where git cannot tell."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in told.stdout.split("\0") if name and not name.endswith(LEFT_OUT) and GOLDEN not in name]


def found_in(names: list[str], root: Path = ROOT) -> Iterator[str]:
    """Yield `file:line: kind` for each secret in the files; `names` are relative to `root`."""
    site = [name for name in names if name.startswith(SITE)]
    for plugins, chosen in ((SHAPES, names), (WORDS, site)):
        with transient_settings(settings_of(plugins)):
            patterns = [pattern for plugin in get_plugins() for pattern in getattr(plugin, "denylist", ())]
            for name in chosen:
                if plugins is SHAPES and not may_hold(root / name, patterns):
                    continue
                for secret in scan_file(str(root / name)):
                    line = (
                        (root / name).read_text(encoding="utf-8", errors="replace").splitlines()[secret.line_number - 1]
                    )
                    if not any(secret.type == kind and text in line for kind, text in KNOWN):
                        yield f"{name}:{secret.line_number}: {secret.type}"


def may_hold(path: Path, patterns: list[re.Pattern[str]]) -> bool:
    """Return whether a pattern occurs in the file at all: ten times faster than asking each of them about each line."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return any(pattern.search(text) for pattern in patterns)


def settings_of(plugins: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings of detect-secrets. Its filters ask no server whether a key is valid."""
    quiet = ("is_likely_id_string", "is_templated_secret", "is_prefixed_with_dollar_sign", "is_sequential_string")
    return {
        "plugins_used": [{"name": name} for name in plugins],
        "filters_used": [{"path": f"detect_secrets.filters.heuristic.{name}"} for name in quiet],
    }


def main() -> int:
    """Print what is found; return 0 when that is nothing and enough files were looked at."""
    try:
        names = files()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"The scan could not look: git lists no files ({type(error).__name__}).")
        return 1
    if len(names) < FEWEST:
        print(f"The scan could not look: git lists {len(names)} files only.")
        return 1
    found = list(found_in(names))
    for line in found:
        print(line)
    print(f"{len(names)} files, {len(found)} secrets")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
