import {
  auditJournal,
  countsAgainst,
  type JournalEntry,
  type Observation,
  type Requirement,
  requirements,
  type Subject,
} from '@turnwire/conformance';
import { isFrame, type PlacedFrame, type Trace } from '@turnwire/trace';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { readableTrace } from './unreadable.ts';
import { stdout } from '../../terminal/output.ts';

/** A violation by one side of a trace. */
export interface Breach {
  readonly side: Subject;
  readonly requirement: string;
  readonly level: Requirement['level'];
  readonly message: string;
  /** The lines of the trace that show it. */
  readonly frames: readonly { readonly where: string; readonly text: string }[];
}

/** Prints the violations of a trace. Resolves with 1 if one of them is of a MUST, or if there are no frames; else with 0. */
export async function validateTrace(
  path: string,
  { of }: { readonly of?: Subject | undefined },
  { format }: GlobalOptions,
): Promise<number> {
  const trace = await readableTrace(path, exitCodes.usage);
  const sides: readonly Subject[] = of === undefined ? ['agent', 'client'] : [of];
  const breaches = sides.flatMap((side) => breachesOf(trace, side));
  const print = format === 'json' ? printJson : printText;
  print(breaches);
  if (format !== 'json' && format !== 'quiet') stdout.printLine(closing(trace, breaches));
  return breaches.some(isGrave) || !trace.events.some(isFrame) ? exitCodes.error : exitCodes.ok;
}

/** The violations of one side, as far as the trace shows them. */
export function breachesOf(trace: Trace, side: Subject): readonly Breach[] {
  const pieces = piecesOf(trace);
  const isWhole = pieces.length === 1 && trace.problems.length === 0 && beginsWithInitialize(pieces[0] ?? [], trace);
  return pieces.flatMap((frames) => {
    const places = new Map<JournalEntry, PlacedFrame>(frames.map((frame) => [entryOf(frame, trace), frame]));
    const seen = auditJournal([...places.keys()], side, { isWhole });
    return seen.filter(({ outcome }) => outcome === 'broken').map((observation) => breachOf(side, observation, places));
  });
}

function breachOf(side: Subject, observation: Observation, places: ReadonlyMap<JournalEntry, PlacedFrame>): Breach {
  const { requirement, message, evidence } = observation;
  const level = requirementCalled(requirement)?.level ?? 'MUST';
  const frames = evidence.map((entry) => ({ where: places.get(entry)?.where ?? '', text: entry.text }));
  return { side, requirement, level, message, frames };
}

/** The frames between which no frame is missing. */
function piecesOf({ events }: Trace): readonly (readonly PlacedFrame[])[] {
  const pieces: PlacedFrame[][] = [[]];
  for (const event of events)
    if (isFrame(event)) pieces.at(-1)?.push(event);
    else if (event.type === 'dropped') pieces.push([]);
  return pieces;
}

function beginsWithInitialize(frames: readonly PlacedFrame[], { header }: Trace): boolean {
  const first = frames.find((frame) => sideOf(frame, header.side) === 'client');
  return (first?.frame as { method?: unknown } | undefined)?.method === 'initialize';
}

function entryOf(placed: PlacedFrame, { header }: Trace): JournalEntry {
  const { at, frame, flaw } = placed;
  const isText = typeof frame === 'string';
  const text = isText ? frame : JSON.stringify(frame);
  return { at, from: sideOf(placed, header.side), text, ...(!isText && { message: frame }), ...(flaw && { flaw }) };
}

function sideOf({ direction }: PlacedFrame, side: Subject): Subject {
  return (direction === 'out') === (side === 'client') ? 'client' : 'agent';
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

/** Characters of a frame that are shown. */
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

function closing({ events, problems }: Trace, breaches: readonly Breach[]): string {
  const grave = breaches.filter(isGrave).length;
  const advice = breaches.length - grave;
  const frames = events.filter(isFrame).length;
  const missing = events.some((event) => !isFrame(event) && event.type === 'dropped') || problems.length > 0;
  if (frames === 0) return 'The trace has no frames, so there is nothing to judge';
  const verdict =
    breaches.length === 0 ? 'no violations' : `violations: ${grave}, recommendations not followed: ${advice}`;
  return `${frames} frames, ${verdict}${missing ? '; lines are missing, so the requirements that need them were not judged' : ''}`;
}
