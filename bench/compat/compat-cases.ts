import type { Case } from '../case.ts';
import { type ComparedName, sdkNames } from '../wire/contender.ts';
import { measureMemory } from '../wire/memory-cases.ts';
import { measureInProcess } from '../wire/round-trip-cases.ts';
import { timeImport, timeInitialize } from '../wire/start-cases.ts';
import { measureUpdatesOf } from '../wire/stream-cases.ts';

/** Client and agent on the same package. Aims are multiples of the official one, or a value. */
type CompatCase = Case<ComparedName>;

const rate = { higherIsBetter: true, aim: { ratio: 5 } } as const;

const cases: readonly CompatCase[] = [
  ...(['small-update', 'tool-call', 'update-4k'] as const).map((kind): CompatCase => ({
    name: kind,
    unit: 'msg/s',
    ...rate,
    // It shows which multiple is possible.
    contenders: ['floor', ...sdkNames],
    measure: (setup) => measureUpdatesOf(kind, setup),
  })),
  ...([1, 64] as const).map((inFlight): CompatCase => {
    const name = inFlight === 1 ? 'round-trip' : `round-trip-${inFlight}`;
    return { name, unit: 'per s', higherIsBetter: true, measure: (setup) => measureInProcess(name, inFlight, setup) };
  }),
  {
    name: 'import',
    unit: 'ms',
    higherIsBetter: false,
    aim: { value: 15 },
    // The streams of Node are loaded before, by every program.
    measure: async ({ contender }) => ({ figures: { import: timeImport([contender], ['node:stream']) } }),
  },
  {
    name: 'initialize',
    unit: 'ms',
    higherIsBetter: false,
    measure: async ({ contender }) => ({ figures: { initialize: await timeInitialize(contender) } }),
  },
  {
    name: 'memory-updates',
    unit: 'MB',
    higherIsBetter: false,
    also: [
      { name: 'memory-updates-total', unit: 'MB', higherIsBetter: false },
      { name: 'million-updates', unit: 's', higherIsBetter: false },
    ],
    measure: measureMemory,
  },
];

export const compatCases: readonly CompatCase[] = cases.map((each) => ({ contenders: sdkNames, ...each }));
