"""The committed records are complete, small, and equal to what the bots would play again."""

from games.fold import Setup, Viewer, fold, view
from tock_league.demo import packing, play, programme
from tock_league.demo.names import ENTRY_ORDER, PEOPLE, TEAMS

GAMES = packing.load()
SETUP = {"rules": programme.RULES, "seats": packing.SEATS, "teams": packing.TEAMS}


def test_every_match_of_the_programme_has_its_record_and_no_other() -> None:
    keys = [meeting.key for meeting in programme.recorded()]
    assert len(keys) == len(set(keys)) == 56 + 28 + 49 + 28 + 11
    assert set(keys) == set(GAMES)
    assert len({game.game for game in GAMES.values()}) == len(GAMES)


def test_the_file_is_small() -> None:
    assert packing.FILE.stat().st_size < 400_000


def test_the_bots_play_the_same_games_again() -> None:
    for number, meeting in enumerate(programme.recorded()):
        if number % 53 == 0:
            assert play.perform(meeting) == GAMES[meeting.key], meeting.key


def test_a_game_is_packed_and_unpacked_without_loss(tmp_path: object) -> None:
    some = [game for number, game in enumerate(GAMES.values()) if number % 20 == 0]
    path = packing.Path(str(tmp_path)) / "some.gz"
    packing.save(some, path)
    first = path.read_bytes()
    assert list(packing.load(path).values()) == some
    packing.save(some, path)
    assert path.read_bytes() == first


def test_every_game_is_played_to_its_end() -> None:
    for number, game in enumerate(GAMES.values()):
        if number % 10 == 0:
            state = fold(Setup(game=game.game, **SETUP), packing.unpack(game, 0).rows)
            assert view(state, Viewer())["phase"] == "over"
            assert state.result is not None
            assert sorted(state.result.ranks) == [0, 1]


def test_games_end_before_the_next_round_of_a_club_night() -> None:
    assert packing.longest(list(GAMES.values())) <= play.LONGEST


def test_sixteen_people_play_in_eight_teams_of_two_clubs() -> None:
    assert len({person.slug for person in PEOPLE}) == len({person.name for person in PEOPLE}) == 16
    assert len(TEAMS) == 8
    assert sorted(team.name for team in ENTRY_ORDER) == sorted(team.name for team in TEAMS)


def test_partners_of_a_night_are_never_the_usual_ones() -> None:
    usual = {frozenset(person.slug for person in team.players) for team in TEAMS}
    for night in (programme.FIRST_NIGHT, programme.SECOND_NIGHT):
        drawn = {frozenset(person.slug for person in pair) for pair in night.entries()}
        assert len(drawn) == 8
        assert not drawn & usual
