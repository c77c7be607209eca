import { emptyTranscript, reduce, type TranscriptView } from '@turnwire/client/transcript';
import type { Case, Sample } from '../case.ts';
import { updateAt } from './turn-stream.ts';

/** One turn, reduced update by update, at different lengths. The name of a contender is its number of updates. */
export const transcriptCases: readonly Case<string>[] = [
  {
    name: 'microseconds',
    unit: 'µs',
    higherIsBetter: false,
    also: [
      { name: 'memory', unit: 'B', higherIsBetter: false },
      { name: 'entries', unit: '', higherIsBetter: false },
    ],
    contenders: ['1000', '10000', '100000'],
    nodeOptions: ['--expose-gc'],
    measure: ({ contender }) => Promise.resolve(measureTurn(Number(contender))),
  },
];

/** Updates of the warm-up: enough for V8 to compile the code, and the same for every length of turn. */
const warmUp = 100_000;

/** Measures the processor time for an update, and the memory and the entries of the final view. */
function measureTurn(updates: number): Sample {
  for (let done = 0; done < warmUp; done += 10_000) turnOf(10_000);
  // Short turns are repeated until a sample has this many updates.
  const measured = Math.max(100_000, updates);
  const start = process.cpuUsage();
  for (let done = 0; done < measured; done += updates) turnOf(updates);
  const { user, system } = process.cpuUsage(start);
  const before = heapAfterCollection();
  const kept = Array.from({ length: Math.ceil(100_000 / updates) }, () => turnOf(updates));
  const memory = (heapAfterCollection() - before) / kept.length;
  const entries = kept[0]?.entries.length ?? Number.NaN;
  return { figures: { microseconds: (user + system) / measured, memory, entries } };
}

/** Reduces a whole turn, with a new view for each update. */
function turnOf(length: number): TranscriptView {
  let view = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content: [{ type: 'text', text: 'Go' }] });
  for (let index = 0; index < length; index++)
    view = reduce(view, { at: index, type: 'update', update: updateAt(index) });
  return reduce(view, { at: length, type: 'turn-ended', turnId: 't', stopReason: 'end_turn' });
}

function heapAfterCollection(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
