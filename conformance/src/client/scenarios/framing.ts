import { methods } from '@turnwire/protocol';
import type { RequirementId } from '../../requirements/requirement.ts';
import { isAnswerTo, quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { fullAgent } from '../agent/agent-offer.ts';
import { speaks } from '../client-habits.ts';
import type { ClientScripts } from '../client-stage.ts';
import type { PlayedTurn } from '../played-turn.ts';
import { continuesNormally, faultOf, survives, wordsAfter, wordsBefore } from './endings.ts';

const manyLetters = 'Grüße, 世界 🌍 and a "quoted" \\ backslash';

/** Lines and requests, and what is agreed on first, where it takes more than a sequence. */
export const framingScenarios: ClientScripts = {
  'framing/turn': async (stage) => {
    const { agent, end } = await stage.turn((turn) => turn.say(wordsAfter));
    stage.see.check('R002', faultOf(end));
    if (agent.process.pid > 0) stage.see.held('R003');
  },
  'framing/letters': async (stage) => {
    const { agent } = await stage.turn(() => undefined, { values: { prompt: manyLetters } });
    const [call] = agent.calls('session/prompt');
    const arrived = quoted(call?.params['prompt'] ?? '');
    if (!arrived.includes('backslash')) throw new Stopped('the client sends its own prompt');
    const fault = `the prompt ${quoted(manyLetters)} did not arrive as it was given`;
    stage.see.check('R001', !arrived.includes(quoted(manyLetters).slice(1, -1)) && fault, call);
  },
  'framing/unknown-requests': async (stage) => {
    const refused = async (turn: PlayedTurn, covers: RequirementId, method: string): Promise<void> => {
      const ids: readonly unknown[] = covers === 'R284' ? [0, -1, 'a', '1', 1, '', 2 ** 52] : [77];
      const replies = await Promise.all(ids.map((id) => turn.agent.ask(method, {}, { id })));
      const wrong = replies.filter(({ error }) => error?.code !== -32_601);
      const how = quoted(wrong[0]?.error?.code ?? 'a result');
      stage.see.check(covers, wrong.length > 0 && `${method} was answered with ${how}`, wrong);
    };
    const done = await stage.turn(async (turn) => {
      turn.say(wordsBefore);
      await refused(turn, 'R284', '_turnwire.check/unknown');
      await refused(turn, 'R021', 'turnwire_check/unknown');
      stage.see.held('R019');
      turn.say(wordsAfter);
    });
    survives(stage, done);
  },
  'framing/invalid-params': async (stage) => {
    await stage.turn(async ({ agent, sessionId }) => {
      // There is nothing that a user could be asked.
      const reply = await agent.askOdd('session/request_permission', { sessionId, options: 'many' });
      if (reply === undefined) throw new Stopped('the client ended the connection in place of an answer');
      stage.see.held('R019');
      const code = reply.error?.code;
      if (code === -32_601) throw new Stopped('the client does not know session/request_permission');
      const fault = 'session/request_permission without a tool call was answered with';
      stage.see.check('R021', code !== -32_602 && `${fault} ${quoted(code ?? 'a result')}`, reply);
    });
  },
  'framing/cancel-request': async (stage) => {
    const done = await stage.turn(async (turn) => {
      const { agent, id } = turn;
      turn.say(wordsBefore);
      await agent.ask('_turnwire.check/unknown', {}, { id: 'asked' });
      const from = agent.journal.length;
      // The last is the id of the prompt itself: it is a request of the other direction.
      for (const requestId of ['asked', 'never asked', null, id]) agent.notify('$/cancel_request', { requestId });
      await agent.quiet(200);
      const again = agent.received(from).filter(({ message }) => isAnswerTo('asked', message));
      stage.see.check('R173', again.length > 0 && 'the request was answered a second time', again);
      turn.say(wordsAfter);
    });
    const cancels = done.agent.calls('session/cancel');
    const fault = 'the client took it for its own request, and cancelled its turn';
    if (cancels.length > 0) return stage.see.broken('R177', fault, cancels);
    continuesNormally(stage, done, 'R177');
  },
  'initialize/unknown-version': async (stage) => {
    stage.play((agent) => agent.handle('initialize', () => ({ ...agent.introduction(), protocolVersion: 77 })));
    const { agent, end } = await stage.perform('prompt');
    const [session] = agent.calls('session/new');
    const fault = 'the client continued with a version it does not know';
    if (session !== undefined) return stage.see.broken('R038', fault, session);
    const isSilent = `${end.stdout}${end.stderr}`.trim() === '';
    if (isSilent && !speaks(stage.habits)) throw new Stopped('the client prints nothing, whatever happens');
    stage.see.check('R038', faultOf(end) || (isSilent && 'the client said nothing of it'), agent.journal);
  },
  'initialize/agreed-version': async (stage) => {
    stage.play((agent) => agent.offer(fullAgent));
    const { agent } = await stage.turn((turn) => turn.say(wordsAfter));
    const isKnown = (method: string): boolean => method in methods || method.startsWith('_');
    const calls = agent.received().filter(({ message: { method } }) => typeof method === 'string');
    const foreign = calls.filter(({ message }) => !isKnown(String(message['method'])));
    const fault = foreign.length > 0 && `version 1 has no method ${String(foreign[0]?.message['method'])}`;
    stage.see.check('R037', fault, foreign);
  },
};
