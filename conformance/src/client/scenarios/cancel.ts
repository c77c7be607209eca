import { Stopped } from '../../wire/stopped.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import { asMessage, errorOf, isAnswerTo } from '../../wire/messages.ts';
import { WireError } from '../../wire/wire.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientScenario } from '../client-scenario.ts';
import type { ClientStage, PlayedTurn } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { ClientEnd, ClientRun } from '../drive/client-run.ts';
import { faultOf as faultOfEnd, wordsAfter } from './endings.ts';

/** How long a turn runs before it is cancelled, in milliseconds. */
const settled = 300;

/** How long a client at a terminal is watched after its turn was cancelled, in milliseconds. */
const stays = 1_500;

/** A turn that a user cancels. */
export const cancelScenarios: readonly ClientScenario[] = [
  {
    id: 'cancel/turn',
    title: 'a cancel is sent to the agent, and its updates until the end of the turn are accepted',
    covers: ['R163'],
    run: async (stage) => {
      let isThere = false;
      const end = await cancelled(stage, 'prompt', async ({ agent, sessionId }) => {
        agent.update(sessionId, {
          sessionUpdate: 'tool_call',
          toolCallId: 'slow',
          title: 'Something slow',
          status: 'in_progress',
        });
        await untilCancelled(stage, { agent, sessionId });
        agent.update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'slow', status: 'failed' });
        agent.say(sessionId, wordsAfter);
        // Who has left, or leaves now, takes nothing in.
        await agent.quiet(100);
        isThere = !agent.hasEnded;
        return { stopReason: 'cancelled' };
      });
      const fault = faultOf(end);
      if (fault === undefined && !isThere) throw new Stopped('the client left as soon as it had cancelled the turn');
      stage.see.check('R163', fault);
    },
  },
  {
    id: 'cancel/permissions',
    title: 'when a turn is cancelled, every permission that waits is answered with cancelled',
    covers: ['R157', 'R175', 'R199'],
    run: async (stage) => {
      await cancelled(stage, 'leave open', async ({ agent, sessionId }) => {
        const ids = ['ask-1', 'ask-2', 'ask-3'];
        for (const id of ids)
          agent.send({ jsonrpc: '2.0', id, method: 'session/request_permission', params: permission(sessionId, id) });
        await untilCancelled(stage, { agent, sessionId });
        const answers = await Promise.all(
          ids.map((id) => agent.next((message) => isAnswerTo(id, message), { within: 2_000 })),
        );
        judgeAnswers(stage, answers);
        return { stopReason: 'cancelled' };
      });
    },
  },
  {
    id: 'cancel/taken-back',
    title: 'a question that the agent takes back is answered with an outcome, or with -32800',
    covers: ['R172'],
    run: async (stage) => {
      const over = new Promise<void>((resolve) =>
        stage.play((agent) =>
          agent.handle('session/prompt', async ({ sessionId }) => {
            await takeBack(stage, agent, String(sessionId));
            resolve();
            return { stopReason: 'end_turn' };
          }),
        ),
      );
      await stage.start('leave open');
      const agent = await stage.launched();
      if ((await agent.call('session/prompt')) === undefined) throw new Stopped('the client sent no prompt');
      await stage.orFailure(over);
    },
  },
  odd({
    id: 'cancel/ends-all-the-same',
    title: 'a cancelled turn that ends with end_turn is over',
    answer: () => ({ stopReason: 'end_turn' }),
  }),
  odd({
    id: 'cancel/ends-with-an-error',
    title: 'a cancelled turn that ends with an error is over',
    answer: () => {
      throw new WireError(-32_603, 'aborted');
    },
  }),
  odd({
    id: 'cancel/ends-late',
    title: 'a cancelled turn that ends late is over then, or was given up before',
    answer: async ({ agent }) => {
      await agent.quiet(800);
      return { stopReason: 'cancelled' };
    },
  }),
  odd({
    id: 'cancel/never-ends',
    title: 'a cancelled turn that never ends does not block the client indefinitely',
    answer: () => null,
  }),
];

/** Who cancels by a signal may end by it, once it has done what it had to. */
function faultOf(end: ClientEnd): string | undefined {
  const isAsked = end.exit.signal === 'SIGINT' || end.exit.signal === 'SIGTERM';
  return faultOfEnd(isAsked ? { ...end, exit: { code: 130, signal: null } } : end);
}

