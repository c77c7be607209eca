import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage, errorOf, isAnswerTo } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { chosen, selected } from '../../host/play-host.ts';
import { endedAfter, readyToAnswer, unknownMethod } from '../../pieces/unknown-method.ts';

/** How long an agent that can cancel may take, and how long an answer that must not be: in milliseconds. */
const toCancel = 2_000;
const afterwards = 200;
const unsupported = 'the agent does not support $/cancel_request, which is optional';

/** Giving up a request. */
export const cancelRequestScenarios: readonly AgentScenario[] = [
  {
    id: 'cancel-request/answered',
    title: 'to cancel what was answered, or never asked, changes nothing',
    covers: ['R173'],
    run: async (stage) => {
      const wire = await readyToAnswer(stage);
      await wire.ask(unknownMethod, {}, { id: 'answered' });
      const from = wire.journal.length;
      const cancels = ['answered', 'never asked', 404, null].map((requestId) =>
        wire.notify('$/cancel_request', { requestId }),
      );
      const { entry } = await wire.ask(unknownMethod);
      await wire.quiet(afterwards);
      const answers = wire
        .received(from)
        .filter((each) => each.entry !== entry && each.message['method'] === undefined);
      // That it answers notifications is said elsewhere.
      if (answers.some(({ message }) => errorOf(message)?.code === -32_601)) throw new Stopped(unsupported);
      if (wire.hasEnded) throw endedAfter(wire, from);
      stage.see.check('R173', answers.length === 0, {
        otherwise: 'there is an answer to what was over',
        evidence: [...cancels, ...answers.map((each) => each.entry)],
      });
    },
  },
  {
    id: 'cancel-request/pending',
    title: 'a request that is cancelled is answered: with what there is, or with -32800',
    covers: ['R172'],
    run: async (stage) => {
      const turn = await waitingTurn(stage);
      const { wire, id } = turn;
      const cancel = wire.notify('$/cancel_request', { requestId: id });
      const answer = await wire.next((message) => isAnswerTo(id, message), { within: toCancel });
      if (answer === undefined) return ignored(stage, turn);
      const message = asMessage(answer.message) ?? {};
      const isRight = errorOf(message) === undefined ? hasStopReason(message) : errorOf(message)?.code === -32_800;
      stage.see.check('R172', isRight, { otherwise: 'it is neither a result nor -32800', evidence: [cancel, answer] });
    },
  },
  {
    id: 'cancel-request/other-direction',
    title: 'a cancel means requests of its sender: an id of the agent is nothing to it',
    covers: ['R177'],
    run: async (stage) => {
      const { wire, id, permission } = await waitingTurn(stage);
      const request = asMessage(permission.message) ?? {};
      const cancel = wire.notify('$/cancel_request', { requestId: request['id'] });
      await wire.quiet(afterwards);
      const { options } = asMessage(request['params']) ?? {};
      wire.send({ jsonrpc: '2.0', id: request['id'], result: selected(chosen(options, 'allow_once')) });
      const { entry, error, result } = await wire.answer(id, { within: stage.settings.patience.turn });
      const isCancelled = error?.code === -32_800 || asMessage(result)?.['stopReason'] === 'cancelled';
      stage.see.check('R177', !isCancelled, {
        otherwise: 'the turn was cancelled by an id of the agent',
        evidence: [permission, cancel, entry],
      });
    },
  },
  {
    id: 'cancel-request/cascade',
    title: 'an agent whose turn is cancelled gives up what it asked of the client',
    covers: ['R176'],
    run: async (stage) => {
      const { wire, id, sessionId, permission } = await waitingTurn(stage);
      const asked = asMessage(permission.message)?.['id'];
      const from = wire.journal.length;
      const cancel = wire.notify('session/cancel', { sessionId });
      const given = await wire.next((message) => isCancelOf(asked, message), { from, within: toCancel });
      wire.send({ jsonrpc: '2.0', id: asked, result: { outcome: { outcome: 'cancelled' } } });
      await wire.answer(id, { within: stage.settings.patience.turn });
      if (given === undefined && !(await isSupported(stage))) throw new Stopped(unsupported);
      stage.see.check('R176', given !== undefined, {
        otherwise: 'its question to the client is still open after session/cancel',
        evidence: [permission, cancel],
      });
    },
  },
];

interface WaitingTurn {
  readonly wire: Wire;
  /** The id of the prompt. */
  readonly id: string;
  readonly sessionId: string;
  /** The question that the turn waits for. */
  readonly permission: JournalEntry;
}

/** A turn that waits for a permission that is never given. */
async function waitingTurn(stage: AgentStage): Promise<WaitingTurn> {
  const { wire } = await stage.ready();
  const { id: sessionId } = await stage.newSession(wire);
  wire.handle('session/request_permission', () => undefined);
  const text = stage.steer('write', { path: 'made.txt', text: 'made' });
  const id = 'turnwire-prompt';
  const prompt = [{ type: 'text', text }];
  wire.send({ jsonrpc: '2.0', id, method: 'session/prompt', params: { sessionId, prompt } });
  const isOver = (message: Parameters<typeof isAnswerTo>[1]): boolean => isAnswerTo(id, message);
  const next = await wire.next((message) => message['method'] === 'session/request_permission' || isOver(message), {
    within: stage.turnPatience,
  });
  if (next === undefined || isOver(asMessage(next.message) ?? {}))
    throw new Stopped('the agent asked for no permission');
  return { wire, id, sessionId, permission: next };
}

/** Whether the agent gives up a request that is cancelled; support for $/cancel_request is optional. */
async function isSupported(stage: AgentStage): Promise<boolean> {
  const turn = await waitingTurn(stage);
  const { wire, id } = turn;
  wire.notify('$/cancel_request', { requestId: id });
  const answer = await wire.next((message) => isAnswerTo(id, message), { within: toCancel });
  if (answer === undefined) await giveUp(stage, turn);
  return answer !== undefined;
}

/** Who does not support it continues as if nothing was; the turn is ended the other way. */
async function ignored(stage: AgentStage, turn: WaitingTurn): Promise<void> {
  stage.see.unseen('R172', unsupported);
  await giveUp(stage, turn);
}

/** Ends a turn by `session/cancel`, as a client does. */
async function giveUp(stage: AgentStage, { wire, id, sessionId, permission }: WaitingTurn): Promise<void> {
  wire.notify('session/cancel', { sessionId });
  wire.send({
    jsonrpc: '2.0',
    id: asMessage(permission.message)?.['id'],
    result: { outcome: { outcome: 'cancelled' } },
  });
  await wire.answer(id, { within: stage.settings.patience.turn });
}

function hasStopReason(message: Parameters<typeof isAnswerTo>[1]): boolean {
  return typeof asMessage(message['result'])?.['stopReason'] === 'string';
}

function isCancelOf(id: unknown, message: Parameters<typeof isAnswerTo>[1]): boolean {
  const cancelled = asMessage(message['params'])?.['requestId'];
  return message['method'] === '$/cancel_request' && JSON.stringify(cancelled) === JSON.stringify(id);
}
