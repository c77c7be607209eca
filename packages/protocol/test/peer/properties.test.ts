import {
  checks,
  connectAgent,
  connectClient,
  type Dialect,
  goReference,
  type Handlers,
  lenient,
  type MethodName,
  methods,
  type Peer,
  pharo,
  type Side,
  strict,
} from '@turnwire/protocol';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryOf } from '../schema/arbitrary.ts';
import {
  answer,
  call,
  everyAgentCapability,
  everyClientCapability,
  initialize,
  macrotask,
  note,
  TestWire,
  wirePair,
} from './test-wire.ts';
import { randomRuns } from '../../../../tools/random-runs.ts';

type Json = { readonly [key: string]: unknown };
type Definition = keyof typeof checks;
type AnyHandlers = Handlers<'agent'> & Handlers<'client'>;

interface Row {
  readonly method: MethodName;
  readonly side: Side;
  readonly params: Definition;
  readonly result: Definition | undefined;
}

const rows = Object.entries(methods).flatMap(([method, row]): readonly Row[] =>
  row.side === 'both'
    ? []
    : [
        {
          method: method as MethodName,
          side: row.side,
          params: row.params,
          result: 'result' in row ? row.result : undefined,
        },
      ],
);

const requests = rows.filter((row): row is Row & { readonly result: Definition } => row.result !== undefined);

/** A version both sides speak, so that the connection continues. */
function spoken(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'protocolVersion' in value
    ? { ...value, protocolVersion: 1 }
    : value;
}

/** One handler for every method of a side. */
function handlersOf(side: Side, handle: (params: unknown, method: string) => unknown): AnyHandlers {
  const handlers: unknown = Object.fromEntries(
    rows.filter((row) => row.side === side).map(({ method }) => [method, (params: unknown) => handle(params, method)]),
  );
  return handlers as AnyHandlers;
}

/** The lenient dialect reads the `type` of a stdio server as the absence of one; strict leaves even that. */
const withoutStdio = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    const { type, ...server } = each as { type?: unknown; command?: unknown };
    return type === 'stdio' && 'command' in server ? server : each;
  });

describe.each([
  ['strict', strict, JSON.stringify],
  ['lenient', lenient, withoutStdio],
] as const)('random valid messages pass through two %s peers unchanged', (_, dialect, text) => {
  test.each(rows)(
    `random valid $method messages pass through two ${dialect.name} peers unchanged`,
    async ({ method, side, params, result }) => {
      const seen: string[] = [];
      let returned: unknown;
      const handlers = (of: Side): AnyHandlers =>
        handlersOf(of, (value) => {
          seen.push(text(value));
          return returned;
        });
      const [turnWire, clientWire] = wirePair();
      const agent = connectAgent(turnWire, handlers('agent'), { gates: false, dialect });
      const client = connectClient(clientWire, handlers('client'), { gates: false, dialect });
      const caller: Peer = side === 'agent' ? client : agent;
      const values = fc.tuple(
        arbitraryOf(params),
        result === undefined ? fc.constant(undefined) : arbitraryOf(result).map(spoken),
      );
      await fc.assert(
        fc.asyncProperty(values, async ([sent, result_]) => {
          seen.length = 0;
          returned = result_;
          const told =
            result === undefined
              ? caller.notify(method as never, sent as never)
              : caller.request(method as never, sent as never);
          const answered = JSON.stringify(await told);
          while (seen.length === 0) await macrotask();
          expect([answered, ...seen]).toEqual([JSON.stringify(result_), text(sent)]);
        }),
        { numRuns: randomRuns({ usual: 25, whole: 100 }) },
      );
    },
  );
});

