"""What a game in a race tells the others."""

from engine.game import Game
from server.core.lanes import dealt, progress_of
from server.core.standings import Progress


def test_a_classic_deal_starts_with_nothing_home_and_21_cards_down() -> None:
    assert dealt("YU1-C-AAAAAAB").progress == Progress(0, 21, 0, 0)


def test_an_ace_that_goes_up_at_the_deal_is_home_from_the_start() -> None:
    deals = (dealt(str(code)) for code in map("YU1-T-AAAAAA{}".format, "ABCDEFGHIJKLMNOP"))
    started = next(deal for deal in deals if deal.progress.home)
    assert started.progress.ranked >= 10 * started.progress.home
    assert started.score == started.progress.ranked


def test_progress_follows_every_command() -> None:
    game = Game("YU1-C-AAAAAAB")
    for ms in range(30):
        if not game.legal_moves:
            break
        game.play(next(iter(game.legal_moves)), ms)
        told = progress_of(game)
        assert told.ranked == 10 * told.home + 5 * (21 - told.down) == game.ranked_score
        assert told.moves == game.moves
