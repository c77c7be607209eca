import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { Subject } from '../../src/requirements/requirement.ts';
import type { RawMessage } from '../../src/wire/journal.ts';
import type { Line } from '../../src/wire/line.ts';
import { asMessage } from '../../src/wire/messages.ts';

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
  readonly defect: Defect;
}

/** An agent with a defect. */
export function mutantAgent(subject: AgentSubject, defect: Defect): AgentSubject {
  return { name: subject.name, open: async (place) => mutantLine(await subject.open(place), defect) };
}

/** A line to a subject with a defect. */
export function mutantLine(line: Line, defect: Defect): Line {
  let receiver: Parameters<Line['start']>[0] | undefined;
  const { says, hears } = defect({
    toSubject: (text) => line.send(text),
    toKit: (text) => receiver?.text(text),
    end: () => receiver?.end(),
  });
  return {
    ...line,
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
      for (const changed of changedBy(hears, text)) line.send(changed);
    },
  };
}

function changedBy(change: ReturnType<Defect>['says'], text: string): readonly string[] {
  const message = messageIn(text);
  if (change === undefined || message === undefined) return [text];
  return change(message, text).map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
}

function messageIn(text: string): RawMessage | undefined {
  try {
    return asMessage(JSON.parse(text));
  } catch {
    return undefined;
  }
}