/** A way to spoil a JSON value in one random place. */
const spoiling: Arbitrary<(value: unknown) => unknown> = fc
  .tuple(fc.nat(), fc.constantFrom('remove', 'replace', 'wrap', 'repeat'), fc.jsonValue({ maxDepth: 2 }))
  .map(([place, how, other]) => (value: unknown): unknown => {
    const copy = { root: structuredClone(value) };
    const places = placesIn(copy);
    const [owner, key] = places[place % places.length]!;
    if (how === 'remove') delete owner[key];
    if (how === 'replace') owner[key] = other;
    if (how === 'wrap') owner[key] = [owner[key]];
    if (how === 'repeat') owner[`${key}_`] = owner[key];
    return copy.root;
  });

function placesIn(owner: object): readonly (readonly [Record<string, unknown>, string])[] {
  return Object.entries(owner).flatMap(([key, value]) => [
    [owner as Record<string, unknown>, key] as const,
    ...(typeof value === 'object' && value !== null ? placesIn(value as object) : []),
  ]);
}

/** Any characters, surrogates too. The unit `binary` of the library first lists a million of them, 250 ms for each arbitrary made with it. */
const character = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/** A way to spoil text in a few random places. */
const scratching: Arbitrary<(text: string) => string> = fc
  .array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.string({ maxLength: 3, unit: character })), {
    minLength: 1,
    maxLength: 3,
  })
  .map(
    (cuts) =>
      (text: string): string =>
        cuts.reduce((rest, [place, length, inserted]) => {
          const at = place % (rest.length + 1);
          return rest.slice(0, at) + inserted + rest.slice(at + length);
        }, text),
  );

function spoiled(frame: Arbitrary<Json>): Arbitrary<string> {
  const structurally = fc
    .tuple(frame, fc.array(spoiling, { minLength: 1, maxLength: 3 }))
    .map(([value, ways]) => JSON.stringify(ways.reduce<unknown>((each, way) => way(each) ?? null, value)));
  const textually = fc.tuple(frame, scratching).map(([value, way]) => way(JSON.stringify(value)));
  return fc.oneof(structurally, textually);
}

const ids = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double());

const anyCall: Arbitrary<Json> = fc.oneof(
  ...rows.map(({ method, params, result }) =>
    fc
      .tuple(ids, arbitraryOf(params))
      .map(([id, value]) => (result === undefined ? note(method, value) : call(id, method, value))),
  ),
  ids.map((requestId) => note('$/cancel_request', { requestId })),
);

const spoiledCall = spoiled(anyCall);

/** What a side owes for a frame: the ids of the answers, by the letter of JSON-RPC. */
function owed(text: string, side: Side): readonly unknown[] {
  const complaint = side === 'agent' ? [null] : [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return complaint;
  }
  if (Array.isArray(value)) return [null];
  if (typeof value !== 'object' || value === null) return complaint;
  const { jsonrpc, id, method, result, error } = value as Json;
  const isId =
    id === null ||
    typeof id === 'string' ||
    (typeof id === 'number' && Number.isFinite(id) && !(Number.isInteger(id) && !Number.isSafeInteger(id)));
  if (method !== undefined) return id === undefined && typeof method === 'string' ? [] : [isId ? id : null];
  const isAnswer =
    (jsonrpc === undefined || jsonrpc === '2.0') &&
    isId &&
    (result !== undefined || (error !== undefined && error !== null));
  return isAnswer ? [] : complaint;
}

