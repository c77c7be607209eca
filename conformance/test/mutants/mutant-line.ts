import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { RequirementId, Subject } from '../../src/requirements/requirement.ts';
import type { Line } from '../../src/wire/line.ts';
import { asMessage, type RawMessage } from '../../src/wire/messages.ts';

/** The actions of a mutant besides passing lines on. */
export interface Tampering {
  /** Sends a line to the subject as if it came from the kit. */
  readonly toSubject: (text: string) => void;
  /** Sends a line to the kit as if it came from the subject. */
  readonly toKit: (text: string) => void;
  /** Ends the connection as if the subject had exited. */
  readonly end: () => void;
  /** The empty home folder of an agent that got one. */
  readonly home?: string | undefined;
}

/** Changes the lines of a subject: it modifies, drops, duplicates or adds some. Created for every connection, so that it may have state. */
export type Defect = (tampering: Tampering) => {
  /** Called with each line of the subject. Returns the lines that the kit receives instead. Default: the same line. */
  readonly says?: (message: RawMessage, text: string) => readonly (RawMessage | string)[];
  /** Called with each line of the kit. Returns the lines that the subject receives instead. */
  readonly hears?: (message: RawMessage, text: string) => readonly (RawMessage | string)[];
  /** The same for lines of the kit that are not JSON objects. */
  readonly hearsNoise?: (text: string) => readonly string[];
  /** Changes the bytes of one write of the kit. Needs a process. */
  readonly reads?: (bytes: Uint8Array) => Uint8Array;
  /** Additional output of the subject on stderr. Needs a process. */
  readonly prints?: string;
  /** The subject ignores the end of its stdin and SIGTERM. Needs a process. */
  readonly isImmortal?: boolean;
};

/** A defect, and the requirement that it breaks. */
export interface Mutant {
  /** The fault, as the end of a sentence. */
  readonly name: string;
  readonly judges: Subject;
  /** The scenario that must find it. */
  readonly scenario: string;
  /** The requirement that it breaks. */
  readonly breaks: RequirementId;
  /**
   * The kind of agent that the defect needs: one with bytes and a process, one that requires a login, one with shared sessions, or one
   * with unstable methods. Default: the built-in agent in memory.
   */
  readonly needs?: 'process' | 'login' | 'shared' | 'unstable';
  readonly defect: Defect;
}

/** An agent with a defect. */
export function mutantAgent(subject: AgentSubject, defect: Defect): AgentSubject {
  return {
    name: subject.name,
    open: async (place) =>
      mutantLine(await subject.open(place), (tampering) => defect({ ...tampering, home: place.home })),
  };
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

/** Faults in the bytes and the process of a subject. */
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
  // Some lines have megabytes, and few mutants inspect both directions: do not parse unless needed.
  if (change === undefined && changeNoise === undefined) return [text];
  const message = messageIn(text);
  if (message === undefined) return changeNoise?.(text) ?? [text];
  if (change === undefined) return [text];
  // Unchanged lines are passed on verbatim: parsing and serialising would change some.
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
