/** The map under the cards: contour lines of made-up hills, drawn once. */

import { whenIdle } from './anim.js';
import { svg } from './cards.js';

const WIDTH = 160;
const HEIGHT = 100;
const STEP = 2;
const LEVELS = 14;

/** Height of the land at a point: a few long waves over each other. @param {number} x @param {number} y */
function land(x, y) {
  const east = x + 11 * Math.sin(y * 0.05 + 1) + 5 * Math.sin(x * 0.03 + y * 0.07);
  const south = y + 9 * Math.sin(x * 0.045 + 2);
  return (
    Math.sin(east * 0.046 + south * 0.03)
    + 0.8 * Math.sin(east * 0.028 - south * 0.055 + 2.1)
    + 0.42 * Math.sin(east * 0.09 + south * 0.05 + 4)
    + 0.24 * Math.sin(south * 0.13 - east * 0.06 + 1)
  );
}

/** @typedef {[number, number]} Point */

/** The pieces of one contour line, cell by cell (marching squares). @param {number} level @param {(column: number, row: number) => number} at @returns {[Point, Point][]} */
function pieces(level, at) {
  /** @type {[Point, Point][]} */
  const found = [];
  for (let row = 0; row < HEIGHT / STEP; row += 1) {
    for (let column = 0; column < WIDTH / STEP; column += 1) {
      const corners = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
      if (Math.min(...corners) >= level || Math.max(...corners) < level) continue;
      /** @type {Point[]} */
      const crossings = [];
      corners.forEach((a, i) => {
        const b = corners[(i + 1) % 4];
        if (a < level === b < level) return;
        const part = (level - a) / (b - a);
        const [x, y] = [[part, 0], [1, part], [1 - part, 1], [0, 1 - part]][i];
        crossings.push([(column + x) * STEP, (row + y) * STEP]);
      });
      for (let i = 0; i + 1 < crossings.length; i += 2) found.push([crossings[i], crossings[i + 1]]);
    }
  }
  return found;
}

const name = (/** @type {Point} */ [x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`;

/** Joins pieces end to end. @param {[Point, Point][]} found @returns {Point[][]} */
function lines(found) {
  /** @type {Map<string, Set<[Point, Point]>>} */
  const ends = new Map();
  for (const piece of found) {
    for (const end of piece) {
      const key = name(end);
      ends.set(key, (ends.get(key) ?? new Set()).add(piece));
    }
  }
  const left = new Set(found);
  /** @param {Point[]} line */
  const grow = (line) => {
    for (;;) {
      const end = line[line.length - 1];
      const next = [...(ends.get(name(end)) ?? [])].find((piece) => left.has(piece));
      if (!next) return;
      left.delete(next);
      line.push(name(next[0]) === name(end) ? next[1] : next[0]);
    }
  };
  const result = [];
  for (const piece of left) {
    left.delete(piece);
    const line = [...piece];
    grow(line);
    line.reverse();
    grow(line);
    result.push(line);
  }
  return result;
}

/** A smooth line through the middles of the pieces. @param {Point[]} line */
function smooth(line) {
  let d = `M${line[0].map((value) => value.toFixed(1))}`;
  for (let i = 1; i < line.length - 1; i += 1) {
    const middle = [(line[i][0] + line[i + 1][0]) / 2, (line[i][1] + line[i + 1][1]) / 2];
    d += `Q${line[i].map((value) => value.toFixed(1))} ${middle.map((value) => value.toFixed(1))}`;
  }
  return `${d}L${line[line.length - 1].map((value) => value.toFixed(1))}`;
}

/** Draws the map line by line, while nothing else is to be done. @returns {Promise<SVGElement>} as large as its box; every fourth line is an index contour, a little stronger */
export async function contours() {
  const wide = WIDTH / STEP + 1;
  const heights = Float64Array.from({ length: wide * (HEIGHT / STEP + 1) }, (_, i) => land((i % wide) * STEP, Math.floor(i / wide) * STEP));
  const at = (/** @type {number} */ column, /** @type {number} */ row) => heights[row * wide + column];
  /** @type {Record<string, string>} */
  const d = { fine: '', strong: '' };
  for (let i = 0; i < LEVELS; i += 1) {
    await whenIdle();
    const kind = i % 4 === 2 ? 'strong' : 'fine';
    for (const line of lines(pieces(-2 + (4 * (i + 0.5)) / LEVELS, at))) if (line.length > 8) d[kind] += smooth(line);
  }
  return svg('svg', { class: 'contours', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true' },
    Object.keys(d).map((kind) => svg('path', { class: `contour ${kind}`, d: d[kind] })));
}
