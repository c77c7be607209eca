import { rm } from 'node:fs/promises';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, isAnswerTo, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type RequestAnswer, WireError } from '../../../wire/wire.ts';
import type { AgentScript, AgentScripts, AgentStage } from '../../agent-stage.ts';
import type { Asked, Frames } from '../../frames.ts';
import { cancelled, chosen, selected } from '../../host/play-host.ts';
import { expectDone, waysToMake } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';

const harmless: ReadonlySet<unknown> = new Set(['read', 'search', 'think', 'fetch']);

/** Whether the agent accepts a rejection, and a permanent approval. */
export const permissionScenarios: AgentScripts = {
  'permission/rejected': refuse('R201', 'was answered with a rejection', ({ options }) => {
    const rejecting = objectsIn(options).find(({ kind }) => kind === 'reject_once' || kind === 'reject_always');
    return rejecting === undefined ? cancelled : selected(rejecting['optionId']);
  }),
  'permission/cancelled': refuse('R201', 'was answered with the outcome cancelled', () => cancelled),
  'permission/unknown-option': refuse('R200', 'was answered with an option that was not offered', () =>
    selected('turnwire-never-offered'),
  ),
  'permission/error': refuse('R202', 'was answered with an error', () => {
    throw new WireError(-32_603, 'the question cannot be shown');
  }),
  'permission/always': (stage) => answerForEver(stage, 'R203', 'allow_always'),
  'permission/never': (stage) => answerForEver(stage, 'R204', 'reject_always'),
};

/**
 * That nothing is done when permission is not given, in whatever way.
 * @param shown as part of a sentence: "although its question …"
 */
function refuse(requirement: RequirementId, shown: string, answer: RequestAnswer): AgentScript {
  return async (stage) => {
    const session = await stage.session();
    for (const prompt of waysToMake) {
      // What was made in another way, without a question, shows nothing of this one.
      for (const name of ['allowed.txt', 'refused.txt']) await rm(stage.path(name), { force: true });
      // That nothing is done shows something only of an agent that does it when it may.
      session.onPermission(({ options }) => selected(chosen(options, 'allow_once')));
      const isAsked = await attempt(session, prompt(stage, 'allowed.txt'));
      if (!isAsked || (await stage.textOf('allowed.txt')) === undefined) continue;
      session.onPermission(answer);
      if (await attempt(session, prompt(stage, 'refused.txt'))) return seeUndone(stage, session, [requirement, shown]);
    }
    expectDone(false, 'create a file or run a command, with permission each time');
  };
}

/** Whether the agent asks for permission in a turn. A turn may fail over a refusal. */
async function attempt(session: Session, prompt: string): Promise<boolean> {
  return questionsIn(await session.begin(prompt).end()).length > 0;
}

async function seeUndone(
  stage: AgentStage,
  session: Session,
  [requirement, shown]: readonly [RequirementId, string],
): Promise<void> {
  const last = questionsIn(session).at(-1);
  const id = at(last?.entry.message, 'id');
  const answers = session.entries.filter(
    ({ from, message }) => from === 'client' && isAnswerTo(id, asMessage(message) ?? {}),
  );
  const isDone = (await stage.textOf('refused.txt')) !== undefined;
  stage.see.check(requirement, isDone && `the agent continued although its question ${shown}`, last, answers);
}

/** Questions about what changes something: an agent may ask before it reads, and then write without asking. */
function questionsIn(frames: Frames): readonly Asked[] {
  const questions = frames.asked('session/request_permission');
  return questions.filter(({ params }) => !harmless.has(at(params, 'toolCall', 'kind')));
}

async function answerForEver(
  stage: AgentStage,
  requirement: RequirementId,
  wanted: 'allow_always' | 'reject_always',
): Promise<void> {
  const session = await stage.session();
  const offers = ({ options }: RawMessage): boolean => objectsIn(options).some(({ kind }) => kind === wanted);
  session.onPermission((params) => (offers(params) ? selected(chosen(params['options'], wanted)) : cancelled));
  const command = stage.steer('run', { command: 'touch quince.txt' });
  const first = await session.begin(command).end();
  const question = first.asked('session/request_permission').find(({ params }) => offers(params));
  expectDone(question !== undefined, `ask for permission to run a command, with the option ${wanted}`);
  const again = (await session.begin(command).end()).asked('session/request_permission');
  if (again.length > 0 && !again.some((each) => titleOf(each) === titleOf(question)))
    throw new Stopped('asked to do the same again, the agent asked about something else');
  const fault = again.length > 0 && `what was answered with ${wanted} was asked about again`;
  stage.see.check(requirement, fault, question, again);
}

/** What a question is about, in the words of the agent. */
function titleOf({ params }: Asked): unknown {
  return at(params, 'toolCall', 'title');
}
