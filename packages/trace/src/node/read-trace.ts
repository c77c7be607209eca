import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';
import { type TraceItem, traceEvents } from '../trace-events.ts';
import type { Trace, TraceEvent, TraceHeader, TraceProblem } from '../trace-format.ts';

/**
 * Reads a trace with the files that were rotated away from it (`path.1`, `path.2`, …), oldest first. Holds all of it in memory.
 * Lines that cannot be read are among the problems.
 * @throws TurnwireError `invalid-input` if the file does not begin with the header of a trace; the errors of the file system as they are
 */
export async function readTrace(path: string): Promise<Trace> {
  let header: TraceHeader | undefined;
  const events: TraceEvent[] = [];
  const problems: TraceProblem[] = [];
  for await (const item of traceItems(path)) {
    if (item.type === 'header') header ??= item.header;
    else if (item.type === 'event') events.push(item.event);
    else problems.push(item.problem);
  }
  if (header === undefined) throw notATrace(path, problems[0]);
  return { header, events, problems };
}

/**
 * The same, line by line, in little memory. What is missing at the beginning is a problem, too.
 * @throws as `readTrace` does, before anything else
 */
export async function* traceItems(path: string): AsyncGenerator<TraceItem, undefined> {
  const { header, problem } = await beginningOf(path);
  if (header === undefined) throw notATrace(path, problem);
  const earlier = header.part > 0 ? await earlierFiles(path, header) : [];
  const missing = header.part - earlier.length;
  const message = `is missing: ${missing} older files of this trace are gone`;
  if (missing > 0) yield { type: 'problem', problem: { where: 'the beginning', message } };
  for (const each of [...earlier, path])
    yield* traceEvents({ lines: linesOf(each), file: earlier.length > 0 ? basename(each) : undefined });
}

interface Beginning {
  readonly header?: TraceHeader;
  /** Where there is no header: the first that is wrong. */
  readonly problem?: TraceProblem;
}

async function beginningOf(path: string): Promise<Beginning> {
  let problem: TraceProblem | undefined;
  for await (const item of traceEvents({ lines: linesOf(path) })) {
    if (item.type === 'header') return { header: item.header };
    if (item.type === 'problem') problem ??= item.problem;
  }
  return problem === undefined ? {} : { problem };
}

/** The rotated files that belong to the same trace, oldest first. */
async function earlierFiles(path: string, { id }: TraceHeader): Promise<readonly string[]> {
  const name = basename(path);
  const files = (await readdir(dirname(path))).filter((each) => each.startsWith(`${name}.`) && /\.\d+$/.test(each));
  const found = await Promise.all(
    files.map(async (file) => {
      const place = join(dirname(path), file);
      return { place, header: (await beginningOf(place)).header };
    }),
  );
  return found
    .filter(({ header }) => header?.id === id)
    .toSorted((one, other) => (one.header?.part ?? 0) - (other.header?.part ?? 0))
    .map(({ place }) => place);
}

/** By hand, for readline also ends a line at U+2028, which JSON may hold. */
async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  let rest: string[] = [];
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...lines] = chunk.split('\n');
    rest.push(first);
    for (const line of lines) {
      yield rest.join('');
      rest = [line];
    }
  }
  yield rest.join('');
}

function notATrace(path: string, problem: TraceProblem | undefined): TurnwireError {
  const why = problem === undefined ? 'it has no header' : `${problem.where} ${problem.message}`;
  return new TurnwireError(
    'invalid-input',
    `${path} is not a trace: ${why}. A trace begins with a line {"turnwireTrace":1,…}.`,
  );
}
