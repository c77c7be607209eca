import { editions } from '../../audit/definition-of.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import { isAnswerTo, quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { speaks } from '../client-baseline.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import type { ClientContext, ClientScripts } from '../client-context.ts';
import type { SimulatedTurn } from '../simulated-turn.ts';
import { continuesNormally, faultOf, survives, textAfter, textBefore } from './endings.ts';

const manyLetters = 'Grüße, 世界 🌍 and a "quoted" \\ backslash';

/** Framing, ids and the handshake, as far as it takes more than a sequence. */
export const framingScenarios: ClientScripts = {
  'framing/turn': async (context) => {
    const { agent, end } = await context.turn((turn) => turn.say(textAfter));
    context.see.check('R002', faultOf(end));
    if (agent.process.pid > 0) context.see.held('R003');
  },
  'framing/letters': async (context) => {
    const { agent } = await context.turn(() => undefined, { values: { prompt: manyLetters } });
    const [call] = agent.calls('session/prompt');
    const arrived = quoted(call?.params['prompt'] ?? '');
    if (!arrived.includes('backslash')) throw new Stopped('the client sends its own prompt');
    const fault = `the prompt ${quoted(manyLetters)} arrived changed`;
    context.see.check('R001', !arrived.includes(quoted(manyLetters).slice(1, -1)) && fault, call);
  },
  'framing/unknown-requests': async (context) => {
    const refused = async (turn: SimulatedTurn, covers: RequirementId, method: string): Promise<void> => {
      const ids: readonly unknown[] = covers === 'R284' ? [0, -1, 'a', '1', 1, '', 2 ** 52] : [77];
      const replies = await Promise.all(ids.map((id) => turn.agent.ask(method, {}, { id })));
      const wrong = replies.filter(({ error }) => error?.code !== -32_601);
      const how = quoted(wrong[0]?.error?.code ?? 'a result');
      context.see.check(covers, wrong.length > 0 && `${method} was answered with ${how}`, wrong);
    };
    const done = await context.turn(async (turn) => {
      turn.say(textBefore);
      await refused(turn, 'R284', '_turnwire.check/unknown');
      await refused(turn, 'R021', 'turnwire_check/unknown');
      context.see.held('R019');
      turn.say(textAfter);
    });
    survives(context, done);
  },
  'framing/invalid-params': async (context) => {
    await context.turn(async ({ agent, sessionId }) => {
      // Invalid parameters, so there is nothing to ask a user.
      const reply = await agent.askOdd('session/request_permission', { sessionId, options: 'many' });
      if (reply === undefined) throw new Stopped('the client closed the connection instead of answering');
      context.see.held('R019');
      const code = reply.error?.code;
      if (code === -32_601) throw new Stopped('the client does not support session/request_permission');
      const fault = 'session/request_permission without a tool call was answered with';
      context.see.check('R021', code !== -32_602 && `${fault} ${quoted(code ?? 'a result')}`, reply);
    });
  },
  'framing/cancel-request': async (context) => {
    const done = await context.turn(async (turn) => {
      const { agent, id } = turn;
      turn.say(textBefore);
      await agent.ask('_turnwire.check/unknown', {}, { id: 'asked' });
      const from = agent.journal.length;
      // The last one is the id of the prompt, which belongs to a request in the other direction.
      for (const requestId of ['asked', 'never asked', null, id]) agent.notify('$/cancel_request', { requestId });
      await agent.quiet(200);
      const again = agent.received(from).filter(({ message }) => isAnswerTo('asked', message));
      context.see.check(
        'R173',
        again.length > 0 && 'a finished request was answered again after its cancellation',
        again,
      );
      turn.say(textAfter);
    });
    const cancels = done.agent.calls('session/cancel');
    const fault = 'the client applied $/cancel_request to its own prompt and cancelled the turn';
    if (cancels.length > 0) return context.see.broken('R177', fault, cancels);
    continuesNormally(context, done, 'R177');
  },
  'initialize/unknown-version': async (context) => {
    context.play((agent) => agent.handle('initialize', () => ({ ...agent.introduction(), protocolVersion: 77 })));
    const { agent, end } = await context.perform('prompt');
    const [session] = agent.calls('session/new');
    const fault = 'the client continued with an unknown version of the protocol';
    if (session !== undefined) return context.see.broken('R038', fault, session);
    const isSilent = `${end.stdout}${end.stderr}`.trim() === '';
    if (isSilent && !speaks(context.baseline)) throw new Stopped('the client never prints anything');
    context.see.check(
      'R038',
      faultOf(end) || (isSilent && 'the client did not report the unknown version'),
      agent.journal,
    );
  },
  'initialize/agreed-version': async (context) => {
    context.play((agent) => agent.offerEverything());
    const { agent } = await context.turn((turn) => turn.say(textAfter));
    judgeMethods(context, agent);
  },
};

/** Judges that the client called only methods of the version that its agent speaks. */
export function judgeMethods({ see }: ClientContext, agent: SimulatedAgent): void {
  const known = editions[agent.version].methods;
  const foreign = agent.received().filter(({ message: { method } }) => {
    return typeof method === 'string' && !(method in known) && !method.startsWith('_');
  });
  const name = String(foreign[0]?.message['method']);
  const fault = `the client called ${name}, which version ${String(agent.version)} does not define`;
  see.check('R037', foreign.length > 0 && fault, foreign);
}
