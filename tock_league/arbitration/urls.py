from django.urls import path, register_converter

from .views import book, case, decide, desk, drafts, results, ties


class NumberConverter:
    """Matches a case's number; other texts get a 404 without a query."""

    regex = r"TL-[0-9]{4}-[0-9]{6,9}"
    sample = "TL-2026-000123"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(NumberConverter, "case_number")
app_name = "arbitration"
urlpatterns = [
    path("rulings/", book.book, name="book"),
    path("rulings/<case_number:number>/", book.ruling, name="ruling"),
    path("competitions/<slug:slug>/rulings/", book.of_competition, name="competition"),
    path("penalties/", book.table, name="table"),
    path("players/<slug:slug>/penalties/", book.of_player, name="penalties_player"),
    path("teams/<slug:slug>/penalties/", book.of_team, name="penalties_team"),
    path("competitions/<slug:slug>/referee/", desk.desk, name="desk"),
    path("competitions/<slug:slug>/referee/news/", desk.news, name="news"),
    path("competitions/<slug:slug>/referee/next/", desk.take_next, name="next"),
    path("tables/<slug:slug>/case/", desk.of_table, name="table_case"),
    path("games/<slug:slug>/dispute/", desk.dispute, name="dispute"),
    path("games/<slug:slug>/dispute/window/", desk.window, name="window"),
    path("games/<slug:slug>/rulings/", book.of_game, name="of_game"),
    path("matches/<slug:slug>/dispute/", results.dispute, name="dispute_result"),
    path("matches/<slug:slug>/dispute/draft/", drafts.save_dispute, name="dispute_draft"),
    path("matches/<slug:slug>/dispute/draft/discard/", drafts.discard_dispute, name="discard_dispute"),
    path("profile/family/", ties.family, name="family"),
    path("profile/family/declare/", ties.declare, name="declare_tie"),
    path("profile/family/<int:pk>/answer/", ties.answer, name="answer_tie"),
    path("profile/family/<int:pk>/end/", ties.end, name="end_tie"),
    path("cases/", case.mine, name="mine"),
    path("cases/<case_number:number>/", case.case, name="case"),
    path("cases/<case_number:number>/answer/", case.answer, name="answer"),
    path("cases/<case_number:number>/add/", case.add, name="add"),
    path("cases/<case_number:number>/withdraw/", case.withdraw, name="withdraw"),
    path("cases/<case_number:number>/take/", case.take, name="take"),
    path("cases/<case_number:number>/renew/", case.renew, name="renew"),
    path("cases/<case_number:number>/release/", case.release, name="release"),
    path("cases/<case_number:number>/recuse/", case.recuse, name="recuse"),
    path("cases/<case_number:number>/escalate/", case.escalate, name="escalate"),
    path("cases/<case_number:number>/seat/", case.seat, name="seat"),
    path("cases/<case_number:number>/dismiss/", case.dismiss, name="dismiss"),
    path("cases/<case_number:number>/agree/", case.agree, name="agree"),
    path("cases/<case_number:number>/disagree/", case.disagree, name="disagree"),
    path("cases/<case_number:number>/countersign/", decide.countersign, name="countersign"),
    path("cases/<case_number:number>/refuse/", case.refuse, name="refuse"),
    path("cases/<case_number:number>/outsider/", case.outsider, name="outsider"),
    path("cases/<case_number:number>/review/", case.review, name="review"),
    path("cases/<case_number:number>/draft/", drafts.save, name="draft"),
    path("cases/<case_number:number>/draft/<slug:name>/discard/", drafts.discard, name="discard"),
    path("cases/<case_number:number>/rule/", decide.rule, name="rule"),
    path("cases/<case_number:number>/appeal/", decide.appeal, name="appeal"),
    path("cases/<case_number:number>/reply/", case.reply, name="reply"),
    path("cases/<case_number:number>/panel/", decide.panel, name="panel"),
    path("cases/<case_number:number>/vote/", decide.vote, name="vote"),
    path("cases/<case_number:number>/panel/rule/", decide.panel_rule, name="panel_rule"),
]