/** A peer with a handler for everything, past initialize, whose handlers say what they were given. */
async function everything(
  side: Side,
  dialect: Dialect,
  results: (method: string) => unknown,
): Promise<{ readonly wire: TestWire; readonly unfit: unknown[] }> {
  const wire = new TestWire();
  const unfit: unknown[] = [];
  let count = 0;
  const handlers = {
    ...handlersOf(side, (params, method) => {
      if (!checks[methods[method as MethodName].params](params)) unfit.push([method, params]);
      return count++ % 2 === 0 ? results(method) : Promise.resolve(results(method));
    }),
    _ping: () => 'pong',
  };
  if (side === 'agent') {
    connectAgent(
      wire,
      { ...handlers, initialize: () => ({ protocolVersion: 1, agentCapabilities: everyAgentCapability }) },
      { dialect },
    );
    wire.feed({ ...initialize, params: { protocolVersion: 1, clientCapabilities: everyClientCapability } });
    await wire.frames(1);
  } else {
    const peer = connectClient(wire, handlers, { dialect });
    const ready = peer.request('initialize', { protocolVersion: 1, clientCapabilities: everyClientCapability });
    wire.feed(answer(0, { protocolVersion: 1, agentCapabilities: everyAgentCapability }));
    await ready;
    wire.take();
  }
  return { wire, unfit };
}

const sampleResults = new Map(
  requests.map(({ method, result }) => [method as string, fc.sample(arbitraryOf(result), { numRuns: 1, seed: 7 })[0]]),
);

const dialects = [strict, lenient, goReference, pharo];

describe.each(
  dialects.flatMap((dialect) => (['agent', 'client'] as const).map((side) => ({ side, dialect, name: dialect.name }))),
)('a $side that reads $name', ({ side, dialect }) => {
  test.each<[string, Arbitrary<string>]>([
    ['spoiled messages', spoiledCall],
    ['random JSON', fc.json()],
    ['random text', fc.string({ unit: character })],
  ])(
    `a ${side} with the ${dialect.name} dialect that is given %s answers each request once and no notification, hands no wrong type to a handler, and continues`,
    async (_, frames) => {
      const { wire, unfit } = await everything(side, dialect, (method) => sampleResults.get(method));
      let pings = 0;
      await fc.assert(
        fc.asyncProperty(frames, async (text) => {
          const ping = `ping ${pings++}`;
          wire.feed(text, call(ping, '_ping'));
          await macrotask();
          const answers = wire.take() as readonly { readonly id: unknown; readonly result?: unknown }[];
          expect({
            pongs: answers.filter(({ id }) => id === ping),
            others: answers.filter(({ id }) => id !== ping).map(({ id }) => id),
            unfit: [...unfit],
          }).toEqual({ pongs: [answer(ping, 'pong')], others: owed(text, side), unfit: [] });
        }),
        { numRuns: randomRuns({ usual: 50, whole: 200 }) },
      );
    },
  );
});

const calls = fc.oneof(
  ...requests
    .filter(({ method }) => method !== 'initialize')
    .map((row) =>
      fc.tuple(
        fc.constant(row),
        arbitraryOf(row.params),
        arbitraryOf(row.result),
        fc.oneof(
          spoiling.map((way) => (value: unknown) => JSON.stringify(way(value) ?? null)),
          scratching.map((way) => (value: unknown) => way(JSON.stringify(value))),
        ),
      ),
    ),
);

describe.each(dialects)('a call answered in $name', (dialect) => {
  test(`a call with the ${dialect.name} dialect settles for any answer, and never with a value of the wrong type`, async () => {
    const wires = { agent: new TestWire(), client: new TestWire() };
    const callers = {
      agent: connectClient(wires.agent, {}, { dialect, gates: false }),
      client: connectAgent(wires.client, {}, { dialect, gates: false }),
    };
    const counts = { agent: 0, client: 0 };
    await fc.assert(
      fc.asyncProperty(calls, async ([{ method, side, result }, params, good, spoil]) => {
        const id = counts[side]++;
        const asked = callers[side].request(method as never, params as never).then(
          (value: unknown) => ({ fits: checks[result](value) }),
          (error: unknown) => ({ failed: (error as Error).name }),
        );
        wires[side].feed(spoil(answer(id, good)), answer(id, good));
        expect([{ fits: true }, { failed: 'TurnwireError' }, { failed: 'ProtocolError' }]).toContainEqual(await asked);
      }),
      { numRuns: randomRuns({ usual: 75, whole: 300 }) },
    );
  });
});
