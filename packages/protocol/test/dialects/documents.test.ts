import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dialectNamed, isOfficial, received, type Given, type Place } from './received.ts';

/** Every example the two documents print, as printed, and what it must become. Absent `becomes`: it is official already. */
interface Example {
  readonly section: string;
  readonly as: Place | Fragment | 'launch' | 'dropped tool call content';
  readonly literal: Readonly<Record<string, unknown>>;
  readonly becomes?: unknown;
  readonly given?: Given;
}

type Fragment = keyof typeof carriers;

interface Carrier {
  readonly place: Place;
  readonly wrap: (fragment: unknown) => unknown;
}

function toAgent(method: string, wrap: Carrier['wrap']): Carrier {
  return { place: { params: method }, wrap };
}

function inUpdate(wrap: (fragment: unknown) => unknown): Carrier {
  return { place: { params: 'session/update' }, wrap: (fragment) => ({ sessionId: 's', update: wrap(fragment) }) };
}

function inToolCall(content: unknown): unknown {
  return { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [content] };
}

/** Where a fragment can stand in a message: a block can be received by an agent, in a prompt, and by a client. */
const carriers = {
  'content block': [
    toAgent('session/prompt', (block) => ({ sessionId: 's', prompt: [block] })),
    inUpdate((content) => ({ sessionUpdate: 'agent_message_chunk', content })),
    inUpdate((content) => inToolCall({ type: 'content', content })),
  ],
  'session update': [inUpdate((update) => update)],
  'tool call content': [
    inUpdate(inToolCall),
    toAgent('session/request_permission', (item) => ({
      sessionId: 's',
      toolCall: { toolCallId: 'c', content: [item] },
      options: [],
    })),
  ],
  'client capabilities': [toAgent('initialize', (clientCapabilities) => ({ protocolVersion: 1, clientCapabilities }))],
  'agent capabilities': [
    {
      place: { result: 'initialize' },
      wrap: (agentCapabilities: unknown) => ({ protocolVersion: 1, agentCapabilities }),
    },
  ],
  'initialize result': [
    { place: { result: 'initialize' }, wrap: (result: unknown) => ({ protocolVersion: 1, ...(result as object) }) },
  ],
} satisfies Record<string, readonly Carrier[]>;

function examples(name: string): readonly Example[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as Example[];
}

/** The value inside an envelope, if the document printed one. */
function content(literal: Example['literal'], place: Place): unknown {
  const [part] = Object.keys(place);
  return part !== undefined && Object.hasOwn(literal, part) ? literal[part] : literal;
}

function isFragment(as: Example['as']): as is Fragment {
  return typeof as === 'string' && Object.hasOwn(carriers, as);
}

for (const name of ['pharo', 'go-reference']) {
  const dialect = dialectNamed(name);
  const all = examples(name);

  describe(`the ${name} document`, () => {
    test.each(all.filter(({ as }) => typeof as === 'object'))(
      `the ${name} example $section is read as an official message`,
      ({ as, literal, ...rest }) => {
        const place = as as Place;
        const value = content(literal, place);
        const becomes = 'becomes' in rest ? rest.becomes : (value ?? {});
        expect(received(dialect, { place, value, given: rest.given ?? {} })).toEqual([becomes]);
        expect(isOfficial(place, becomes)).toBe(true);
      },
    );

    test.each(all.filter(({ as }) => isFragment(as)))(
      `the ${name} fragment $section is read as an official one in every message that can hold it`,
      (example) => {
        const { as, literal, becomes = literal } = example;
        for (const { place, wrap } of carriers[as as Fragment]) {
          expect(received(dialect, { place, value: wrap(literal) })).toEqual([wrap(becomes)]);
          expect(isOfficial(place, wrap(becomes))).toBe(true);
        }
      },
    );

    test.each(all.filter(({ as }) => as === 'dropped tool call content'))(
      `the ${name} tool call content $section is not rewritten and does not fit the schema`,
      (example) => {
        const { place, wrap } = inUpdate(inToolCall);
        const value = wrap(example.literal);
        expect(received(dialect, { place, value })).toEqual([value]);
        expect(isOfficial(place, value)).toBe(false);
      },
    );
  });
}

test('the Pharo document has three launch configurations, which are not read as messages', () => {
  const left = examples('pharo').filter(({ as }) => as === 'launch');
  expect(left.map(({ section }) => section)).toEqual([
    'Transports / Stdio Transport (Required)',
    'Transports / HTTP Transport (Optional)',
    'Transports / WebSocket Transport (Optional)',
  ]);
});
