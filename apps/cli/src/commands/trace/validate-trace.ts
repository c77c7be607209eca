import {
  Audit,
  countsAgainst,
  type JournalEntry,
  type Observation,
  Outline,
  type Requirement,
  requirements,
  type Subject,
} from '@turnwire/conformance';
import { isFrame, type PlacedFrame } from '@turnwire/trace';
import { traceItems } from '@turnwire/trace/node';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { unreadable } from './unreadable.ts';
import { stdout } from '../../terminal/output.ts';

/** A violation by one side of a trace. */
interface Breach {
  readonly side: Subject;
  readonly requirement: string;
  readonly level: Requirement['level'];
  readonly message: string;
  /** The lines of the trace that prove it. */
  readonly frames: readonly { readonly where: string; readonly text: string }[];
}

/**
 * Prints the violations of a trace. Resolves with 1 if one of them breaks a MUST, or if there are no frames; otherwise with 0. The file is
 * read twice, so that it may be larger than the memory.
 */
export async function validateTrace(
  path: string,
  { of }: { readonly of?: Subject | undefined },
  { format }: GlobalOptions,
): Promise<number> {
  const read = await firstReading(path);
  const breaches = await secondReading(path, read, of === undefined ? ['agent', 'client'] : [of]);
  const print = format === 'json' ? printJson : printText;
  print(breaches);
  if (format !== 'json' && format !== 'quiet') stdout.printLine(closing(read, breaches));
  return breaches.some(isGrave) || read.frames === 0 ? exitCodes.error : exitCodes.ok;
}

/** The result of the first reading. */
interface Reading {
  /** An outline for each part of the trace between dropped frames. */
  readonly outlines: readonly Outline[];
  readonly frames: number;
  readonly isWhole: boolean;
}

async function firstReading(path: string): Promise<Reading> {
  const outlines = [new Outline()];
  let frames = 0;
  let isWhole = true;
  for await (const item of placedEntries(path)) {
    if (item === 'missing') {
      isWhole = false;
    } else if (item === 'dropped') {
      isWhole = false;
      outlines.push(new Outline(outlines.at(-1)?.version));
    } else {
      frames++;
      outlines.at(-1)?.add(item);
    }
  }
  return { outlines, frames, isWhole };
}

async function secondReading(
  path: string,
  { outlines, isWhole }: Reading,
  sides: readonly Subject[],
): Promise<readonly Breach[]> {
  const first = outlines[0]?.frames.find(({ from }) => from === 'client');
  const options = { isWhole: isWhole && first?.method === 'initialize' };
  const parts = outlines.map((outline) => ({
    outline,
    audits: sides.map((side) => ({ side, audit: new Audit(outline, side, options) })),
  }));
  let part = 0;
  for await (const item of placedEntries(path)) {
    if (item === 'dropped') part++;
    if (typeof item === 'string') continue;
    const frame = parts[part]?.outline.again(item);
    if (frame !== undefined) for (const { audit } of parts[part]?.audits ?? []) audit.take(frame);
  }
  const found = sides.flatMap((side) =>
    parts.flatMap(({ audits }) => audits.filter((each) => each.side === side).map(({ audit }) => ({ side, audit }))),
  );
  return found.flatMap(({ side, audit }) =>
    audit
      .end()
      .filter(({ outcome }) => outcome === 'broken')
      .map((observation) => breachOf(side, observation)),
  );
}

/** A frame of a trace with its position. */
class PlacedEntry implements JournalEntry {
  readonly at: number;
  readonly from: Subject;
  readonly where: string;
  readonly message?: unknown;
  readonly flaw?: NonNullable<JournalEntry['flaw']>;
  readonly #frame: unknown;
  #text: string | undefined;

  constructor({ at, frame, flaw, where, direction }: PlacedFrame, side: Subject) {
    this.at = at;
    this.from = (direction === 'out') === (side === 'client') ? 'client' : 'agent';
    this.where = where;
    this.#frame = frame;
    if (typeof frame !== 'string') this.message = frame;
    if (flaw !== undefined) this.flaw = flaw;
  }

  /** Serialized on demand, because the first reading does not need it. */
  get text(): string {
    return (this.#text ??= typeof this.#frame === 'string' ? this.#frame : JSON.stringify(this.#frame));
  }
}

/** The frames of a trace, one at a time, with `dropped` and `missing` for frames that are not in the file. */
async function* placedEntries(path: string): AsyncGenerator<PlacedEntry | 'dropped' | 'missing', undefined> {
  let side: Subject = 'client';
  try {
    for await (const item of traceItems(path)) {
      if (item.type === 'header') side = item.header.side;
      else if (item.type === 'problem') yield 'missing';
      else if (isFrame(item.event)) yield new PlacedEntry(item.event, side);
      else if (item.event.type === 'dropped') yield 'dropped';
    }
  } catch (error) {
    throw unreadable(path, error, exitCodes.usage);
  }
}

function breachOf(side: Subject, { requirement, message, evidence }: Observation): Breach {
  const level = requirementCalled(requirement)?.level ?? 'MUST';
  const frames = evidence.map((entry) => ({
    where: entry instanceof PlacedEntry ? entry.where : '',
    text: entry.text,
  }));
  return { side, requirement, level, message, frames };
}

function isGrave({ requirement }: Breach): boolean {
  const broken = requirementCalled(requirement);
  return broken !== undefined && countsAgainst(broken, 'must');
}

function requirementCalled(name: string): Requirement | undefined {
  return requirements.find(({ id }) => id === name);
}

function printJson(breaches: readonly Breach[]): void {
  for (const breach of breaches) stdout.printJson(JSON.stringify(breach));
}

/** The maximum number of characters of a frame to print. */
const shown = 300;

function printText(breaches: readonly Breach[]): void {
  for (const breach of breaches) {
    const { side, requirement, level, message, frames } = breach;
    const sign = isGrave(breach) ? '✗' : '!';
    const lines = frames.map(({ where, text }) => `    ${where}: ${excerpt(text)}`);
    stdout.printLine([`${sign} ${side}: ${cleanLine(message)}  [${requirement}, ${level}]`, ...lines].join('\n'));
  }
}

function excerpt(text: string): string {
  const line = cleanLine(text);
  return line.length <= shown ? line : `${line.slice(0, shown)}…`;
}

function closing({ frames, isWhole }: Reading, breaches: readonly Breach[]): string {
  const grave = breaches.filter(isGrave).length;
  const advice = breaches.length - grave;
  if (frames === 0) return 'The trace has no frames, so there is nothing to judge';
  const verdict =
    breaches.length === 0 ? 'no violations' : `violations: ${grave}, recommendations not followed: ${advice}`;
  return `${frames} frames, ${verdict}${isWhole ? '' : '; lines are missing, so the requirements that need them were not judged'}`;
}
