import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import en from '../../client/locales/en.js';
import { cardName } from '../../client/js/describe.js';
import { clock, extend, has, t } from '../../client/js/i18n.js';

const client = new URL('../../client/', import.meta.url);
/** The words of the parts that are loaded later. @type {{name: string, words: Record<string, string>}[]} */
const parts = await Promise.all(
  readdirSync(new URL('locales/', client)).filter((name) => /^en-.*\.js$/.test(name))
    .map(async (name) => ({ name, words: (await import(new URL(`locales/${name}`, client).href)).default })),
);
/** @type {Record<string, string>} */
const all = Object.assign({ ...en }, ...parts.map(({ words }) => words));
for (const { words } of parts) extend(words);
const protocol = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');

/** Every source file of the client. @returns {{name: string, source: string}[]} */
const sources = () =>
  readdirSync(new URL('js/', client), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, source: readFileSync(new URL(`js/${name}`, client), 'utf8') }));

test('every refusal code of the contract has words', () => {
  const section = /## Refusal codes\n([\s\S]*?)\n## /.exec(protocol)?.[1] ?? '';
  const codes = [...section.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1].split(/\s+/)).filter((code) => /^[a-z_]+$/.test(code));
  assert.ok(codes.length > 30, 'the section was found');
  assert.deepEqual(codes.filter((code) => !has(`refusal.${code}`)), []);
});

test('every close code from 4500 has words', () => {
  const codes = [...protocol.matchAll(/^\| (45\d\d) \|/gm)].map((match) => match[1]);
  assert.ok(codes.length >= 4);
  assert.deepEqual(codes.filter((code) => !has(`connection.stopped_${code}`)), []);
});

test('every key that the client names exists', () => {
  const missing = sources().flatMap(({ name, source }) =>
    [...source.matchAll(/\bt\(\s*'([^']+)'|notice\(\s*'([^']+)'|key: '([a-z_]+\.[a-z_]+)'/g)]
      .map((match) => match[1] ?? match[2] ?? match[3])
      .filter((key) => !has(key))
      .map((key) => `${name}: ${key}`));
  assert.deepEqual(missing, []);
});

test('every key whose name is put together exists in all its forms', () => {
  const groups = sources().flatMap(({ source }) => [...source.matchAll(/\bt\(\s*`([a-z_]+)\.\$\{/g)].map((match) => match[1]));
  for (const group of new Set(groups)) assert.ok(Object.keys(all).some((key) => key.startsWith(`${group}.`)), group);
});

test('texts are not empty, and name no parameter that nobody gives', () => {
  for (const [key, text] of Object.entries(all)) {
    assert.ok(text.trim(), key);
    assert.equal((text.match(/\{/g) ?? []).length, (text.match(/\{\w+\}/g) ?? []).length, key);
  }
});

test('a part that is loaded later changes no words that were there', () => {
  const taken = parts.flatMap(({ name, words }) => Object.keys(words).filter((key) => Object.hasOwn(en, key)).map((key) => `${name}: ${key}`));
  assert.deepEqual(taken, []);
});

test('parameters are filled in; a missing key shows itself', () => {
  assert.equal(t('win.about', { name: 'Classic' }), 'You won this game of Classic.');
  assert.equal(t('no.such'), 'no.such');
  assert.equal(cardName(13 + 11), 'queen of hearts');
  assert.equal(cardName(52), 'ace of spades');
});

test('times read as on a clock', () => {
  assert.deepEqual([0, 999, 7_000, 247_000, 3_599_999, 3_847_000, -5].map(clock), ['0:00', '0:00', '0:07', '4:07', '59:59', '1:04:07', '0:00']);
});
