import { rm } from 'node:fs/promises';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, isAnswerTo, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type RequestAnswer, WireError } from '../../../wire/wire.ts';
import type { AgentScript, AgentScripts, AgentContext } from '../../agent-context.ts';
import type { AgentRequest, Frames } from '../../frames.ts';
import { cancelled, chosen, selected, toolCallIn } from '../../host/simulate-host.ts';
import { expectDone, waysToMake } from '../../fixtures/preconditions.ts';
import type { Session } from '../../session.ts';

const harmless: ReadonlySet<unknown> = new Set(['read', 'search', 'think', 'fetch']);

/** Whether the agent respects rejections and permanent answers. */
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
  'permission/once': async (context) => {
    const session = await context.session();
    const offered = new Set<unknown>();
    session.onPermission(({ options }) => {
      const once = objectsIn(options).find(({ kind }) => kind === 'allow_once');
      offered.add(once?.['kind']);
      return once === undefined ? cancelled : selected(once['optionId']);
    });
    const isDone = async (): Promise<boolean> => (await context.textOf('quince.txt')) !== undefined;
    for (const way of waysToMake) {
      await rm(context.path('quince.txt'), { force: true });
      const [question] = questionsIn(await session.prompt(way(context, 'quince.txt')));
      if (question === undefined || !offered.has('allow_once') || !(await isDone())) continue;
      await rm(context.path('quince.txt'));
      const again = await session.prompt(way(context, 'quince.txt'));
      // The agent may refuse to do the same again.
      expectDone(await isDone(), 'do something a second time');
      const fault =
        questionsIn(again).length === 0 && 'an action was repeated without a question after it was allowed once';
      return void context.see.check('R410', fault, question, again.toolReports.slice(0, 1), again);
    }
    expectDone(false, 'ask for permission, with the option allow_once, before it creates a file or runs a command');
  },
  'permission/always': (context) => answerPermanently(context, 'R203', 'allow_always'),
  'permission/never': (context) => answerPermanently(context, 'R204', 'reject_always'),
};

/**
 * Judges that the agent does nothing when permission is not granted.
 * @param shown the end of the sentence "although its question …"
 */
function refuse(requirement: RequirementId, shown: string, answer: RequestAnswer): AgentScript {
  return async (context) => {
    const session = await context.session();
    for (const prompt of waysToMake) {
      // A file that was created earlier, without a question, would prove nothing.
      for (const name of ['allowed.txt', 'refused.txt']) await rm(context.path(name), { force: true });
      // A refusal proves something only if the agent acts once it is allowed to.
      session.onPermission(({ options }) => selected(chosen(options, 'allow_once')));
      const isAsked = await attempt(session, prompt(context, 'allowed.txt'));
      if (!isAsked || (await context.textOf('allowed.txt')) === undefined) continue;
      session.onPermission(answer);
      const turn = session.begin(prompt(context, 'refused.txt'));
      // An agent that never ends a cancelled turn may treat this one in the same way.
      const hasEnded = await turn.endWithin(Math.min(context.turnTimeout, 4 * context.cancels.milliseconds));
      if (hasEnded === undefined && (await context.textOf('refused.txt')) === undefined)
        throw new Stopped('the turn with the refused action did not end');
      if (questionsIn(turn).length > 0) return seeUndone(context, session, [requirement, shown]);
    }
    expectDone(false, 'ask for permission each time it creates a file or runs a command');
  };
}

/** Whether the agent asks for permission during a turn. The turn may fail because of a refusal. */
async function attempt(session: Session, prompt: string): Promise<boolean> {
  return questionsIn(await session.begin(prompt).end()).length > 0;
}

async function seeUndone(
  context: AgentContext,
  session: Session,
  [requirement, shown]: readonly [RequirementId, string],
): Promise<void> {
  const last = questionsIn(session).at(-1);
  const id = at(last?.entry.message, 'id');
  const answers = session.entries.filter(
    ({ from, message }) => from === 'client' && isAnswerTo(id, asMessage(message) ?? {}),
  );
  const isDone = (await context.textOf('refused.txt')) !== undefined;
  context.see.check(requirement, isDone && `the agent continued although its question ${shown}`, last, answers);
}

/** Permission requests for actions that change something: an agent may ask before it reads, and then write without asking. */
function questionsIn(frames: Frames): readonly AgentRequest[] {
  const questions = frames.requests('session/request_permission');
  return questions.filter(({ params }) => !harmless.has(toolCallIn(params)['kind']));
}

async function answerPermanently(
  context: AgentContext,
  requirement: RequirementId,
  wanted: 'allow_always' | 'reject_always',
): Promise<void> {
  const session = await context.session();
  const offers = ({ options }: RawMessage): boolean => objectsIn(options).some(({ kind }) => kind === wanted);
  session.onPermission((params) => (offers(params) ? selected(chosen(params['options'], wanted)) : cancelled));
  const command = context.steer('run', { command: 'touch quince.txt' });
  const first = await session.begin(command).end();
  const question = first.requests('session/request_permission').find(({ params }) => offers(params));
  expectDone(question !== undefined, `ask for permission to run a command, with the option ${wanted}`);
  const again = (await session.begin(command).end()).requests('session/request_permission');
  if (again.length > 0 && !again.some((each) => titleOf(each) === titleOf(question)))
    throw new Stopped('the agent asked about another action when asked to repeat the first');
  const fault = again.length > 0 && `the agent asked again about an action that was answered with ${wanted}`;
  context.see.check(requirement, fault, question, again);
}

/** The agent's own title for the action in question. */
function titleOf({ params }: AgentRequest): unknown {
  return toolCallIn(params)['title'];
}
