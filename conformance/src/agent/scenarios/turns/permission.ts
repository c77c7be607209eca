import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry, RawMessage } from '../../../wire/journal.ts';
import { asMessage, isAnswerTo } from '../../../wire/messages.ts';
import { WireError } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { chosen, selected } from '../../host/play-host.ts';
import { type Asked, askedIn, entriesOf, objectsIn } from '../../pieces/frames.ts';
import { beginSession, type Begun, expectDone, textOf, waysToMake } from '../../pieces/preconditions.ts';

/** An answer that is not an approval. */
interface Refusal {
  readonly id: string;
  readonly title: string;
  readonly requirement: RequirementId;
  /** As part of a sentence: "although the question …". */
  readonly shown: string;
  readonly answer: (params: RawMessage) => RawMessage;
}

const harmless: ReadonlySet<unknown> = new Set(['read', 'search', 'think', 'fetch']);

const refusals: readonly Refusal[] = [
  {
    id: 'permission/rejected',
    title: 'what was rejected is not done',
    requirement: 'R201',
    shown: 'was answered with a rejection',
    answer: ({ options }) => {
      const rejecting = objectsIn(options).find(({ kind }) => kind === 'reject_once' || kind === 'reject_always');
      return rejecting === undefined ? cancelled() : selected(rejecting['optionId']);
    },
  },
  {
    id: 'permission/cancelled',
    title: 'what was asked in vain, with the outcome cancelled, is not done',
    requirement: 'R201',
    shown: 'was answered with the outcome cancelled',
    answer: cancelled,
  },
  {
    id: 'permission/unknown-option',
    title: 'an option that was not offered approves nothing',
    requirement: 'R200',
    shown: 'was answered with an option that was not offered',
    answer: () => selected('turnwire-never-offered'),
  },
  {
    id: 'permission/error',
    title: 'an error in place of an answer approves nothing',
    requirement: 'R202',
    shown: 'was answered with an error',
    answer: () => {
      throw new WireError(-32_603, 'the question cannot be shown');
    },
  },
];

/** Whether the agent accepts a rejection, and a permanent approval. */
export const permissionScenarios: readonly AgentScenario[] = [
  ...refusals.map((refusal) => ({
    id: refusal.id,
    title: refusal.title,
    covers: [refusal.requirement, 'R196'] as const,
    run: (stage: AgentStage) => refuse(stage, refusal),
  })),
  ...[true, false].map((isAllowed) => ({
    id: isAllowed ? 'permission/always' : 'permission/never',
    title: `what was ${isAllowed ? 'allowed' : 'rejected'} permanently is not asked about again`,
    covers: [isAllowed ? ('R203' as const) : ('R204' as const)],
    run: (stage: AgentStage) => answerForEver(stage, isAllowed),
  })),
];

async function refuse(stage: AgentStage, { requirement, shown, answer }: Refusal): Promise<void> {
  const begun = await beginSession(stage);
  const { wire } = begun;
  for (const prompt of waysToMake) {
    // What was made in another way, without a question, shows nothing of this one.
    for (const name of ['allowed.txt', 'refused.txt']) await rm(join(stage.folder, name), { force: true });
    // That nothing is done shows something only of an agent that does it when it may.
    wire.handle('session/request_permission', ({ options }) => selected(chosen(options, 'allow_once')));
    const isAsked = await attempt(stage, begun, prompt(stage, 'allowed.txt'));
    if (!isAsked || (await textOf(join(stage.folder, 'allowed.txt'))) === undefined) continue;
    wire.handle('session/request_permission', answer);
    if (await attempt(stage, begun, prompt(stage, 'refused.txt')))
      return seeUndone(stage, begun, { requirement, shown });
  }
  expectDone(false, 'create a file or run a command, with permission each time');
}

/** Whether the agent asks for permission in a turn. A turn may fail over a refusal. */
async function attempt(stage: AgentStage, { wire, sessionId }: Begun, prompt: string): Promise<boolean> {
  const turn = stage.begin(wire, sessionId, prompt);
  await turn.end();
  return questionsIn(turn.entries).length > 0;
}

async function seeUndone(
  { see, folder }: AgentStage,
  { wire }: Begun,
  { requirement, shown }: Pick<Refusal, 'requirement' | 'shown'>,
): Promise<void> {
  const questions = questionsIn(wire.journal);
  see.check(requirement, (await textOf(join(folder, 'refused.txt'))) === undefined, {
    otherwise: `the agent continued although its question ${shown}`,
    evidence: questions.slice(-1).flatMap((question) => [question.entry, ...answersTo(question, wire.journal)]),
  });
  for (const { entry, params } of questions) {
    const ids = objectsIn(params['options']).map(({ optionId }) => optionId);
    const isUnique = new Set(ids).size === ids.length;
    see.check('R196', isUnique, { otherwise: 'two options have the same optionId', evidence: [entry] });
  }
}

/** Questions about what changes something: an agent may ask before it reads, and then write without asking. */
function questionsIn(entries: readonly JournalEntry[]): readonly Asked[] {
  return askedIn(entries, 'session/request_permission').filter(
    ({ params }) => !harmless.has(asMessage(params['toolCall'])?.['kind']),
  );
}

async function answerForEver(stage: AgentStage, isAllowed: boolean): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const kind = isAllowed ? 'allow_always' : 'reject_always';
  const offers = ({ options }: RawMessage): boolean => objectsIn(options).some((option) => option['kind'] === kind);
  wire.handle('session/request_permission', (params) =>
    offers(params) ? selected(chosen(params['options'], kind)) : cancelled(),
  );
  const command = stage.steer('run', { command: 'touch quince.txt' });
  const first = stage.begin(wire, sessionId, command);
  await first.end();
  const [question] = askedIn(first.entries, 'session/request_permission').filter(({ params }) => offers(params));
  expectDone(question !== undefined, `ask for permission to run a command, with the option ${kind}`);
  const second = stage.begin(wire, sessionId, command);
  await second.end();
  const again = askedIn(second.entries, 'session/request_permission');
  if (again.length > 0 && !again.some((each) => titleOf(each) === titleOf(question)))
    throw new Stopped('asked to do the same again, the agent asked about something else');
  stage.see.check(isAllowed ? 'R203' : 'R204', again.length === 0, {
    otherwise: `what was answered with ${kind} was asked about again`,
    evidence: entriesOf([question, ...again]),
  });
}

function answersTo({ entry }: Asked, journal: readonly JournalEntry[]): readonly JournalEntry[] {
  const id = asMessage(entry.message)?.['id'];
  return journal.filter(({ from, message }) => from === 'client' && isAnswerTo(id, asMessage(message) ?? {}));
}

/** What a question is about, in the words of the agent. */
function titleOf({ params }: Asked): unknown {
  return asMessage(params['toolCall'])?.['title'];
}

function cancelled(): RawMessage {
  return { outcome: { outcome: 'cancelled' } };
}
