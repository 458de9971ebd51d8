from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "case_opened",
        label=_("A case about my match is opened"),
        title=_("Case %(case)s is opened"),
        sentence=_("A case about %(match)s is opened. You can add a statement."),
        things={"match": "match"},
        plain=("case",),
        fixed=frozenset({"site"}),
    ),
    Kind(
        "answer_due",
        label=_("I am asked for an answer in a case"),
        title=_("Your answer in case %(case)s"),
        sentence=_("The other side disputes %(match)s. Until %(until)s you can answer."),
        things={"match": "match"},
        times=("until",),
        plain=("case",),
        fixed=frozenset({"site"}),
    ),
    Kind(
        "ruling",
        label=_("A case of mine is ruled"),
        title=_("Ruling in case %(case)s"),
        sentence=_("The case about %(match)s is ruled. Until %(until)s an appeal is possible."),
        things={"match": "match"},
        times=("until",),
        plain=("case",),
        fixed=frozenset({"site"}),
    ),
)
