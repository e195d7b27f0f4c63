"""A player's hand in the browser: plays a move by mouse or by touch, and reads the table.

It keeps an engine's game beside the page and compares the two; it never talks to the server.
"""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page

from engine.cards import FIRST_FOUNDATION, STOCK, WASTE
from engine.game import Game
from engine.move import DRAW, FINISH, SPECIAL, TURN_UP, UNDO, Move

BOARD = """() => {
  const spots = [...document.querySelectorAll('.spot')].map((spot) => {
    const { x, y } = spot.getBoundingClientRect();
    return { pile: Number(spot.dataset.pile), x, y };
  });
  const columns = spots.filter(({ pile }) => pile < 16).sort((a, b) => a.pile - b.pile);
  const cards = [...document.querySelectorAll('.card')].map((card) => {
    const { x, y } = card.getBoundingClientRect();
    return { name: card.id.slice(5), x, y };
  });
  return columns.map((column) => cards
    .filter(({ x, y }) => Math.abs(x - column.x) < 2 && y > column.y - 2)
    .sort((a, b) => a.y - b.y).map(({ name }) => name));
}"""
"""The names of the cards that are seen in each column, deepest first."""

STILL = """() => document.getElementById('table').ariaBusy !== 'true'
  && document.querySelector('.hand').hidden
  && document.getAnimations().every(({ effect }) => !effect.target?.closest('.card'))"""


def names(game: Game) -> list[list[str]]:
    """The names that the page gives the cards of each column."""
    return [
        [f"d{pile}-{index}" for index in range(down)] + [str(card) for card in column[down:]]
        for pile, (column, down) in enumerate(
            zip(game.position.columns, game.position.down, strict=True)
        )
    ]


@dataclass
class Hand:
    """Plays on one page; `by_touch` with a finger, else with the mouse."""

    page: Page
    game: Game
    by_touch: bool = False
    _touch: CDPSession | None = None
    _tapped: str = ""
    _tapped_at: tuple[float, float] = (0.0, 0.0)

    def play(self, *commands: str) -> None:
        """Play commands in the one-line form and see each one on the table."""
        for text in commands:
            self.try_move(self.game.read(text))
            self.game.play(text, self.game.last_ms)
            self.see()

    def play_unheard(self, text: str) -> None:
        """Play a move that the server cannot answer: it is shown at once all the same."""
        move = self.game.read(text)
        card = self._source(move)
        self.try_move(move)
        self.page.wait_for_function(
            f"([card, pile]) => ({BOARD})()[pile].includes(card)", arg=[card, move.target]
        )
        self.game.play(text, self.game.last_ms)

    def see(self) -> None:
        """Wait until the page shows what the engine's game says."""
        wanted = {"columns": names(self.game), "moves": str(self.game.moves)}
        self.page.wait_for_function(
            f"""(wanted) => ({STILL})()
              && document.querySelector('.bar-moves .bar-value').textContent === wanted.moves
              && JSON.stringify(({BOARD})()) === JSON.stringify(wanted.columns)""",
            arg=wanted,
        )

    def try_move(self, move: Move) -> None:
        """Do on the page what asks for a move, whatever comes of it."""
        if move in (UNDO, FINISH):
            self.press("undo" if move == UNDO else "finish")
        elif move == DRAW:
            self.point(self.place(STOCK))
        elif move[:2] == (SPECIAL, TURN_UP):
            self.point(self.place(move.target))
        elif self.by_touch and self._can_tap(move):
            self.point(self._source(move))
            if move.target < FIRST_FOUNDATION or move.count > 1:
                self.point(self.place(move.target))
        else:
            self.lift(move)
            self.drop(self.place(move.target))

    def press(self, action: str) -> None:
        """Press one of the buttons below the table."""
        self.page.locator(f'[data-act="{action}"]').click()

    def point(self, name: str) -> None:
        """Tap or click a card or an empty place, near its upper edge."""
        x, y = self.spot(name)
        near = abs(x - self._tapped_at[0]) + abs(y - self._tapped_at[1]) < 24
        if near or name == self._tapped:  # two quick taps at one place mean something else
            self.page.evaluate("() => new Promise((done) => setTimeout(done, 400))")
        self._tapped, self._tapped_at = name, (x, y)
        if self.by_touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def lift(self, move: Move, to: tuple[float, float] | None = None) -> None:
        """Press on the group that moves and carry it off the table's cards."""
        x, y = self.spot(self._source(move))
        away = to or (x + 30, y + 40)
        if self.by_touch:
            self.touch("touchStart", (x, y))
            self.touch("touchMove", ((x + away[0]) / 2, (y + away[1]) / 2))
            self.touch("touchMove", away)
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            self.page.mouse.move(*away, steps=3)
        self.page.wait_for_function("() => !document.querySelector('.hand').hidden")

    def drop(self, name: str) -> None:
        """Carry what is in the hand to a card or an empty place and let go."""
        x, y = self.spot(name)
        if self.by_touch:
            self.touch("touchMove", (x, y + 12))
            self.touch("touchEnd")
        else:
            self.page.mouse.move(x, y + 12, steps=3)
            self.page.mouse.up()

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Send a raw touch event."""
        if self._touch is None:
            self._touch = self.page.context.new_cdp_session(self.page)
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def place(self, pile: int) -> str:
        """The name of what lies last on a pile, or of its empty place."""
        position = self.game.position
        cards = position.piles[pile]
        if pile == STOCK or not cards or (pile >= FIRST_FOUNDATION and pile != WASTE):
            return f"pile {pile}"
        if pile < FIRST_FOUNDATION and position.down[pile] == len(cards):
            return f"d{pile}-{len(cards) - 1}"
        return str(cards[-1])

    def spot(self, name: str) -> tuple[float, float]:
        """Where to point at: the upper edge of a card, which is seen under any other."""
        what = f'.spot[data-pile="{name[5:]}"]' if name.startswith("pile ") else f"#card-{name}"
        box: Any = self.page.locator(what).bounding_box()
        assert box is not None, f"{name} is not on the page"
        return box["x"] + box["width"] / 2, box["y"] + min(4, box["height"] / 2)

    def _source(self, move: Move) -> str:
        return str(self.game.position.piles[move.source][-move.count])

    def _can_tap(self, move: Move) -> bool:
        """A tap on a last card that may go home sends it there: another way needs a drag."""
        position = self.game.position
        last = position.piles[move.source][-1]
        home = move.source < STOCK and move.count == 1 and position.foundation_for(last)
        return home is None or home == move.target
