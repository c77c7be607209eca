import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';
import { type TraceItem, traceEvents } from '../trace-events.ts';
import type { Trace, TraceEvent, TraceHeader, TraceProblem } from '../trace-format.ts';

/**
 * Reads a trace together with its rotated files (`path.1`, `path.2`, …), oldest first, into memory. Lines that cannot be read are
 * reported as problems.
 * @throws TurnwireError `invalid-input` if the file does not begin with a trace header; errors of the file system unchanged
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
 * The same, one line at a time and in little memory. A missing beginning is reported as a problem too.
 * @throws like `readTrace`, before the first item
 */
export async function* traceItems(path: string): AsyncGenerator<TraceItem, undefined> {
  const { header, problem } = await beginningOf(path);
  if (header === undefined) throw notATrace(path, problem);
  const earlier = header.part > 0 ? await earlierFiles(path, header) : [];
  const missing = header.part - earlier.length;
  const message = `is missing: ${missing} older files of this trace were removed`;
  if (missing > 0) yield { type: 'problem', problem: { where: 'the beginning', message } };
  for (const each of [...earlier, path])
    yield* traceEvents({ lines: linesOf(each), file: earlier.length > 0 ? basename(each) : undefined });
}

interface Beginning {
  readonly header?: TraceHeader;
  /** The first problem, if there is no header. */
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

/** The rotated files of the same trace, oldest first. */
async function earlierFiles(path: string, { id }: TraceHeader): Promise<readonly string[]> {
  const name = basename(path);
  const files = (await readdir(dirname(path))).filter((each) => each.startsWith(`${name}.`) && /\.\d+$/.test(each));
  const found = await Promise.all(
    files.map(async (file) => {
      const location = join(dirname(path), file);
      return { location, header: (await beginningOf(location)).header };
    }),
  );
  return found
    .filter(({ header }) => header?.id === id)
    .toSorted((one, other) => (one.header?.part ?? 0) - (other.header?.part ?? 0))
    .map(({ location }) => location);
}

/** Not with readline, which also ends a line at U+2028; JSON may contain that character. */
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
