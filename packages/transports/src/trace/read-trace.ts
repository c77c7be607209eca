import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentwireError } from '@agentwire/protocol';
import { traceEvents } from './trace-events.ts';
import type { Trace, TraceEvent, TraceHeader, TraceProblem } from './trace-format.ts';

/**
 * Reads a trace with the files that were rotated away from it (`path.1`, `path.2`, …), oldest first. Holds all of it in memory.
 * Lines that cannot be read are among the problems.
 * @throws AgentwireError `invalid-input` if the file does not begin with the header of a trace; the errors of the file system as they are
 */
export async function readTrace(path: string): Promise<Trace> {
  const newest = await readPart(path, undefined);
  const { header } = newest;
  if (header === undefined) throw notATrace(path, newest.problems[0]);
  const earlier = header.part > 0 ? await earlierParts(path, header) : [];
  if (earlier.length === 0) return whole({ ...newest, header }, []);
  return whole({ ...(await readPart(path, basename(path))), header }, earlier);
}

interface Part {
  readonly header: TraceHeader | undefined;
  readonly events: readonly TraceEvent[];
  readonly problems: readonly TraceProblem[];
}

function whole(newest: Part & { readonly header: TraceHeader }, earlier: readonly Part[]): Trace {
  const parts = [...earlier, newest];
  const missing = newest.header.part + 1 - parts.length;
  const problem = { where: 'the beginning', message: `is missing: ${missing} older files of this trace are gone` };
  return {
    header: parts[0]?.header ?? newest.header,
    events: parts.flatMap(({ events }) => events),
    problems: [...(missing > 0 ? [problem] : []), ...parts.flatMap(({ problems }) => problems)],
  };
}

/** The rotated files that belong to the same trace, oldest first. */
async function earlierParts(path: string, { id }: TraceHeader): Promise<readonly Part[]> {
  const name = basename(path);
  const files = (await readdir(dirname(path))).filter((each) => each.startsWith(`${name}.`) && /\.\d+$/.test(each));
  const parts = await Promise.all(files.map((file) => readPart(join(dirname(path), file), file)));
  return parts
    .filter(({ header }) => header?.id === id)
    .toSorted((a, b) => (a.header?.part ?? 0) - (b.header?.part ?? 0));
}

async function readPart(path: string, file: string | undefined): Promise<Part> {
  let header: TraceHeader | undefined;
  const events: TraceEvent[] = [];
  const problems: TraceProblem[] = [];
  for await (const item of traceEvents({ lines: linesOf(path), file })) {
    if (item.type === 'header') header ??= item.header;
    else if (item.type === 'event') events.push(item.event);
    else problems.push(item.problem);
  }
  return { header, events, problems };
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

function notATrace(path: string, problem: TraceProblem | undefined): AgentwireError {
  const why = problem === undefined ? 'it has no header' : `${problem.where} ${problem.message}`;
  return new AgentwireError(
    'invalid-input',
    `${path} is not a trace: ${why}. A trace begins with a line {"agentwireTrace":1,…}.`,
  );
}
