import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { Subject } from '../../src/requirements/requirement.ts';
import type { Line } from '../../src/wire/line.ts';
import { asMessage, type RawMessage } from '../../src/wire/messages.ts';

/** What a mutant can do besides letting lines through. */
export interface Tampering {
  /** Says a line to the side that is judged, as if the kit had. */
  readonly toSubject: (text: string) => void;
  /** Says a line to the kit, as if the subject had. */
  readonly toKit: (text: string) => void;
  /** Ends the connection as if the subject had gone. */
  readonly end: () => void;
}

/** A subject broken in one way: it changes, drops, doubles or adds lines. A fresh one is made for every connection, so it may remember. */
export type Defect = (tampering: Tampering) => {
  /** What the subject says: the lines the kit gets in its place. Default: the line as it is. */
  readonly says?: (message: RawMessage, text: string) => readonly (RawMessage | string)[];
  /** What the kit says: the lines the subject gets in its place. */
  readonly hears?: (message: RawMessage, text: string) => readonly (RawMessage | string)[];
  /** What the kit says that is no JSON object: the lines the subject gets in its place. */
  readonly hearsNoise?: (text: string) => readonly string[];
  /** The bytes the kit writes at once: what the subject reads in their place. Needs a process. */
  readonly reads?: (bytes: Uint8Array) => Uint8Array;
  /** What the subject printed on stderr besides. Needs a process. */
  readonly prints?: string;
  /** The subject continues when its stdin ends, and when it is told to terminate. Needs a process. */
  readonly isImmortal?: boolean;
};

/** A defect, and what must be found out about it. */
export interface Mutant {
  /** What it does wrong, as a sentence. */
  readonly name: string;
  readonly judges: Subject;
  /** The scenario that must catch it. */
  readonly scenario: string;
  /** The requirement that it breaks. */
  readonly breaks: `R${number}`;
  /** What agent must be broken like this: one with bytes and a process, one that wants a login, one whose sessions clients share, or one with the unstable methods. Default: the built-in one, in memory. */
  readonly needs?: 'process' | 'login' | 'shared' | 'unstable';
  readonly defect: Defect;
}

/** An agent with a defect. */
export function mutantAgent(subject: AgentSubject, defect: Defect): AgentSubject {
  return { name: subject.name, open: async (place) => mutantLine(await subject.open(place), defect) };
}

/** A line to a subject with a defect. */
export function mutantLine(line: Line, defect: Defect): Line {
  let receiver: Parameters<Line['start']>[0] | undefined;
  const broken = defect({
    toSubject: (text) => line.send(text),
    toKit: (text) => receiver?.text(text),
    end: () => receiver?.end(),
  });
  const { says, hears, hearsNoise } = broken;
  return {
    ...line,
    ...brokenProcess(line, broken),
    start: (kit) => {
      receiver = kit;
      line.start({
        text: (text, flaw) => {
          for (const changed of changedBy(says, text)) kit.text(changed, flaw);
        },
        end: () => kit.end(),
      });
    },
    send: (text) => {
      for (const each of changedBy(hears, text, hearsNoise)) line.send(each);
    },
  };
}

/** What is wrong with the bytes of a subject, and with its process. */
function brokenProcess(
  { sendBytes, endInput, process }: Line,
  { reads = (bytes) => bytes, prints = '', isImmortal = false }: ReturnType<Defect>,
): Partial<Line> {
  if (sendBytes === undefined || endInput === undefined || process === undefined) return {};
  return {
    sendBytes: (bytes) => sendBytes(reads(bytes)),
    endInput: isImmortal ? () => undefined : endInput,
    process: {
      ...process,
      stderr: () => `${process.stderr()}${prints}`,
      kill: isImmortal ? () => undefined : process.kill,
    },
  };
}

function changedBy(
  change: ReturnType<Defect>['says'],
  text: string,
  changeNoise?: ReturnType<Defect>['hearsNoise'],
): readonly string[] {
  // Some texts have megabytes, and few mutants look at what is said on both sides.
  if (change === undefined && changeNoise === undefined) return [text];
  const message = messageIn(text);
  if (message === undefined) return changeNoise?.(text) ?? [text];
  if (change === undefined) return [text];
  // What is not changed is not written anew: not every text survives that.
  return change(message, text).map((line) => (line === message ? text : asText(line)));
}

function asText(line: RawMessage | string): string {
  return typeof line === 'string' ? line : JSON.stringify(line);
}

function messageIn(text: string): RawMessage | undefined {
  try {
    return asMessage(JSON.parse(text));
  } catch {
    return undefined;
  }
}
