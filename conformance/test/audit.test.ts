import { expect, test } from 'vitest';
import { auditJournal } from '../src/audit/audit-journal.ts';
import { rules } from '../src/audit/rules.ts';
import { requirements } from '../src/requirements/requirements.ts';
import { agentBasics } from './audit/agent-basics.ts';
import { agentThings } from './audit/agent-things.ts';
import { agentTurns } from './audit/agent-turns.ts';
import { clientCases } from './audit/client-cases.ts';
import {
  announce,
  ask,
  chunk,
  hello,
  journalOf,
  line,
  notify,
  opened,
  refuse,
  reply,
  type ScriptedLine,
  turn,
} from './audit/talk.ts';

test('every audit rule covers only requirements that apply to the side it judges', () => {
  const binds = new Map(requirements.map(({ id, binds: side }) => [id, side]));
  const wrong = [...rules[1], ...rules[2]].flatMap(({ judges, requirements: covered }) =>
    covered
      .filter((id) => !['both', judges].includes(binds.get(id) ?? '') && judges !== 'both')
      .map((id) => ({ judges, id })),
  );
  expect(wrong).toEqual([]);
});

/** Values that can replace any other value. */
const odd: readonly unknown[] = [null, true, -1, 1.5, '', 'x', [], [null], {}, { a: null }, [[{}]]];

function spoiled(value: unknown, countdown: { left: number }, by: unknown): unknown {
  if (countdown.left-- === 0) return by;
  if (Array.isArray(value)) return value.map((each) => spoiled(each, countdown, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoiled(each, countdown, by)]));
}

test('the audit never throws, whatever either side sends', () => {
  const all = Object.values({ ...agentBasics, ...agentTurns, ...agentThings, ...clientCases });
  const outcomes = new Set<string>();
  for (const [index, { held }] of all.entries())
    for (let nth = 0; nth < 12; nth++)
      for (const each of outcomesOf(held.map((said) => spoiledLine(said, nth, odd[(index + nth) % odd.length]))))
        outcomes.add(each);
  expect(outcomes).toEqual(new Set(['held', 'broken']));
});

function spoiledLine(said: ScriptedLine, nth: number, by: unknown): ScriptedLine {
  const value: unknown = JSON.parse(said.text.startsWith('{"') ? said.text : '0');
  return { ...said, text: JSON.stringify(spoiled(value, { left: nth }, by)) };
}

function outcomesOf(lines: readonly ScriptedLine[]): readonly string[] {
  const journal = journalOf(lines);
  return [...auditJournal(journal, 'agent'), ...auditJournal(journal, 'client')].map(({ outcome }) => outcome);
}

function brokenBy(side: 'agent' | 'client', lines: readonly ScriptedLine[]): readonly string[] {
  return auditJournal(journalOf(lines), side)
    .filter(({ outcome }) => outcome === 'broken')
    .map(({ requirement, message }) => `${requirement} ${message}`);
}

test('an agent is not blamed for faults of its client', () => {
  const rubbish: readonly ScriptedLine[] = [
    line('client', '{"jsonrpc":"2.0","id":5'),
    refuse(null, -32_700),
    line('client', '\ufffd', 'not UTF-8'),
    refuse(null, -32_700),
    line('client', '[{"jsonrpc":"2.0","id":1,"method":"x"}]'),
    refuse(null, -32_600),
    line('client', '{"jsonrpc":"2.0","id":8,"method":5}'),
    refuse(8, -32_600),
    ask(9, 'made/up'),
    refuse(9, -32_601),
    ask(null, 'session/new', { cwd: '.' }),
    refuse(null, -32_602),
    ask(1.5, '_x'),
    refuse(1.5, -32_601),
    notify('session/cancel', { sessionId: 'nobody' }),
    notify('$/cancel_request', { requestId: 77 }),
    line('client', '{"jsonrpc":"2.0","id":99,"result":{}}'),
  ];
  expect(brokenBy('agent', [...hello(), ...rubbish, ...opened().slice(2), ...turn()])).toEqual([]);
});

test('a login method that only a draft defines is no violation', () => {
  const methods = [{ type: 'env_var', id: 'key', name: 'Key', vars: [{ name: 'KEY' }] }];
  expect(brokenBy('agent', hello({ answer: { authMethods: methods } }))).toEqual([]);
});

test('options that disappear because another one changed are no violation', () => {
  const option = (id: string, currentValue: string): object => ({
    id,
    name: id,
    type: 'select',
    currentValue,
    options: ['small', 'large'].map((value) => ({ value, name: value })),
  });
  const all = [option('model', 'large'), option('effort', 'small'), option('speed', 'small')];
  const set = (id: number, value: string, answer: readonly object[]): readonly ScriptedLine[] => [
    ask(id, 'session/set_config_option', { sessionId: 's1', configId: 'model', value }),
    reply(id, { configOptions: answer }),
  ];
  const journal = journalOf([
    ...opened({ session: { configOptions: all } }),
    ...set(2, 'small', [option('model', 'small')]),
    ...set(3, 'large', all),
  ]);
  expect(auditJournal(journal, 'agent').filter(({ outcome }) => outcome === 'broken')).toEqual([]);
});

test('a frame that was cut off is no violation of either side', () => {
  const cut = [...opened(), ...turn().slice(0, 2), line('agent', '{"jsonrpc":"2.0","id":2,"resu', 'cut off')];
  expect([brokenBy('agent', cut), brokenBy('client', cut)]).toEqual([[], []]);
});

test('a journal that begins in the middle of a connection is judged by the frames it has', () => {
  const middle = [...turn([chunk()], 'end_turn', 9), announce('session/update', { sessionId: 's1', update: {} })];
  expect([brokenBy('agent', middle), brokenBy('client', middle)]).toEqual([
    ['R009 session/update, update: sessionUpdate: expected a string, received nothing'],
    [],
  ]);
});

test('a fault that occurs a thousand times is reported at most three times', () => {
  const faults = Array.from({ length: 1000 }, (_, index) => line('agent', JSON.stringify(`noise ${index}`)));
  const more = Array.from({ length: 1000 }, (_, index) => announce(`method${index}`));
  const seen = auditJournal(journalOf([...faults, ...more]), 'agent').filter(({ outcome }) => outcome === 'broken');
  expect(seen.map(({ requirement, message }) => `${requirement} ${message}`)).toEqual([
    'R009 A line is not a message',
    'R283 method0 is not a method of the protocol',
    'R283 method1 is not a method of the protocol',
    'R283 method2 is not a method of the protocol',
  ]);
});
