import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import words from '../../client/locales/en-pages.js';
import { extend } from '../../client/js/i18n.js';
import { encode } from '../../client/js/msgpack.js';
import { boardHref, boardPath, hrefOf, viewOf } from '../../client/js/pages/address.js';
import { monthAfter, weeksOf } from '../../client/js/pages/calendar.js';
import { bars } from '../../client/js/pages/chart.js';
import { bytesOf, frameAt, readFilm } from '../../client/js/pages/film.js';
import { count, dayAfter, dayName, left, monthName, ordinal, percent, shareText, time, when } from '../../client/js/pages/format.js';
import { isUnfinished } from '../../client/js/pages/history.js';
import { chosen } from '../../client/js/pages/me.js';
import { EVENLY, START, advance, isAtEnd, seek, toggle } from '../../client/js/pages/reel.js';
import { newRows, withFirst, withPage } from '../../client/js/pages/rows.js';
import { boardOf } from '../../client/js/pages/standing.js';
import { isPage } from '../../client/js/route.js';

extend(words);

/** @param {string} address */
const view = (address) => viewOf(new URL(address, 'http://yukon.test'), 'R');

test('which addresses are pages', () => {
  for (const path of ['/boards', '/daily', '/daily/', '/me', '/transfer', '/replay/AbC-_9']) assert.ok(isPage(path), path);
  for (const path of ['/', '/g/YU1-C-AAAAAAB', '/r/abc', '/replay/', '/replay', '/boards/more', '/mean']) assert.ok(!isPage(path), path);
});

test('a leaderboard is named by its address, and what is not known falls back to the first', () => {
  assert.deepEqual(view('/boards?ruleset=c&order=moves&window=week&place=mine'),
    { page: 'boards', letter: 'C', order: 'moves', span: 'week', code: null, day: null, around: true });
  assert.deepEqual(view('/boards?order=worst&window=year&ruleset=Classic'),
    { page: 'boards', letter: 'R', order: 'best', span: 'day', code: null, day: null, around: false });
  assert.deepEqual(view('/boards?code=YU1-D-AAAAAAB'),
    { page: 'boards', letter: 'D', order: 'best', span: 'day', code: 'YU1-D-AAAAAAB', day: null, around: false });
  assert.deepEqual(view('/boards?daily=T:2026-11-30'),
    { page: 'boards', letter: 'T', order: 'best', span: 'day', code: null, day: '2026-11-30', around: false });
});

test('the other pages are read from their addresses; a secret is never written back', () => {
  assert.deepEqual(view('/daily'), { page: 'daily', letter: 'R', month: null });
  assert.deepEqual(view('/daily?ruleset=C&month=2026-10'), { page: 'daily', letter: 'C', month: '2026-10' });
  assert.deepEqual(view('/daily?month=October'), { page: 'daily', letter: 'R', month: null });
  assert.deepEqual(view('/me'), { page: 'me', letter: null });
  assert.deepEqual(view('/replay/AbC-_9'), { page: 'replay', session: 'AbC-_9' });
  assert.deepEqual(view('/replay/%E0%A4%A'), { page: 'replay', session: '%E0%A4%A' });
  assert.deepEqual(view('/transfer#very-secret'), { page: 'transfer', secret: 'very-secret' });
  assert.equal(hrefOf({ page: 'transfer', secret: 'very-secret' }), '/transfer');
  assert.equal(view('/'), null);
});

test('every view has an address that shows the same again', () => {
  for (const address of [
    '/boards?ruleset=C&order=best&window=week', '/boards?ruleset=R&order=moves&window=all&place=mine', '/boards?code=YU1-C-AAAAAAB&order=best',
    '/boards?daily=C:2026-11-30&order=best', '/daily?ruleset=S&month=2026-02', '/daily?ruleset=S', '/me', '/me?ruleset=P', '/replay/AbC-_9',
  ]) {
    const shown = view(address);
    assert.ok(shown);
    assert.equal(hrefOf(shown), address);
  }
  assert.equal(boardHref({ code: 'YU1-C-AAAAAAB' }), '/boards?code=YU1-C-AAAAAAB&order=best');
});

