import { methods } from '@turnwire/protocol';
import fc, { type Arbitrary } from 'fast-check';
import type { RawMessage } from '../wire/journal.ts';
import type { FuzzStep } from './fuzz-step.ts';
import { mutated, mutations } from './mutation.ts';
import { valueOf } from './value-of-shape.ts';

/** What sequences are made of. */
export interface StepOptions {
  /** Methods that are never called. */
  readonly without: readonly string[];
  readonly authMethod?: string | undefined;
}

/** Longest sequence, without its beginning. */
const longest = 60;

const line = (message: unknown): FuzzStep => ({ line: JSON.stringify(message) });

const ownIds = fc.constant('{id}');
const oddIds = fc.constantFrom<unknown>(null, 0, '0', '', -1, 1.5, 2 ** 53, 1e300, true, {}, [], 'same', 'a\u2028b');
const ids = fc.oneof({ weight: 8, arbitrary: ownIds }, oddIds);

/** Lines that are no calls. */
const garbage: readonly string[] = [
  '{',
  '42',
  'null',
  '"text"',
  '[]',
  '[{"jsonrpc":"2.0","id":"batched","method":"session/list"}]',
  '{}',
  '\u0000',
  '\ufeff{}',
  'Content-Length: 20',
  '{"jsonrpc":"1.0","id":"old","method":"initialize"}',
  '{"id":"bare","method":"initialize"}',
  '{"jsonrpc":"2.0","id":"numbered","method":5}',
  '{"jsonrpc":"2.0","id":"both","result":{},"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","id":"twice","id":"twice","method":"session/new"}',
  `{"jsonrpc":"2.0","id":"deep","method":"session/new","params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  `{"jsonrpc":"2.0","id":"${'x'.repeat(200_000)}","method":"session/list"}`,
];

/**
 * Random sequences of what can be done to an agent: sane most of the time, so that what is not meets an agent at work. Every step may be
 * missing, so that each can be left out when a sequence is made smaller.
 */
export function fuzzSteps(options: StepOptions): Arbitrary<readonly FuzzStep[]> {
  const steps = fc.array(fc.option(stepOf(options), { nil: undefined, freq: 12 }), { maxLength: longest, size: 'max' });
  return fc
    .tuple(beginning(options), steps)
    .map(([first, rest]) => [...first, ...rest].filter((step) => step !== undefined));
}

/** What agents are used to: most sequences begin so. */
function beginning({ authMethod }: StepOptions): Arbitrary<readonly (FuzzStep | undefined)[]> {
  const mostly = (message: RawMessage): Arbitrary<FuzzStep | undefined> =>
    fc.option(fc.constant(line(message)), { nil: undefined, freq: 12 });
  return fc.tuple(
    mostly(call('initialize', { protocolVersion: 1, clientCapabilities: {} })),
    ...(authMethod === undefined ? [] : [mostly(call('authenticate', { methodId: authMethod }))]),
    mostly(call('session/new', { cwd: '{folder}', mcpServers: [] })),
  );
}

function call(method: string, params: unknown): RawMessage {
  return { jsonrpc: '2.0', id: '{id}', method, params };
}

function stepOf({ without }: StepOptions): Arbitrary<FuzzStep> {
  const calls = fc.oneof(
    ...Object.entries(methods).flatMap(([method, row]) => (without.includes(method) ? [] : [callOf(method, row)])),
  );
  const broken = fc.tuple(calls, mutations).map(([message, changes]) => mutated(message, changes));
  const cut = fc
    .tuple(calls, fc.nat(60))
    .map(([message, length]) => ({ line: JSON.stringify(message).slice(0, length) }));
  return fc.oneof(
    { weight: 8, arbitrary: calls.map(line) },
    { weight: 8, arbitrary: broken.filter((message) => isAllowed(message, without)).map(line) },
    { weight: 2, arbitrary: fc.constantFrom(...garbage).map((text) => ({ line: text })) },
    { weight: 1, arbitrary: cut },
    {
      weight: 1,
      arbitrary: fc.tuple(ids, fc.json({ maxDepth: 1 })).map(([id, result]) => line({ jsonrpc: '2.0', id, result })),
    },
    { weight: 2, arbitrary: fc.constant<FuzzStep>({ wait: true }) },
  );
}

/** A call that fits the schema. What agents call at clients is sent too: agents have no such methods. */
function callOf(method: string, { kind, params }: (typeof methods)[keyof typeof methods]): Arbitrary<RawMessage> {
  const wrongKind = fc.constantFrom(...(['request', 'notification'] as const).filter((each) => each !== kind));
  const kinds = fc.oneof({ weight: 12, arbitrary: fc.constant(kind) }, { weight: 1, arbitrary: wrongKind });
  return fc.tuple(kinds, ids, valueOf(params)).map(([as, id, value]) => ({
    jsonrpc: '2.0',
    ...(as === 'request' && { id }),
    method,
    params: value,
  }));
}

/** A change must not make a call of what is never called. */
function isAllowed(message: unknown, without: readonly string[]): boolean {
  const method = (message as RawMessage | null)?.['method'];
  return typeof method !== 'string' || !without.includes(method);
}
