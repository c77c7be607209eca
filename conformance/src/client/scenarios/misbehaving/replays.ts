import { fullAgent } from '../../agent/agent-offer.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import { didNot } from '../../client-stage.ts';
import { survives } from '../endings.ts';

interface Replay {
  readonly id: string;
  readonly agent: string;
  readonly replay: (agent: PlayedAgent, sessionId: unknown) => void;
}

const chunk = (text: string): unknown => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** Misbehaviour while a session is opened again. */
export const replays: readonly ClientScenario[] = [
  replay({
    id: 'replay-notices',
    agent: 'replays notices, which are for now only',
    replay: (agent, sessionId) =>
      void agent.update(sessionId, {
        sessionUpdate: 'notice',
        severity: 'grave',
        title: 'Old news',
        description: null,
      }),
  }),
  replay({
    id: 'replay-unknown',
    agent: 'replays unknown updates',
    replay: (agent, sessionId) => {
      agent.update(sessionId, { sessionUpdate: 'x_future' });
      agent.update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'never-begun', status: 'completed' });
    },
  }),
  replay({
    id: 'replay-other-session',
    agent: 'replays another session among the one that was asked for',
    replay: (agent) => void agent.update('somebody-else', chunk('of somebody else')),
  }),
  replay({
    id: 'replay-late',
    agent: 'replays after it has answered',
    replay: (agent, sessionId) => void setImmediate(() => agent.update(sessionId, chunk('late'))),
  }),
];

function replay({ id, agent: does, replay }: Replay): ClientScenario {
  return {
    id: `misbehaving/${id}`,
    title: `an agent that ${does} does not bring its client down`,
    covers: ['R336'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.offer({ ...fullAgent, capabilities: { loadSession: true } });
        agent.handle('session/load', ({ sessionId }) => {
          agent.update(sessionId, chunk('one'));
          replay(agent, sessionId);
          agent.update(sessionId, chunk('two'));
          return {};
        });
      });
      const done = await stage.perform('load', { session: 'kept' });
      if (done.agent.calls('session/load').length === 0) throw didNot('loaded no session', done.end);
      survives(stage, done);
    },
  };
}
