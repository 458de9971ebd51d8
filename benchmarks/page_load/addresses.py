"""Every page of the site: the URL patterns, their parameters filled with objects of the demo."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

# Neither pages of this project nor read by people: pages of other packages, files, and addresses that only accept a
# POST.
FOREIGN = ("admin:", "account_", "mfa_", "set_language", "jsi18n", "common:", "socialaccount")


def pages() -> Iterator[tuple[str, str]]:
    """Yield name and address of each page, an address for each kind of object that it may show."""
    for name, parameters, resolver_path in patterns(get_resolver(), "", ""):
        if name.startswith(FOREIGN):
            continue
        if not parameters:
            yield name, "/" + resolver_path.replace("$", "").replace("^", "")
            continue
        from django.urls import reverse

        for kind, values in samples(name, resolver_path, parameters):
            yield f"{name}{kind}", reverse(name, kwargs=values)


def patterns(resolver: URLResolver, prefix: str, space: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield name with its namespace, parameters and path of each pattern."""
    for found in resolver.url_patterns:
        path = prefix + str(found.pattern)
        if isinstance(found, URLResolver):
            yield from patterns(found, path, f"{found.namespace}:" if found.namespace else space)
        elif isinstance(found, URLPattern) and found.name:
            yield f"{space}{found.name}", list(found.pattern.regex.groupindex), path


def samples(name: str, path: str, parameters: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a note on the object and the values of the parameters, once for each kind of object."""
    for kind, values in _of_path(path.replace("^", "")):
        if set(values) >= set(parameters):
            yield kind, {parameter: values[parameter] for parameter in parameters}


def _of_path(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    model = apps.get_model
    head = path.split("/")[0]
    if head == "api":
        head = path.split("/")[1]
    if head == "competitions":
        seen = set()
        for found in model("competitions.Competition").objects.order_by("-pk"):
            formats = [stage.format.partition("/")[0] for stage in found.stages.all()] or ["not drawn"]
            kind = f"{found.kind}, {' and '.join(formats)}"
            if kind not in seen:
                seen.add(kind)
                entry = found.entries.order_by("pk")[0]
                yield f" ({kind})", {"slug": found.slug, "number": 1, "entry": entry.slug}
    elif head in ("cases", "rulings"):
        yield "", {"number": _first("arbitration.Case").number}
    elif head == "players":
        yield "", {"slug": model("accounts.Player").objects.get(user__email="martine@demo.tock").slug}
    elif head == "leaderboards":
        from ratings.models import Ladder, Subject

        ladder = Ladder.objects.order_by("pk").first()
        assert ladder is not None
        family, _, teams = ladder.key.partition(":")
        yield "", {"family": family, "teams": int(teams), "subject_id": Subject.objects.order_by("pk")[0].pk}
    elif head == "journal":
        yield "", {"name": _first("journal.JournalStream").name}
    elif head == "rules":
        yield "", {"name": "shawinigan"}
    elif head in PREFIXES:
        yield "", {"slug": _first(PREFIXES[head]).slug}


PREFIXES = {
    "clubs": "clubs.Club",
    "teams": "clubs.Team",
    "entries": "competitions.Entry",
    "matches": "competitions.Match",
    "tables": "games.Table",
    "games": "games.Game",
}


def _first(label: str) -> Any:
    return apps.get_model(label)._default_manager.order_by("pk")[0]
