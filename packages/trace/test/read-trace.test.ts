import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeTrace, type Trace } from '@turnwire/trace';
import { readTrace, traceWriter } from '@turnwire/trace/node';
import { expect, test } from 'vitest';
import { folder } from './folder.ts';

const header = { turnwireTrace: 1, id: 'x', part: 0, startedAt: '2026-01-01T00:00:00.000Z', side: 'client' };

async function traceOf(...lines: readonly (object | string)[]): Promise<Trace> {
  const path = join(await folder(), 'trace.jsonl');
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
  return readTrace(path);
}

test('frames, notes and unknown types are read with their locations', async () => {
  const frame = { at: 1, direction: 'out', frame: { id: 0, method: 'initialize' } };
  expect(await traceOf({ ...header, more: 1 }, frame, '\n', { at: 2, type: 'x_future', value: '\u2028' })).toEqual({
    header: { ...header, more: 1 },
    events: [
      { ...frame, where: 'line 2' },
      { at: 2, type: 'x_future', value: '\u2028', where: 'line 4' },
    ],
    problems: [],
  });
});

test('invalid lines are reported with their number, and so is a last line that was cut off', async () => {
  const { events, problems } = await traceOf(
    header,
    'nonsense\n',
    { direction: 'in' },
    { at: 1 },
    { at: 2, type: 'exit' },
    '{"at":3,"dir',
  );
  expect([events, problems]).toEqual([
    [{ at: 2, type: 'exit', where: 'line 5' }],
    [
      { where: 'line 2', message: 'is not a JSON object' },
      { where: 'line 3', message: 'has no time (at)' },
      { where: 'line 4', message: 'is neither a frame (direction, frame) nor a note (type)' },
      { where: 'line 6', message: 'is cut off or not JSON' },
    ],
  ]);
});

test('a file that is not a trace is refused', async () => {
  const path = join(await folder(), 'notes.txt');
  await writeFile(path, 'hello\n');
  await expect(readTrace(path)).rejects.toMatchObject({
    code: 'invalid-input',
    message: `${path} is not a trace: line 1 is not a JSON object. A trace begins with a line {"turnwireTrace":1,…}.`,
  });
  await expect(traceOf({ ...header, turnwireTrace: 2 })).rejects.toThrow(
    'line 1 is the header of a trace of version 2; this program reads version 1',
  );
});

test('rotated files of the same trace are read oldest first, those of other traces are not', async () => {
  const path = join(await folder(), 'trace.jsonl');
  for (const [runs, keep] of [
    [1, 9],
    [30, 9],
  ] as const) {
    const writer = traceWriter({ path, maximumBytes: 600, keep });
    for (let id = 0; id < runs; id++) writer.tap('out', JSON.stringify({ id, method: 'session/prompt' }));
    await writer.close();
  }
  const { events, problems, header: first } = await readTrace(path);
  expect(events.map((event) => ('frame' in event ? (event.frame as { id: number }).id : -1))).toEqual(
    Array.from({ length: 30 }, (_, id) => id),
  );
  expect([problems, first.part]).toEqual([[], 0]);
  expect(events.at(-1)?.where).toMatch(/^line \d+ of trace\.jsonl$/);
});

test('a trace whose first files were removed reports the missing beginning', async () => {
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path, maximumBytes: 600, keep: 1 });
  for (let id = 0; id < 30; id++) writer.tap('out', JSON.stringify({ id, method: 'session/prompt' }));
  await writer.close();
  const { problems } = await readTrace(path);
  expect(problems).toEqual([
    { where: 'the beginning', message: expect.stringMatching(/^is missing: \d+ older files/) as string },
  ]);
});

test('a trace is described line by line, without control characters', async () => {
  const trace = await traceOf(
    header,
    { at: 0.5, type: 'launch', command: ['agent'] },
    { at: 1, direction: 'out', frame: { id: 0, method: 'initialize' } },
    { at: 11.25, direction: 'in', frame: { id: 0, result: {} } },
    {
      at: 12,
      direction: 'in',
      frame: {
        method: 'session/update',
        params: { update: { sessionUpdate: 'agent_message_chunk', text: 'x'.repeat(1200) } },
      },
    },
    { at: 13, direction: 'in', frame: { id: 'q', method: '\u001b[2Jevil' } },
    { at: 14, direction: 'out', frame: { id: 'q', error: { code: 1 } } },
    { at: 15, direction: 'in', frame: 'npm WARN' },
    'nonsense',
  );
  expect(describeTrace(trace)).toEqual([
    '      0.5 ms  · launch {"command":["agent"]}',
    '      1.0 ms  → initialize #0  30 B',
    '     11.3 ms  ← initialize answer #0 after 10.3 ms  20 B',
    '     12.0 ms  ← session/update agent_message_chunk  1.3 KB',
    '     13.0 ms  ← \ufffd[2Jevil #q  35 B',
    '     14.0 ms  → \ufffd[2Jevil error #q after 1.0 ms  29 B',
    '     15.0 ms  ← not a message  8 B',
    '              ! line 9 is not a JSON object',
  ]);
});