test('the request behind a leaderboard', () => {
  const path = (/** @type {string} */ address) => boardPath(/** @type {any} */ (view(address)));
  assert.equal(path('/boards?ruleset=C&order=moves&window=week'), '/api/boards/C/week/moves');
  assert.equal(path('/boards?code=YU1-C-AAAAAAB'), '/api/boards/code/YU1-C-AAAAAAB/best');
  assert.equal(path('/boards?code=../x'), '/api/boards/code/..%2Fx/best');
  assert.equal(path('/boards?daily=C:2026-11-30&order=moves'), '/api/boards/daily/C/2026-11-30/moves');
});

test('the board that a result is on', () => {
  const game = { letter: 'C', code: 'YU1-C-AAAAAAB', origin: 0, counts: false, day: null };
  assert.equal(boardOf(game).path, '/api/boards/code/YU1-C-AAAAAAB/best');
  assert.equal(boardOf({ ...game, origin: 2, counts: true }).path, '/api/boards/C/day/best');
  assert.equal(boardOf({ ...game, origin: 2 }).path, '/api/boards/code/YU1-C-AAAAAAB/best');
  const daily = boardOf({ ...game, code: null, origin: 3, counts: true, day: '2026-11-30' });
  assert.deepEqual(daily, { href: '/boards?daily=C:2026-11-30&order=best', path: '/api/boards/daily/C/2026-11-30/best' });
});

test('numbers and places as people read them', () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 1111].map(ordinal),
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '103rd', '1,111th']);
  assert.equal(count(12345), '12,345');
  assert.deepEqual([null, 0, 0.4251, 1].map(percent), ['–', '0 %', '43 %', '100 %']);
  assert.deepEqual([null, 247_000].map(time), ['–', '4:07']);
});

test('times and days as people read them', () => {
  const hour = 3_600_000;
  assert.deepEqual([30_000, 12 * 60_000, 5 * hour + 4 * 60_000, 50 * hour].map(left), ['less than a minute', '12 min', '5 h 4 min', '2 d 2 h']);
  assert.equal(dayName('2026-11-30'), 'Monday 30 November');
  assert.equal(dayName('2026-11-30', 'short'), '30 November');
  assert.equal(monthName('2026-11'), 'November 2026');
  assert.deepEqual([dayAfter('2026-03-01', -1), dayAfter('2028-02-28', 1), dayAfter('2026-12-31', 1)], ['2026-02-28', '2028-02-29', '2027-01-01']);
  const now = new Date(2026, 10, 30, 18, 30).getTime();
  assert.equal(when(new Date(2026, 10, 30, 9, 5).getTime(), now), '09:05');
  assert.equal(when(new Date(2026, 10, 29, 9, 5).getTime(), now), '29 Nov');
  assert.equal(when(new Date(2025, 10, 30, 9, 5).getTime(), now), '30 Nov 2025');
});

test('a shared result says how it went and nothing of the cards', () => {
  const result = { name: 'Classic', day: '2026-11-30', won: true, score: 625, moves: 96, time: 247_000, link: 'https://yukon.test/daily?ruleset=C' };
  assert.equal(shareText(result), 'Yukon daily, Classic, 30 November\nWon in 4:07 with 96 moves\nhttps://yukon.test/daily?ruleset=C');
  assert.equal(shareText({ ...result, won: false, score: 310, time: null }).split('\n')[1], '310 points with 96 moves');
});

/** @param {number} place @param {Partial<import('../../client/js/pages/rows.js').Row>} [more] */
const row = (place, more = {}) => ({
  place, player: `p${place}`, name: null, time: 1000 * place, score: 625, moves: 90, won: true, code: null, ended: place, replay: null, ...more,
});

test('a new first row pushes the others down, and the pages that were read stay', () => {
  const rows = [row(1), row(2), row(3), row(4)];
  const first = [row(1, { player: 'new', ended: 99 }), row(2, { player: 'p1', ended: 1 })];
  const after = withFirst(rows, first, false);
  assert.deepEqual(after.map(({ place, player }) => [place, player]), [[1, 'new'], [2, 'p1'], [3, 'p2'], [4, 'p3'], [5, 'p4']]);
  assert.deepEqual(newRows(rows, after).map(({ player }) => player), ['new']);
});

