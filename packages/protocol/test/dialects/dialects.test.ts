import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { context, dialectNamed, dialects, isOfficial, reading, received } from './received.ts';
import { rows, type Case, type Row } from './rows.ts';

const numbers = Array.from({ length: 56 }, (_, index) => `D${String(index + 1).padStart(2, '0')}`);

function becomes(each: Case): unknown {
  return 'becomes' in each ? each.becomes : each.value;
}

function casesOf(wanted: (profile: string) => boolean): readonly (Case & { readonly title: string })[] {
  return Object.entries(rows).flatMap(([number, row]) =>
    'profile' in row && wanted(row.profile)
      ? row.cases.map((each, index) => ({ ...each, title: `${number} (${index + 1})`, profile: row.profile }))
      : [],
  );
}

/** True if a dialect returns the very same value. */
function leavesAlone(name: string, { place, value, given }: Case): boolean {
  const dialect = dialectNamed(name);
  if ('error' in place) return dialect.error === undefined;
  return (reading(dialect, place)?.rewrite(value, context(given)) ?? value) === value;
}

test('every deviation has test cases or a stated reason for having none', () => {
  expect(Object.keys(rows)).toEqual(numbers);
  const isHandled = (row: Row): boolean => ('profile' in row ? row.cases.length > 0 : row.reason.length > 20);
  expect(numbers.filter((number) => rows[number] === undefined || !isHandled(rows[number]))).toEqual([]);
});

test('the documentation names the profile of every deviation', () => {
  const page = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| (D\d\d) \|.*\| ([^|]+) \| [^|]+ \|$/gmu)].map(([, number, profile]) => [
    number,
    profile,
  ]);
  expect(documented).toEqual(
    Object.entries(rows).map(([number, row]) => [number, 'profile' in row ? row.profile : '–']),
  );
});

describe.each(['lenient', 'go-reference', 'pharo'])('the %s dialect', (name) => {
  test.each(casesOf((profile) => profile === name || profile === 'lenient'))(
    `the ${name} dialect turns deviation $title into the expected message`,
    (each) => {
      expect(received(dialectNamed(name), each)).toEqual([becomes(each)]);
    },
  );

  test.each(casesOf((profile) => profile !== name && profile !== 'lenient'))(
    `the ${name} dialect does not change deviation $title, which belongs to another dialect`,
    (each) => {
      // Errors have no official reading to be left alone for: the same number means something in both dialects.
      expect(leavesAlone(name, each) || ('error' in each.place && name !== 'lenient')).toBe(true);
    },
  );
});

test.each(casesOf(() => true))(
  'the expected message of deviation $title fits the official schema unless the case expects a refusal',
  (each) => {
    expect(isOfficial(each.place, becomes(each))).toBe(each.refused !== true);
  },
);

test('the strict dialect rewrites nothing', () => {
  expect(dialectNamed('strict')).toEqual({ name: 'strict', params: {}, results: {} });
});

test('every dialect leaves the deviations without a profile unchanged', () => {
  const untouched = Object.values(rows).flatMap((row) => ('reason' in row ? (row.untouched ?? []) : []));
  const rewritten = untouched.filter((each) => dialects.some(({ name }) => !leavesAlone(name, each)));
  expect(rewritten).toEqual([]);
});

test('a message of several blocks becomes one chunk per block, all with the same message id', () => {
  const say = (content: readonly unknown[]): unknown => ({
    sessionId: 's',
    update: { type: 'message', role: 'agent', content },
  });
  const chunk = (content: unknown): unknown => ({
    sessionId: 's',
    update: { sessionUpdate: 'agent_message_chunk', messageId: 'turnwire-message-1', content },
  });
  const place = { params: 'session/update' };
  const text = { type: 'text', text: 'See' };
  const link = { uri: 'file:///x', name: 'x' };
  expect(received(dialectNamed('lenient'), { place, value: say([text, { type: 'resourceLink', ...link }]) })).toEqual([
    chunk(text),
    chunk({ type: 'resource_link', ...link }),
  ]);
  expect(received(dialectNamed('lenient'), { place, value: say([]) })).toEqual([]);
});

test('reading an error that was read already does not change it', () => {
  for (const name of ['go-reference', 'pharo']) {
    const read = dialectNamed(name).error;
    for (let code = -32100; code <= -31999; code++) {
      const once = read?.({ code, message: 'No.', data: ['why'] }, 'authenticate', { sessionId: 's' });
      expect(once && read?.(once, 'authenticate', { sessionId: 's' })).toEqual(once);
    }
  }
});
