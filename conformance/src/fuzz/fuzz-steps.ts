import { methods } from '@turnwire/protocol';
import type { RawMessage } from '../wire/messages.ts';
import type { Chance, Maker } from './chance.ts';
import type { FuzzStep } from './fuzz-step.ts';
import { mutated, mutations } from './mutation.ts';
import { valueOf } from './value-of-shape.ts';

export interface StepOptions {
  readonly without: readonly string[];
  readonly authMethod?: string | undefined;
}

/** Maximum length of a sequence, not counting its beginning. */
const longest = 60;

const line = (message: unknown): FuzzStep => ({ line: JSON.stringify(message) });

const oddIds = [null, 0, '0', '', -1, 1.5, 2 ** 53, 1e300, true, {}, [], 'same', 'a\u2028b'] as const;
const ids: Maker<unknown> = (chance) => (chance.oneIn(9) ? chance.pick(oddIds) : '{id}');

/** Lines that are not valid calls. */
const garbage: readonly [string, ...string[]] = [
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
 * Creates the steps of a random sequence. Each uses separate random numbers, so that it can be removed to minimise the sequence. Most
 * steps are valid, so that invalid ones reach an agent at work, and most sequences begin with the usual steps.
 */
export function stepMakers(options: StepOptions, chance: Chance): readonly Maker<FuzzStep>[] {
  const { authMethod } = options;
  const beginning: readonly FuzzStep[] = [
    call('initialize', { protocolVersion: 1, clientCapabilities: {} }),
    ...(authMethod === undefined ? [] : [call('authenticate', { methodId: authMethod })]),
    call('session/new', { cwd: '{folder}', mcpServers: [] }),
  ];
  const usual = beginning.filter(() => !chance.oneIn(12));
  const length = chance.below(longest + 1);
  return [...usual.map((step) => () => step), ...Array.from({ length }, () => stepOf(options))];
}

function call(method: string, params: unknown): FuzzStep {
  return line({ jsonrpc: '2.0', id: '{id}', method, params });
}

function stepOf({ without }: StepOptions): Maker<FuzzStep> {
  const called = Object.entries(methods).filter(([method]) => !without.includes(method));
  const [first, ...others] = called;
  if (first === undefined) throw new RangeError('every method is excluded, so there is nothing to call');
  const fitting = (chance: Chance): RawMessage => callOf(...chance.pick([first, ...others]), chance);
  const broken = (chance: Chance): FuzzStep => {
    const message = fitting(chance);
    const changed = mutated(message, mutations(chance));
    // A mutation must not turn a call into an excluded one.
    const method = (changed as RawMessage | null)?.['method'];
    return line(typeof method === 'string' && without.includes(method) ? message : changed);
  };
  return (chance) =>
    chance.weighted<FuzzStep>([
      [8, () => line(fitting(chance))],
      [8, () => broken(chance)],
      [2, () => ({ line: chance.pick(garbage) })],
      [1, () => ({ line: JSON.stringify(fitting(chance)).slice(0, chance.below(61)) })],
      [1, () => line({ jsonrpc: '2.0', id: ids(chance), result: chance.json(1) })],
      [2, () => ({ wait: true })],
    ]);
}

/** A valid call, also of client methods, which agents do not implement. */
function callOf(method: string, { kind, params }: (typeof methods)[keyof typeof methods], chance: Chance): RawMessage {
  const isRequest = (kind === 'request') !== chance.oneIn(13);
  return { jsonrpc: '2.0', ...(isRequest && { id: ids(chance) }), method, params: valueOf(params, chance) };
}