test('a player who does better moves up and has no second row', () => {
  const rows = [row(1), row(2), row(3), row(4)];
  const first = [row(1, { player: 'p4', ended: 99 }), row(2, { player: 'p1', ended: 1 })];
  assert.deepEqual(withFirst(rows, first, false).map(({ place, player }) => [place, player]), [[1, 'p4'], [2, 'p1'], [3, 'p2'], [4, 'p3']]);
  assert.deepEqual(newRows(rows, first).map(({ player }) => player), ['p4']);
});

test('where the first page is all there is, it replaces everything', () => {
  assert.deepEqual(withFirst([row(1), row(2)], [row(1, { player: 'p2', ended: 2 })], true).map(({ player }) => player), ['p2']);
  assert.deepEqual(withFirst([row(1)], [], true), []);
});

test('a page read later repeats no row', () => {
  assert.deepEqual(withPage([row(1), row(2)], [row(2), row(3)]).map(({ place }) => place), [1, 2, 3]);
});

/** @param {...number} bytes */
const bin = (...bytes) => new Uint8Array(bytes);
/** @param {unknown} message */
const hex = (message) => Buffer.from(encode(message)).toString('hex');

const FILM = {
  session: 's', letter: 'C', code: 'YU1-C-AAAAAAB', player: { id: 'p', name: 'Zoé' }, state: 'won', score: 15, ranked: 15, moves: 2, time: 5000, dealt: 1_800_000_000_000,
  start: hex([65, 's', 0, 0, 0, 0, 'C', 'YU1-C-AAAAAAB', null, 0, [bin(1, 12), bin(0)], [bin(), bin(), bin(), bin()], 0, bin(), bin(), 0, 1]),
  events: [
    [1000, hex([66, 1, 1, 5, 1, bin(0, 1, 1, 128, 0), bin()])],
    [1500, hex([66, 2, 0, 0, 2, bin(255, 2, 0, 160, 1, 1, 0), bin()])],
    [2000, hex([66, 3, 8, 0, 2, bin(255, 3, 0), bin(), 2000])],
    [9000, hex([66, 4, 0, 0, 2, bin(255, 4, 0), bin(), 2000])],
    [10_000, hex([66, 5, 1, 5, 3, bin(0, 1, 1, 128, 0), bin()])],
    [12_000, hex([66, 6, 16, 15, 4, bin(0, 1, 16), bin(), 5000])],
  ],
};

test('a replay is read into boards, by the clock that stands while the game is paused', () => {
  const { frames, player, time: ms } = readFilm(FILM);
  assert.deepEqual([player.name, ms, frames.length], ['Zoé', 5000, 7]);
  assert.deepEqual(frames.map(({ at }) => at), [0, 1000, 1500, 2000, 2000, 3000, 5000]);
  assert.deepEqual(frames.map(({ kind }) => kind), ['deal', 'move', 'undo', 'pause', 'resume', 'move', 'end']);
  assert.deepEqual(frames[1].board.columns, [{ down: 0, cards: [0] }, { down: 0, cards: [12] }]);
  assert.deepEqual(frames[2].board.columns, frames[0].board.columns);
  assert.deepEqual(frames[6].board.foundations[0], [0]);
  assert.deepEqual([frames[0].moved, frames[1].moved, frames[2].moved], [null, { pile: 1, count: 1 }, { pile: 0, count: 1 }]);
});

test('a replay that is not as the contract says is refused', () => {
  assert.throws(() => readFilm({ ...FILM, start: FILM.events[0][1] }));
  assert.throws(() => readFilm({ ...FILM, events: [[1, FILM.start]] }));
  assert.throws(() => bytesOf('0g'));
  assert.throws(() => bytesOf('abc'));
});

test('the frame at an instant is the last that stands then', () => {
  const { frames } = readFilm(FILM);
  assert.deepEqual([0, 999, 1000, 1999, 2000, 4999, 5000, 99_999].map((at) => frameAt(frames, at)), [0, 0, 1, 2, 4, 5, 6, 6]);
});

test('a film plays by the clock of the game, as fast as one wants, and stops at its end', () => {
  const { frames } = readFilm(FILM);
  let reel = toggle(frames, { ...START, speed: 4 });
  assert.ok(reel.playing);
  reel = advance(frames, reel, 200);
  assert.deepEqual([reel.at, reel.index], [800, 0]);
  reel = advance(frames, reel, 100);
  assert.deepEqual([reel.at, reel.index], [1200, 1]);
  reel = advance(frames, reel, 10_000);
  assert.deepEqual([reel.at, reel.index, reel.playing], [5000, 6, false]);
  assert.equal(advance(frames, reel, 1000), reel);
  assert.deepEqual([toggle(frames, reel).index, toggle(frames, reel).playing], [0, true]);
});