/** Asks, and takes the question back. */
async function takeBack({ see }: ClientStage, agent: PlayedAgent, sessionId: string): Promise<void> {
  const id = 'taken back';
  agent.send({ jsonrpc: '2.0', id, method: 'session/request_permission', params: permission(sessionId, id) });
  await agent.quiet(100);
  agent.notify('$/cancel_request', { requestId: id });
  const answer = await agent.next((message) => isAnswerTo(id, message), { within: 1_000 });
  if (answer === undefined) throw new Stopped('the client does not know $/cancel_request');
  const code = errorOf(asMessage(answer.message) ?? {})?.code;
  const fault =
    code !== -32_800 && outcomeOf(answer) === undefined && 'it was answered with neither an outcome nor -32800';
  see.check('R172', fault, answer);
}

interface Odd {
  readonly id: string;
  readonly title: string;
  readonly answer: (turn: PlayedTurn) => ReturnType<Parameters<ClientStage['turn']>[0]>;
}

/** A cancelled turn that ends in an odd way, or not. */
function odd({ id, title, answer }: Odd): ClientScenario {
  return {
    id,
    title,
    covers: ['R336'],
    run: async (stage) => {
      let hasBeen = false;
      const end = await cancelled(stage, 'prompt', async (turn) => {
        await untilCancelled(stage, turn);
        hasBeen = true;
        return answer(turn);
      });
      if (!hasBeen) throw new Stopped('the client ended the agent instead of cancelling its turn');
      const fault = end.how === 'interrupted' ? undefined : faultOf(end);
      stage.see.check('R336', fault);
    },
  };
}

/** Has a turn begun and cancelled. */
async function cancelled(
  stage: ClientStage,
  action: ClientAction,
  script: (turn: PlayedTurn) => ReturnType<Parameters<ClientStage['turn']>[0]>,
): Promise<ClientEnd> {
  const running: ClientRun[] = [];
  stage.play((agent) =>
    agent.handle('session/prompt', async (params, { id }) => {
      const sessionId = String(params['sessionId']);
      agent.say(sessionId, 'A turn that takes long.');
      setTimeout(() => void running[0]?.cancel(), settled);
      const result = await script({ agent, sessionId, id, params });
      return result === null ? undefined : result;
    }),
  );
  const run = await stage.start(action);
  running.push(run);
  const agent = await stage.launched();
  if ((await agent.call('session/prompt', stage.settings.patience.end)) === undefined)
    throw new Stopped('the client sent no prompt');
  // A client that was left open is one that stays.
  return stage.orFailure(stage.ended(run, action === 'leave open' ? stays : stage.settings.patience.end));
}

/** Resolves when the client cancelled this very turn; stops the scenario if it went instead. */
async function untilCancelled(
  stage: ClientStage,
  { agent, sessionId }: Pick<PlayedTurn, 'agent' | 'sessionId'>,
): Promise<void> {
  const cancel = await agent.next(
    ({ method, params }) => method === 'session/cancel' && asMessage(params)?.['sessionId'] === sessionId,
    { within: stage.settings.patience.leave },
  );
  if (cancel === undefined) throw new Stopped('the client did not cancel the turn with session/cancel');
}

function judgeAnswers({ see }: ClientStage, answers: readonly (JournalEntry | undefined)[]): void {
  const outcomes = answers.map((entry) => outcomeOf(entry));
  const fault = outcomes.includes(undefined)
    ? `${String(outcomes.filter((outcome) => outcome === undefined).length)} of 3 permission requests were not answered with an outcome`
    : `the permission requests were answered with ${outcomes.join(', ')}`;
  const evidence = answers.filter((entry) => entry !== undefined);
  const areCancelled = outcomes.every((outcome) => outcome === 'cancelled');
  see.check('R157', !areCancelled && fault, evidence);
  see.check('R199', !areCancelled && fault, evidence);
  const codes = answers
    .map((entry) => errorOf(asMessage(entry?.message) ?? {})?.code)
    .filter((code) => code !== undefined);
  if (codes.length === 0) return see.unseen('R175', 'the client answers with outcomes, and not with errors');
  const newFault = !codes.every((code) => code === -32_800) && `an error has the code ${JSON.stringify(codes[0])}`;
  see.check('R175', newFault, evidence);
}

function outcomeOf(entry: JournalEntry | undefined): unknown {
  return asMessage(asMessage(asMessage(entry?.message)?.['result'])?.['outcome'])?.['outcome'];
}

/** A request for permission to do something that matters. */
export function permission(sessionId: string, toolCallId: string): unknown {
  return {
    sessionId,
    toolCall: { toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  };
}
