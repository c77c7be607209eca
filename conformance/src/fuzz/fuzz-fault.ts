import { auditJournal } from '../audit/audit-journal.ts';
import { requirements } from '../requirements/requirements.ts';
import { at, isAnswerTo, type JournalEntry, type RawMessage } from '../wire/messages.ts';
import { lastWordsOn, type Wire } from '../wire/wire.ts';
import type { Asked } from './fuzz-step.ts';

/** A violation that no input may cause. */
export interface FuzzFault {
  /**
   * - `lives`: the agent ended, or its connection did
   * - `answers`: a request was not answered in time, or more than once
   * - `silence`: there was an answer without a request
   * - `continues`: a valid request was not answered afterwards
   * - `frames`: the agent sent an invalid message
   */
  readonly rule: 'lives' | 'answers' | 'silence' | 'continues' | 'frames';
  /** The observation, as a sentence without its full stop. Contains text of the agent: clean it before printing it to a terminal. */
  readonly message: string;
  readonly evidence: readonly JournalEntry[];
}

/** Judged here, with more knowledge of the input. */
const elsewhere = ['R018', 'R019'];
const demanded = new Set(
  requirements.filter(({ id, level }) => level.startsWith('MUST') && !elsewhere.includes(id)).map(({ id }) => id),
);

const sane = 'turnwire-sane';

/** The fault of an agent after all input; undefined if there is none. Waits for outstanding answers. */
export async function faultIn(wire: Wire, asked: readonly Asked[], patience: number): Promise<FuzzFault | undefined> {
  wire.send({ jsonrpc: '2.0', id: sane, method: '_turnwire.dev/nothing', params: {} });
  const within = patience;
  const answered = await wire.next((message) => isAnswerTo(sane, message), { within });
  const owed = asked.filter(({ isOwed }) => isOwed);
  await Promise.all(owed.map(({ id }) => wire.next((message) => isAnswerWith(id, message), { within })));
  if (wire.hasEnded)
    return {
      rule: 'lives',
      message: `the connection ended${lastWordsOn(wire.line)}`,
      evidence: wire.journal.slice(-1),
    };
  if (answered === undefined)
    return { rule: 'continues', message: 'a sane request is not answered any more', evidence: [] };
  const missing = owed.find(({ id }) => answersWith(wire, id).length === 0);
  if (missing === undefined) return unaskedIn(wire, asked) ?? wrongFrame(wire);
  return { rule: 'answers', message: `the request ${missing.id} was not answered in time`, evidence: [missing.entry] };
}

/** More answers than requests, or answers without a request. */
function unaskedIn(wire: Wire, asked: readonly Asked[]): FuzzFault | undefined {
  const answered = wire.received().filter(({ message }) => isAnswer(message));
  for (const id of new Set(answered.map(({ message }) => JSON.stringify(message['id'])))) {
    const evidence = answersWith(wire, id);
    const allowed = id === JSON.stringify(sane) ? 1 : asked.filter((each) => mayBeAnsweredWith(id, each)).length;
    if (evidence.length <= allowed) continue;
    const rule = allowed === 0 ? 'silence' : 'answers';
    return { rule, message: `answers with the id ${id}: ${evidence.length}; to be expected: ${allowed}`, evidence };
  }
  return undefined;
}

/** Anything that is not a call is answered with its id if it has one, or with null. */
function mayBeAnsweredWith(answerId: string | undefined, { id, method, mayFail }: Asked): boolean {
  if (id === answerId && (method !== undefined || mayFail)) return true;
  return mayFail && (answerId === 'null' || answerId === undefined);
}

function wrongFrame(wire: Wire): FuzzFault | undefined {
  // Our input is replayed when a session is loaded, including its errors.
  const isEcho = ({ message }: JournalEntry): boolean =>
    at(message, 'params', 'update', 'sessionUpdate') === 'user_message_chunk';
  const broken = auditJournal(wire.journal, 'agent').find(
    ({ outcome, requirement, evidence }) => outcome === 'broken' && demanded.has(requirement) && !evidence.some(isEcho),
  );
  if (broken === undefined) return undefined;
  return { rule: 'frames', message: `${broken.requirement}: ${broken.message}`, evidence: broken.evidence };
}

function answersWith(wire: Wire, id: string | undefined): readonly JournalEntry[] {
  return wire.received().flatMap(({ entry, message }) => (isAnswerWith(id, message) ? [entry] : []));
}

function isAnswerWith(id: string | undefined, message: RawMessage): boolean {
  return isAnswer(message) && JSON.stringify(message['id']) === id;
}

function isAnswer(message: RawMessage): boolean {
  return message['method'] === undefined && ('result' in message || 'error' in message);
}
