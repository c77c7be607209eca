// node --expose-gc sample-process.js UPDATES: reduces one turn in this process and prints what it cost as JSON.
import { emptyTranscript, reduce, type TranscriptView } from '@turnwire/client/transcript';
import { updateAt } from './turn-stream.ts';

const updates = Number(process.argv[2]);
/** Enough for the code to be compiled, and the same for every length of turn. */
const warmUp = 100_000;
/** Short turns are repeated until a sample has this many updates. */
const measured = Math.max(100_000, updates);

for (let done = 0; done < warmUp; done += 10_000) turnOf(10_000);

const start = process.cpuUsage();
for (let done = 0; done < measured; done += updates) turnOf(updates);
const { user, system } = process.cpuUsage(start);

const before = heapAfterCollection();
const kept = Array.from({ length: Math.ceil(100_000 / updates) }, () => turnOf(updates));
const memory = (heapAfterCollection() - before) / kept.length;
const entries = kept[0]?.entries.length;

process.stdout.write(`${JSON.stringify({ microseconds: (user + system) / measured, memory, entries })}\n`);

/** A whole turn, each update a view of its own. */
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
