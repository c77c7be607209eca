import {
  readScriptedAnswers,
  scriptedElicitation,
  type ScriptedAnswers,
  type ScriptedRecord,
  urlConsent,
} from '@turnwire/client/elicitation';
import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { pair } from '../agent/agent-pair.ts';

const name: CreateElicitationRequest = {
  sessionId: 'one',
  mode: 'form',
  message: 'Who are you?',
  requestedSchema: {
    properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', default: 40 } },
    required: ['name'],
  },
};
const visit: CreateElicitationRequest = {
  sessionId: 'one',
  mode: 'url',
  message: 'Log in',
  url: 'https://example.com/login',
  elicitationId: 'e1',
};

/** The answers of a script to an agent, and the records of them. */
async function answers(
  script: ScriptedAnswers,
  ...requests: readonly CreateElicitationRequest[]
): Promise<readonly (readonly [CreateElicitationResponse, string])[]> {
  const records: ScriptedRecord[] = [];
  await using connected = await pair({
    host: { elicitation: scriptedElicitation(script, (record) => void records.push(record)) },
  });
  await connected.agent.newSession({ cwd: '/' });
  const responses = [];
  for (const request of requests) responses.push(await connected.theirs.request('elicitation/create', request));
  return responses.map((response, index) => [response, records[index]?.reason ?? 'no record']);
}

const prepared = 'answered from the prepared answers';

test('values by field name fill in every form that has the fields', async () => {
  expect(await answers({ name: 'Ada', unused: true }, name, name)).toEqual(
    Array(2).fill([{ action: 'accept', content: { name: 'Ada', age: 40 } }, prepared]),
  );
});

test('the first matching answer counts', async () => {
  const script: ScriptedAnswers = [
    { match: { message: 'other' }, action: 'decline' },
    { match: { key: 'missing' }, action: 'decline' },
    { match: { key: 'name', message: 'Who' }, action: 'accept', content: { name: 'Bob', age: 3 } },
    { action: 'decline' },
  ];
  expect(await answers(script, name, { ...name, message: 'Really?' })).toEqual([
    [{ action: 'accept', content: { name: 'Bob', age: 3 } }, prepared],
    [{ action: 'decline' }, prepared],
  ]);
});

test('a form without an answer, or without a valid one, is cancelled and recorded', async () => {
  expect([
    ...(await answers([], name, visit)),
    ...(await answers({}, name, visit)),
    ...(await answers([{ action: 'accept', content: { name: 'A', more: 1 } }], name)),
  ]).toEqual([
    [{ action: 'cancel' }, 'cancelled: no prepared answer matches the question'],
    [{ action: 'cancel' }, 'cancelled: no prepared answer matches the question'],
    [{ action: 'cancel' }, 'cancelled: name must be filled in'],
    [{ action: 'cancel' }, 'cancelled: no prepared answer opens a page'],
    [{ action: 'cancel' }, 'cancelled: name must have at least 2 characters; more is not a field of this form'],
  ]);
});

test('only an answer that names a page consents to it', async () => {
  const file = { ...visit, url: 'file:///etc/passwd' };
  expect([
    ...(await answers([{ action: 'accept' }], visit)),
    ...(await answers([{ match: { url: 'https://example.com/' }, action: 'accept' }], visit, file)),
    ...(await answers([{ match: { message: 'Log in' }, action: 'accept' }], visit, file)),
    ...(await answers([{ action: 'decline' }], visit)),
  ]).toEqual([
    [{ action: 'cancel' }, 'cancelled: a page is visited only if the answer names its address or message'],
    [{ action: 'accept' }, prepared],
    [{ action: 'cancel' }, 'cancelled: no prepared answer matches the question'],
    [{ action: 'accept' }, prepared],
    [{ action: 'cancel' }, 'cancelled: This is not a web page: it begins with file:'],
    [{ action: 'decline' }, prepared],
  ]);
});

test('a file of answers is read, and errors in it have their location', () => {
  const list = [{ match: { key: 'a' }, action: 'accept', content: { a: ['x'], b: 1 } }, { action: 'cancel' }];
  const wrong = [
    7,
    [7],
    [{ action: 'yes' }],
    [{ action: 'accept' }, { action: 'accept', content: { a: null } }],
    [{ action: 'accept', match: { title: 'x' } }],
    { a: { b: 1 } },
  ];
  const messages = wrong.map((json) => {
    try {
      return readScriptedAnswers(json);
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect([readScriptedAnswers(list), readScriptedAnswers({ a: true }), ...messages]).toEqual([
    list,
    { a: true },
    'Prepared answers must be a list of answers, or an object with values by field name',
    'answer 1 must be an object',
    'answer 1 must have an action: "accept", "decline" or "cancel"',
    'answer 2, content: "a" must be a text, a number, true, false or a list of texts',
    'answer 1, match must be an object of texts: "message", "key" or "url"',
    'the answers: "a" must be a text, a number, true, false or a list of texts',
  ]);
});

test('warnings about an address are shown', () => {
  const facts = (url: string): unknown => {
    const { mayOpen, host, warnings } = urlConsent(url);
    return [mayOpen, host, warnings];
  };
  expect([
    facts('https://example.com/login?x=1'),
    facts('http://localhost:3000/'),
    facts('http://127.0.0.1/'),
    facts('http://127.evil.example/'),
    facts('https://аpple.com/'),
    facts('https://bank.example:pw@evil.example:8443/'),
    facts('javascript:alert(1)'),
    facts('no address'),
  ]).toEqual([
    [true, 'example.com', []],
    [true, 'localhost:3000', []],
    [true, '127.0.0.1', []],
    [
      true,
      '127.evil.example',
      ['The connection is not encrypted (http): others may read or change what you see and type.'],
    ],
    [true, 'xn--pple-43d.com', ['The host contains letters that can be mistaken for others: аpple.com']],
    [true, 'evil.example:8443', ['The name before the @ may look like the host, but the host is evil.example:8443']],
    [false, '', ['This is not a web page: it begins with javascript:']],
    [false, '', ['This is not an address that can be opened.']],
  ]);
});

test('the displayed address is the one a browser would open', () => {
  expect(urlConsent('HTTPS://Example.com/a\tb\n#c').url).toBe('https://example.com/ab#c');
});
