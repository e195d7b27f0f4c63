import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOWN, UP, hit, landing, layOut, meant, placeOf, places, squeeze } from '../../client/js/layout.js';
import { FOUNDATIONS, STOCK, WASTE } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').Board} Board */

const SIZES = [[360, 528], [344, 480], [750, 382], [600, 340], [768, 900], [1024, 690], [1440, 820], [2560, 1230]];

/** A small generator of numbers, always the same. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ bound) => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Any board with all cards somewhere. @param {number} seed @param {{columns: number, foundations: number, stock?: boolean}} kind @returns {Board} */
function anyBoard(seed, { columns, foundations, stock = false }) {
  const roll = dice(seed);
  const cards = Array.from({ length: foundations * 13 }, (_, card) => card);
  for (let i = cards.length - 1; i > 0; i -= 1) {
    const j = roll(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  /** @type {Board} */
  const board = {
    columns: Array.from({ length: columns }, (_, i) => ({ down: stock ? 0 : roll(Math.min(i, 8) + 1), cards: [] })),
    foundations: Array.from({ length: foundations }, () => []),
    stock: stock ? roll(25) : 0,
    waste: stock ? cards.splice(0, roll(25)) : [],
  };
  const longest = foundations > 4 ? 52 : 34;
  for (const card of cards) {
    const column = board.columns[roll(3) ? roll(columns) : 0];
    if (roll(4) === 0 || column.down + column.cards.length >= longest) board.foundations[Math.floor(card / 13) % foundations].push(card);
    else column.cards.push(card);
  }
  return board;
}

const KINDS = [
  { columns: 7, foundations: 4 },
  { columns: 7, foundations: 4, stock: true },
  { columns: 10, foundations: 8 },
];

/** @param {(board: Board, size: {width: number, height: number}, about: string) => void} check */
function forMany(check) {
  for (const [width, height] of SIZES) {
    for (const kind of KINDS) {
      for (let seed = 1; seed <= 12; seed += 1) {
        check(anyBoard(seed, kind), { width, height }, `${width}x${height} ${JSON.stringify(kind)} seed ${seed}`);
      }
    }
  }
}

test('no card leaves the table, and every card is drawn once', () => {
  forMany((board, size, about) => {
    const layout = layOut(size, board);
    const all = places(layout, board);
    for (const { x, y, key } of all) {
      assert.ok(x >= 0 && y >= 0 && x + layout.w <= size.width + 0.01 && y + layout.h <= size.height + 0.01, `${about}: ${key}`);
    }
    assert.equal(new Set(all.map(({ key }) => key)).size, all.length, about);
    const count = board.columns.reduce((sum, { down, cards }) => sum + down + cards.length, 0) + board.stock + board.waste.length;
    assert.equal(all.length, count + board.foundations.flat().length, about);
  });
});

test('the index of every face-up card shows', () => {
  forMany((board, size, about) => {
    const layout = layOut(size, board);
    for (const { up, strip, pile } of places(layout, board)) {
      if (up && pile < FOUNDATIONS) assert.ok(strip >= UP.least * layout.h - 0.01, about);
    }
  });
});

test('a column lies in its order, face-down cards closer than face-up ones', () => {
  forMany((board, size, about) => {
    const layout = layOut(size, board);
    const all = places(layout, board);
    board.columns.forEach((_, pile) => {
      const column = all.filter((place) => place.pile === pile);
      column.forEach((place, i) => assert.ok(i === 0 || place.y > column[i - 1].y, about));
      assert.ok(layout.columns[pile].down <= layout.columns[pile].up, about);
    });
  });
});

test('piles never lie on each other', () => {
  forMany((board, size, about) => {
    const layout = layOut(size, board, true);
    const piles = [...board.columns.keys(), ...board.foundations.map((_, i) => i + FOUNDATIONS), STOCK, WASTE];
    if (board.foundations.length > 4) piles.splice(-2);
    const rects = piles.map((pile) => /** @type {{x: number, y: number}} */ (placeOf(layout, pile)));
    rects.forEach((a, i) => {
      for (const b of rects.slice(0, i)) {
        assert.ok(Math.abs(a.x - b.x) >= layout.w - 0.01 || Math.abs(a.y - b.y) >= layout.h - 0.01, about);
      }
    });
    const fans = places(layout, board).filter(({ pile }) => pile === WASTE);
    for (const fan of fans) {
      for (const at of [...layout.foundations, ...(layout.stock ? [layout.stock] : [])]) {
        assert.ok(Math.abs(fan.x - at.x) >= layout.w - 0.01 || Math.abs(fan.y - at.y) >= layout.h - 0.01, about);
      }
    }
  });
});

test('34 cards lie on a small phone without making its cards smaller', () => {
  const empty = { down: 0, cards: [] };
  /** @type {Board} */
  const board = { columns: Array.from({ length: 7 }, () => empty), foundations: [[], [], [], []], stock: 0, waste: [] };
  const usual = layOut({ width: 360, height: 528 }, board);
  const long = { ...board, columns: [{ down: 0, cards: Array.from({ length: 34 }, (_, i) => i) }, ...board.columns.slice(1)] };
  const layout = layOut({ width: 360, height: 528 }, long);
  assert.equal(layout.w, usual.w);
  assert.ok(layout.w >= 44);
  assert.ok(layout.columns[0].up < layout.columns[1].up, 'only the long column closes up');
});

test('52 cards lie on a small phone in ten columns', () => {
  const column = { down: 8, cards: Array.from({ length: 44 }, (_, i) => i) };
  /** @type {Board} */
  const board = { columns: Array.from({ length: 10 }, (_, i) => (i ? { down: 0, cards: [] } : column)), foundations: Array.from({ length: 8 }, () => []), stock: 0, waste: [] };
  const layout = layOut({ width: 360, height: 528 }, board);
  assert.ok(layout.w > 30);
});

test('cards stay as wide as a hand likes them', () => {
  forMany((board, size) => assert.ok(layOut(size, board).w <= (size.width > 1600 ? 152 : 120)));
});

test('a column closes up face-down cards first', () => {
  const free = squeeze(6, 5, 100, 1000);
  assert.deepEqual(free, { down: DOWN.best * 100, up: UP.best * 100 });
  const tight = squeeze(6, 5, 100, 240);
  assert.ok(tight.down < free.down && tight.up === free.up);
  const tighter = squeeze(6, 10, 100, 300);
  assert.ok(Math.abs(tighter.down - DOWN.least * 100) < 1e-9 && tighter.up < free.up);
});

test('a touch finds the card that shows there', () => {
  forMany((board, size, about) => {
    const layout = layOut(size, board);
    const all = places(layout, board);
    for (const place of all.filter(({ buried, pile }) => !buried && pile < FOUNDATIONS)) {
      assert.deepEqual(hit(layout, all, place.x + layout.w / 2, place.y + Math.min(place.strip, layout.h) / 2), { pile: place.pile, index: place.index }, about);
    }
  });
});

test('below a column and on empty places there is a place but no card', () => {
  /** @type {Board} */
  const board = { columns: [{ down: 1, cards: [5] }, ...Array.from({ length: 6 }, () => ({ down: 0, cards: [] }))], foundations: [[], [], [], []], stock: 0, waste: [] };
  const layout = layOut({ width: 1000, height: 700 }, board);
  const all = places(layout, board);
  assert.deepEqual(hit(layout, all, layout.columns[0].x + 5, layout.bottom - 5), { pile: 0, index: -1 });
  assert.deepEqual(hit(layout, all, layout.columns[3].x + 5, layout.columns[3].y + 5), { pile: 3, index: -1 });
  assert.deepEqual(hit(layout, all, layout.foundations[2].x + 5, layout.foundations[2].y + 5), { pile: FOUNDATIONS + 2, index: -1 });
  assert.equal(hit(layout, all, 1, 1), null);
});

test('a group lands on the legal pile that it covers, not on a better covered illegal one', () => {
  const board = anyBoard(3, KINDS[0]);
  const layout = layOut({ width: 1000, height: 700 }, board);
  const between = { x: layout.columns[2].x + layout.w * 0.4, y: 300 };
  assert.equal(landing(layout, between, [], 0).target, 2);
  assert.deepEqual(landing(layout, between, [3], 0), { target: 3, area: 'tableau' });
  const own = { x: layout.columns[2].x + layout.w * 0.2, y: 300 };
  assert.equal(landing(layout, own, [3], 2).target, 2, 'hardly moved: it stays');
  assert.deepEqual(landing(layout, layout.foundations[1], [], 2), { target: FOUNDATIONS + 1, area: 'foundations' });
  assert.deepEqual(landing(layout, { x: -500, y: 0 }, [1], 2), { target: null, area: null });
});

test('in a tight column a finger means the nearest card that can go', () => {
  /** @type {Board} */
  const board = { columns: [{ down: 0, cards: Array.from({ length: 34 }, (_, i) => i) }, ...Array.from({ length: 6 }, () => ({ down: 0, cards: [] }))], foundations: [[], [], [], []], stock: 0, waste: [] };
  const layout = layOut({ width: 360, height: 528 }, board);
  const column = places(layout, board).filter(({ pile }) => pile === 0);
  const y = column[10].y + 2;
  assert.equal(meant(column, 10, y, [24, 25]), 10, 'the card itself can go');
  assert.equal(meant(column, 10, y, [25]), 9, 'the one above it can');
  assert.equal(meant(column, 10, y, [20]), 10, 'what can go is too far');
  assert.equal(meant(column, 10, y, []), 10);
  const wide = { ...board, columns: [{ down: 0, cards: [1, 2, 3] }, ...board.columns.slice(1)] };
  const big = layOut({ width: 1000, height: 900 }, wide);
  const loose = places(big, wide).filter(({ pile }) => pile === 0);
  assert.equal(meant(loose, 1, loose[1].y + 1, [3]), 1, 'where there is room a finger is believed');
});