test('by move every move is seen as long as every other', () => {
  const { frames } = readFilm(FILM);
  let reel = toggle(frames, { ...START, speed: 0 });
  reel = advance(frames, reel, EVENLY - 1);
  assert.equal(reel.index, 0);
  reel = advance(frames, reel, 1);
  assert.deepEqual([reel.index, reel.at], [1, 1000]);
  reel = advance(frames, reel, 100 * EVENLY);
  assert.ok(isAtEnd(frames, reel) && !reel.playing);
});

test('one jumps anywhere, and no further than the film goes', () => {
  const { frames } = readFilm(FILM);
  assert.deepEqual([-5, 3, 99].map((index) => seek(frames, { ...START }, index).index), [0, 3, 6]);
  assert.equal(seek(frames, { ...START }, 5).at, 3000);
});

test('a month in weeks from Monday, with what is known of its days', () => {
  const mark = { won: true, score: 625, moves: 90, time: 1000 };
  const weeks = weeksOf('2026-11', [{ day: '2026-11-02', open: false, over: true, mark }]);
  assert.equal(weeks.length, 6);
  assert.ok(weeks.every((week) => week.length === 7));
  assert.deepEqual([weeks[0].filter(Boolean).length, weeks[0][6]?.day, weeks[1][0]?.mark, weeks[5][0]?.day], [1, '2026-11-01', mark, '2026-11-30']);
  assert.equal(weeksOf('2027-02', []).length, 4);
  assert.deepEqual([monthAfter('2026-12', 1), monthAfter('2026-01', -1)], ['2027-01', '2025-12']);
});

test('the bars of the last games: the newest at the right, the best the highest, none outside', () => {
  const game = (/** @type {number} */ score) => ({ won: true, score, time: 1, moves: 1, ended: 1 });
  const drawn = bars([game(0), game(300), game(600), game(-10)]);
  assert.equal(drawn.length, 4);
  assert.deepEqual(drawn.map(({ height }) => height), [2, 58, 116, 2]);
  assert.ok(drawn.every(({ x, y, width, height }) => x >= 0 && x + width <= 600 && y >= 0 && y + height <= 120.001));
  assert.ok(drawn[3].x > 560);
  assert.equal(bars(Array.from({ length: 40 }, () => game(1))).length, 30);
});

test('the statistics of the rules that were asked for, else of those played most', () => {
  const of = (/** @type {string} */ letter, /** @type {number} */ games) => /** @type {any} */ ({ letter, games });
  const all = [of('C', 3), of('R', 9), of('O', 0)];
  assert.equal(chosen(all, 'O')?.letter, 'O');
  assert.equal(chosen(all, null)?.letter, 'R');
  assert.equal(chosen([of('C', 0)], null), null);
});

test('which games can be gone on with', () => {
  const unfinished = ['playing', 'paused', 'blocked', 'won', 'given_up', 'over'].filter((state) => isUnfinished(/** @type {any} */ ({ state })));
  assert.deepEqual(unfinished, ['playing', 'paused', 'blocked']);
});

/** The selectors of a style sheet, without its comments. @param {string} name */
function selectors(name) {
  const css = readFileSync(new URL(`../../client/css/${name}`, import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...css.matchAll(/(?<=^|[{}])\s*([^{}@]+)\{/g)].flatMap((match) => match[1].split(',').map((one) => one.trim()));
}

test('the style sheet of the pages, once loaded, changes nothing of the table, the panels and the rooms', () => {
  const others = new Set(['table.css', 'panels.css', 'rooms.css'].flatMap(selectors).flatMap((one) => one.match(/\.[a-z][\w-]*/g) ?? []));
  // What is read to people alone is hidden in one way everywhere.
  others.delete('.unseen');
  const first = selectors('pages.css').map((one) => one.split(/[\s>+~]/)[0]).filter((one) => !/^#page|^\[data-page/.test(one));
  assert.deepEqual(first.filter((one) => one.match(/\.[a-z][\w-]*/g)?.every((name) => others.has(name))), []);
});
