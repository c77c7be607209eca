import type { RequirementId } from '../../requirements/requirement.ts';
import { Stopped } from '../../wire/stopped.ts';
import { isAnswerTo } from '../../wire/messages.ts';
import type { ClientScenario } from '../client-scenario.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientStage } from '../client-stage.ts';
import { faultOf, continuesNormally, survives, wordsAfter, wordsBefore } from './endings.ts';

const manyLetters = 'Grüße, 世界 🌍 and a "quoted" \\ backslash';

/** How a client writes, and what it answers. */
export const framingScenarios: readonly ClientScenario[] = [
  {
    id: 'framing/turn',
    title: 'a whole turn goes over stdin and stdout of a process that the client started',
    covers: ['R002', 'R003'],
    run: async (stage) => {
      const { agent, end } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
      const fault = faultOf(end);
      stage.see.check('R002', fault);
      if (agent.process.pid > 0) stage.see.held('R003');
    },
  },
  {
    id: 'framing/letters',
    title: 'a prompt arrives with every letter it had',
    covers: ['R001'],
    run: async (stage) => {
      const done = await stage.turn(() => undefined, { values: { prompt: manyLetters } });
      const [call] = done.agent.calls('session/prompt');
      const arrived = JSON.stringify(call?.params['prompt'] ?? '');
      if (!arrived.includes('backslash')) throw new Stopped('the client sends its own prompt');
      const fault =
        !arrived.includes(JSON.stringify(manyLetters).slice(1, -1)) &&
        `the prompt ${JSON.stringify(manyLetters)} did not arrive as it was given`;
      stage.see.check('R001', fault, call);
    },
  },
  {
    id: 'framing/stderr',
    title: 'an agent that prints a lot on stderr before it answers does not block its client',
    covers: ['R337'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.handle('initialize', () => {
          agent.process.print(Buffer.alloc(1024 * 1024, 'a line of a log that nobody asked for\n'));
          return agent.introduction();
        });
      });
      const done = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter), {
        hasWarnedBefore: true,
      });
      continuesNormally(stage, done);
    },
  },
  {
    id: 'framing/unknown-requests',
    title: 'unknown requests are answered with -32601 and their id',
    covers: ['R019', 'R021', 'R284', 'R336'],
    run: async (stage) => {
      const ids: readonly unknown[] = [0, -1, 'a', '1', 1, '', 2 ** 52];
      const done = await stage.turn(async ({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        await asked(stage, { agent, ids, method: '_turnwire.check/unknown', covers: 'R284' });
        await asked(stage, { agent, ids: [77], method: 'turnwire_check/unknown', covers: 'R021' });
        stage.see.held('R019');
        agent.say(sessionId, wordsAfter);
      });
      survives(stage, done);
    },
  },
  {
    id: 'framing/invalid-params',
    title: 'a request with parameters that cannot be understood is answered with -32602',
    covers: ['R021', 'R019'],
    run: async (stage) => {
      await stage.turn(async ({ agent, sessionId }) => {
        const params = { sessionId, options: 'many' };
        // There is nothing that a user could be asked.
        const reply = await agent.askOdd('session/request_permission', params);
        if (reply === undefined) throw new Stopped('the client ended the connection in place of an answer');
        stage.see.held('R019');
        const code = reply.error?.code;
        if (code === -32_601) throw new Stopped('the client does not know session/request_permission');
        const fault =
          code !== -32_602 &&
          `session/request_permission without a tool call was answered with ${JSON.stringify(code ?? 'a result')}`;
        stage.see.check('R021', fault, reply);
      });
    },
  },
  {
    id: 'framing/notifications',
    title: 'unknown notifications are ignored, and never answered',
    covers: ['R018', 'R285'],
    run: async (stage) => {
      const done = await stage.turn(async ({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        await unanswered(stage, agent, () => agent.notify('_turnwire.check/news', { anything: [1] }));
        agent.say(sessionId, wordsAfter);
      });
      continuesNormally(stage, done, 'R285');
    },
  },
  {
    id: 'framing/malformed-notifications',
    title: 'notifications are never answered, whatever they hold',
    covers: ['R018', 'R336'],
    run: async (stage) => {
      const done = await stage.turn(async ({ agent, sessionId }) => {
        agent.say(sessionId, wordsBefore);
        await unanswered(stage, agent, () => {
          agent.notify('session/update', { sessionId });
          agent.notify('session/update', 7);
          agent.notify('elicitation/complete', {});
        });
        agent.say(sessionId, wordsAfter);
      });
      survives(stage, done);
    },
  },
  {
    id: 'framing/cancel-request',
    title: 'taking back a request that was answered, or never made, changes nothing',
    covers: ['R173', 'R177'],
    run: async (stage) => {
      const done = await stage.turn(async ({ agent, sessionId, id }) => {
        agent.say(sessionId, wordsBefore);
        await agent.ask('_turnwire.check/unknown', {}, { id: 'asked' });
        const from = agent.journal.length;
        for (const requestId of ['asked', 'never asked', null]) agent.notify('$/cancel_request', { requestId });
        // The id of the prompt itself: it is a request of the other direction.
        agent.notify('$/cancel_request', { requestId: id });
        await agent.quiet(200);
        const again = agent.received(from).filter(({ message }) => isAnswerTo('asked', message));
        stage.see.check('R173', again.length > 0 && 'the request was answered a second time', again);
        agent.say(sessionId, wordsAfter);
      });
      const cancels = done.agent.calls('session/cancel').map(({ entry }) => entry);
      if (cancels.length > 0)
        return stage.see.broken('R177', 'the client took it for its own request, and cancelled its turn', cancels);
      continuesNormally(stage, done, 'R177');
    },
  },
];

/** Checks that none of the notifications is answered. */
async function unanswered(stage: ClientStage, agent: PlayedAgent, send: () => unknown): Promise<void> {
  const from = agent.journal.length;
  send();
  await agent.quiet(200);
  const answers = agent.received(from).filter(({ message }) => message['method'] === undefined);
  stage.see.check('R018', answers.length > 0 && 'a notification was answered', answers);
}

interface Asked {
  readonly agent: PlayedAgent;
  readonly ids: readonly unknown[];
  readonly method: string;
  readonly covers: RequirementId;
}

/** Sends unknown requests, all at once, and checks every answer. */
async function asked(stage: ClientStage, { agent, ids, method, covers }: Asked): Promise<void> {
  const replies = await Promise.all(ids.map((id) => agent.ask(method, {}, { id })));
  const wrong = replies.filter(({ error }) => error?.code !== -32_601);
  const fault =
    wrong.length > 0 && `${method} was answered with ${JSON.stringify(wrong[0]?.error?.code ?? 'a result')}`;
  stage.see.check(covers, fault, wrong);
}
