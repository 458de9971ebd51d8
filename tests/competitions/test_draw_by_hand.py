"""The organisers' hand on the draw: wishes, exchanged opponents and places, a new seed; all with a public reason."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Competition, Entry, FormerSeed, Group, PairingRun, PairingWish, Side
from tock_league.competitions.selectors.seasons.regulation_lines import regulation_lines
from tock_league.competitions.services.audit import places
from tock_league.competitions.services.rounds import draw, draw_by_hand, publishing
from tock_league.competitions.services.seasons import lifecycle, nights, regulations
from tock_league.competitions.verifier import checks
from tock_league.journal.models import JournalEntry

from .world import a_club, a_plan, a_player, a_tournament, play_on

pytestmark = pytest.mark.django_db
WHY = "Un père et son fils, à leur demande."


def a_swiss(teams: int = 8, rounds: int = 4) -> Competition:
    """Return a Swiss tournament after its first round; the next one waits for the organisers."""
    cup = a_tournament(teams, plan=a_plan("swiss", rounds=rounds, auto=False, clubs="off"))
    play_on(cup)
    return cup


def the_group(cup: Competition) -> Group:
    return Group.objects.select_related("stage__competition__regulations").get(stage__competition=cup)


def paired(cup: Competition, number: int) -> set[frozenset[int]]:
    sides = Side.objects.filter(round__group__stage__competition=cup, round__number=number, match__isnull=False)
    found: dict[int, set[int]] = {}
    for match, entry in sides.values_list("match", "entry"):
        found.setdefault(match, set()).add(entry)
    return {frozenset(pair) for pair in found.values()}


def previewed(cup: Competition) -> set[frozenset[int]]:
    made = draw_by_hand.preview(by=SITE, group=the_group(cup))
    assert made.refused is None
    return {frozenset((pair.home.pk, pair.away.pk)) for pair in made.pairs}


def two_of(pairs: set[frozenset[int]]) -> tuple[Entry, Entry]:
    one, other = sorted(min(pairs, key=sorted))
    return Entry.objects.get(pk=one), Entry.objects.get(pk=other)


def told(kind: str) -> int:
    return sum(kind in str(body) for body in JournalEntry.objects.values_list("body", flat=True))


# --- rounds that are paired as they go


@pytest.mark.both_databases
def test_the_preview_is_the_round_that_is_then_published_and_writes_nothing(hand) -> None:
    cup = a_swiss()
    before = previewed(cup)
    assert len(before) == 4
    assert not PairingRun.objects.filter(round__number=2).exists()
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert paired(cup, 2) == before


def test_two_who_must_not_meet_are_apart_until_the_wish_ends_and_the_verifier_agrees(hand) -> None:
    cup = a_swiss()
    one, other = two_of(previewed(cup))
    made = draw_by_hand.wish(by=SITE, competition=cup, kind="apart", one=other, other=one, reason=WHY)
    assert (made.low, made.high) == (one, other)
    assert frozenset((one.pk, other.pk)) not in previewed(cup)
    publishing.publish_next(by=SITE, group=the_group(cup))
    run = PairingRun.objects.get(round__number=2)
    assert run.inputs["forbidden"] == [[one.pk, other.pk]]
    pairs = [(pair["home"], pair["away"]) for pair in run.certificate["pairs"]]
    assert checks.check("swiss/1", run.certificate, pairs=pairs, byes=[]) == ()
    play_on(cup)
    draw_by_hand.take_back(by=SITE, wish=made)
    draw_by_hand.take_back(by=SITE, wish=made)  # a second press
    assert told("pairing.wish_ended") == 1
    assert not PairingWish.objects.filter(ended_at=None).exists()
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert PairingRun.objects.get(round__number=3).inputs["forbidden"] == []


def test_two_who_should_rather_not_meet_do_where_nothing_else_is_possible(hand) -> None:
    cup = a_tournament(2, plan=a_plan("swiss", rounds=1, auto=False, clubs="off"), state="closed")
    one, other = Entry.objects.filter(competition=cup).order_by("pk")
    draw_by_hand.wish(by=SITE, competition=cup, kind="rather_not", one=one, other=other, reason=WHY)
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    assert paired(cup, 1) == {frozenset((one.pk, other.pk))}


@pytest.mark.both_databases
def test_two_are_put_together_in_the_next_round_alone(hand) -> None:
    cup = a_swiss()
    apart = previewed(cup)
    one, partner = two_of(apart)
    other = next(
        entry
        for entry in Entry.objects.filter(competition=cup).exclude(pk__in=(one.pk, partner.pk)).order_by("-pk")
        if frozenset((one.pk, entry.pk)) not in paired(cup, 1)
    )
    wish = draw_by_hand.wish(by=SITE, competition=cup, kind="together", one=one, other=other, reason=WHY)
    assert frozenset((one.pk, other.pk)) in previewed(cup)
    with pytest.raises(Refused, match="together"):
        draw_by_hand.wish(by=SITE, competition=cup, kind="together", one=partner, other=other, reason=WHY)
    publishing.publish_next(by=SITE, group=the_group(cup))
    wish.refresh_from_db()
    assert (wish.round.number, wish.ended_at is not None) == (2, True)
    assert frozenset((one.pk, other.pk)) in paired(cup, 2)
    play_on(cup)
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert frozenset((one.pk, other.pk)) not in paired(cup, 3)


def test_two_who_have_met_meet_again_where_the_organisers_wish_it(hand) -> None:
    cup = a_swiss()
    one, other = two_of(paired(cup, 1))
    draw_by_hand.wish(by=SITE, competition=cup, kind="together", one=one, other=other, reason=WHY)
    made = draw_by_hand.preview(by=SITE, group=the_group(cup))
    assert [{pair.home, pair.away} for pair in made.pairs if pair.is_again] == [{one, other}]
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert frozenset((one.pk, other.pk)) in paired(cup, 2)


def test_two_teams_exchange_their_opponents(hand) -> None:
    cup = a_swiss()
    first, second = sorted(previewed(cup), key=sorted)[:2]
    one, against_one = (Entry.objects.get(pk=pk) for pk in sorted(first))
    other, against_other = (Entry.objects.get(pk=pk) for pk in sorted(second))
    with pytest.raises(Refused, match="swap_each_other"):
        draw_by_hand.swap_opponents(by=SITE, group=the_group(cup), one=one, other=against_one, reason=WHY)
    draw_by_hand.swap_opponents(by=SITE, group=the_group(cup), one=one, other=other, reason=WHY)
    wanted = {frozenset((one.pk, against_other.pk)), frozenset((other.pk, against_one.pk))}
    assert wanted <= previewed(cup)
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert wanted <= paired(cup, 2)


def test_wishes_that_leave_no_round_are_named_and_nothing_is_published(hand) -> None:
    cup = a_swiss(4, rounds=3)
    one, *others = Entry.objects.filter(competition=cup).order_by("pk")
    for other in others:
        draw_by_hand.wish(by=SITE, competition=cup, kind="apart", one=one, other=other, reason=WHY)
    made = draw_by_hand.preview(by=SITE, group=the_group(cup))
    assert made.refused is not None
    assert made.refused.code == "too_many_forbidden"
    with pytest.raises(Refused, match="too_many_forbidden"):
        publishing.publish_next(by=SITE, group=the_group(cup))
    assert not PairingRun.objects.filter(round__number=2).exists()


def test_a_wish_about_a_team_that_has_left_asks_for_nothing(hand) -> None:
    cup = a_swiss()
    one, other = two_of(previewed(cup))
    draw_by_hand.wish(by=SITE, competition=cup, kind="together", one=one, other=other, reason=WHY)
    Entry.objects.filter(pk=one.pk).update(state="withdrawn")
    assert len(previewed(cup)) == 3


def test_a_new_wish_about_the_same_two_replaces_the_old_one(hand) -> None:
    cup = a_swiss()
    one, other = two_of(previewed(cup))
    for kind in ("apart", "rather_not", "together", "together"):
        draw_by_hand.wish(by=SITE, competition=cup, kind=kind, one=one, other=other, reason=WHY)
    assert [wish.kind for wish in PairingWish.objects.filter(ended_at=None)] == ["together"]
    with pytest.raises(IntegrityError), transaction.atomic():
        PairingWish.objects.filter(competition=cup).update(ended_at=None, round=None)


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"kind": "moon"}, "kind", "kind"),
        ({"reason": "  "}, "reason", "reason_missing"),
        ({"reason": "x" * 201}, "reason", "reason_length"),
        ({"other": "one"}, "other", "same_team"),
        ({"other": "elsewhere"}, "other", "other_event"),
    ],
)
def test_bad_wishes_name_their_field(change, field, code, hand) -> None:
    cup = a_swiss(4, rounds=3)
    one, other = Entry.objects.filter(competition=cup).order_by("pk")[:2]
    stranger = Entry.objects.get(competition=a_tournament(2, state="open"), seed=None, team__name="Équipe 01")
    given = {"kind": "apart", "one": one, "other": other, "reason": WHY} | change
    given["other"] = {"one": one, "elsewhere": stranger}.get(given["other"], given["other"])  # type: ignore[call-overload]
    with pytest.raises(Refused) as refused:
        draw_by_hand.wish(by=SITE, competition=cup, **given)
    assert (refused.value.field, refused.value.code) == (field, code)
    assert not PairingWish.objects.exists()


# --- draws


@pytest.mark.both_databases
@pytest.mark.parametrize("plan", ["knockout", "groups_knockout"])
def test_two_teams_change_places_in_a_draw_and_the_event_is_played_to_its_end(plan, hand) -> None:
    cup = a_tournament(7, plan=a_plan(plan), state="closed")
    draw.draw(by=SITE, competition=cup)
    entries = list(Entry.objects.filter(competition=cup).order_by("seed"))
    one, other = entries[0], entries[-1]
    rows = Side.objects.filter(stage__competition=cup, stage__ordinal=1)
    before = sorted(rows.values_list("round", "match", "position", "kind", "entry"), key=str)
    draw_by_hand.swap_places(by=SITE, competition=cup, one=one, other=other, reason=WHY)
    turned = {one.pk: other.pk, other.pk: one.pk}
    after = sorted(rows.values_list("round", "match", "position", "kind", "entry"), key=str)
    assert after == sorted([(*row[:-1], turned.get(row[-1], row[-1])) for row in before], key=str)
    assert after != before
    assert told("draw.swapped") == 1
    lifecycle.advance(by=SITE, competition=cup, to="running")
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert list(places()) == []
    with pytest.raises(Conflict):
        draw_by_hand.swap_places(by=SITE, competition=cup, one=one, other=other, reason=WHY)


def test_a_seed_is_replaced_before_the_draw_and_the_former_one_stays_published(hand, english) -> None:
    cup = a_tournament(4, state="closed", seeding="lots")
    former = cup.lots_seed
    seed = draw_by_hand.new_seed(by=SITE, competition=cup, reason=WHY)
    cup.refresh_from_db()
    assert cup.lots_seed == seed != former
    assert (FormerSeed.objects.get().seed, told("lots.new_seed")) == (former, 1)
    lines = {line.term: line for line in regulation_lines(cup)}
    assert lines["Seed of the lots"].code == seed
    assert lines["Former seed of the lots"].code == former
    assert WHY in lines["Former seed of the lots"].more
    draw.draw(by=SITE, competition=cup)
    with pytest.raises(Conflict, match="drawn"):
        draw_by_hand.new_seed(by=SITE, competition=cup, reason=WHY)


def test_the_seed_of_a_club_night_stays_once_its_sides_are_drawn(hand) -> None:
    night = nights.announce_night(by=SITE, club=a_club(), name="Soirée", regulations=regulations.freeze(code="night"))
    draw_by_hand.new_seed(by=SITE, competition=night, reason=WHY)
    nights.draw_teams(by=SITE, night=night, players=[a_player(f"Joueur {n}") for n in range(4)])
    with pytest.raises(Conflict, match="drawn"):
        draw_by_hand.new_seed(by=SITE, competition=night, reason=WHY)


# --- who, and the pages


def test_only_organisers_have_a_hand_on_the_draw(hand) -> None:
    cup = a_swiss()
    one, other = two_of(previewed(cup))
    stranger = a_player("Passante")
    captain = one.roster.get(slot=1, role="starter").player
    for by in (None, stranger, captain):
        for deed in (
            lambda by=by: draw_by_hand.preview(by=by, group=the_group(cup)),
            lambda by=by: draw_by_hand.wish(by=by, competition=cup, kind="apart", one=one, other=other, reason=WHY),
            lambda by=by: draw_by_hand.swap_opponents(by=by, group=the_group(cup), one=one, other=other, reason=WHY),
            lambda by=by: draw_by_hand.swap_places(by=by, competition=cup, one=one, other=other, reason=WHY),
            lambda by=by: draw_by_hand.new_seed(by=by, competition=cup, reason=WHY),
        ):
            with pytest.raises(NotAllowed):
                deed()


def test_the_page_offers_what_is_possible_and_everybody_reads_the_reason(roles, hand) -> None:
    cup = a_swiss()
    client = roles("organiser")
    address = reverse("competitions:draw_by_hand", args=[cup.slug])
    assert address in client.get(reverse("competitions:organise", args=[cup.slug])).content.decode()
    page = client.get(address)
    assert set(page.context["forms"]) == {"wish", "opponents"}
    one, other = two_of(previewed(cup))
    sent = {"what": "wish", "kind": "apart", "one": one.pk, "other": other.pk, "reason": WHY}
    for wrong in ({"reason": ""}, {"other": one.pk}, {"kind": "moon"}, {"one": 10**15}):
        assert client.post(address, sent | wrong).status_code == 422
    assert client.post(address, {"what": "burn"}).status_code == 404
    assert client.post(address, sent).url == address
    wish = PairingWish.objects.get()
    rounds = reverse("competitions:rounds", args=[cup.slug])
    client.logout()
    assert WHY in client.get(rounds).content.decode()
    client = roles("admin")
    assert client.post(reverse("competitions:end_wish", args=[cup.slug, wish.pk])).url == address
    assert client.post(reverse("competitions:end_wish", args=[cup.slug, 0])).status_code == 404
    sent = {"what": "opponents", "one": one.pk, "other": other.pk, "reason": WHY}
    assert client.post(address, sent).status_code == 422  # they meet each other
    third = next(entry for entry in page.context["reach"].entries if entry.pk not in (one.pk, other.pk))
    assert client.post(address, sent | {"other": third.pk}).url == address
    publishing.publish_next(by=SITE, group=the_group(cup))
    assert WHY in client.get(rounds).content.decode()
    assert set(client.get(address).context["forms"]) == {"wish"}


@pytest.mark.parametrize(("role", "status"), [("visitor", 302), ("player", 403), ("organiser", 200), ("admin", 200)])
def test_the_page_is_for_organisers(role, status, roles, hand) -> None:
    cup = a_tournament(4, state="closed")
    address = reverse("competitions:draw_by_hand", args=[cup.slug])
    answer = roles(role).get(address)
    assert answer.status_code == status
    if status == 200:
        assert set(answer.context["forms"]) == {"seed"}
