import { Stopped } from '../../../wire/stopped.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import { faultOf } from '../endings.ts';

/** Agents that do not answer: what a client waits for, a user can end. */
export const silence: readonly ClientScenario[] = [
  silent({ id: 'silent-at-initialize', agent: 'never answers initialize', at: 'initialize' }),
  silent({ id: 'silent-at-new', agent: 'never answers session/new', at: 'session/new' }),
  silent({ id: 'silent-at-prompt', agent: 'never answers a prompt', at: 'session/prompt' }),
  silent({
    id: 'answers-another-id',
    agent: 'answers with an id of another type',
    at: 'session/prompt',
    says: ({ id }) => ({
      jsonrpc: '2.0',
      id: typeof id === 'number' ? String(id) : 0,
      result: { stopReason: 'end_turn' },
    }),
  }),
  silent({
    id: 'answers-without-result',
    agent: 'answers with neither a result nor an error',
    at: 'session/new',
    says: ({ id }) => ({ jsonrpc: '2.0', id }),
  }),
  silent({
    id: 'stays-in-silence',
    agent: 'answers nothing and stays when its input ends',
    at: 'session/prompt',
    play: (agent) => agent.stay(),
  }),
];

interface Silent {
  readonly id: string;
  readonly agent: string;
  /** What is not answered. */
  readonly at: string;
  /** What is said in place of the answer. */
  readonly says?: (request: RawMessage) => RawMessage;
  readonly play?: (agent: PlayedAgent) => void;
}

function silent({ id, agent: does, at, says, play }: Silent): ClientScenario {
  return {
    id: `misbehaving/${id}`,
    title: `an agent that ${does} does not keep a user from leaving`,
    covers: ['R336'],
    run: async (stage) => {
      stage.play((agent) => {
        play?.(agent);
        agent.handle(at, (_params, request) => {
          if (says !== undefined) agent.send(says(request));
          return undefined;
        });
      });
      const run = await stage.start('prompt');
      const agent = await stage.launched();
      if ((await agent.call(at)) === undefined) throw new Stopped(`the client sent no ${at}`);
      const end = await stage.ended(run, 400);
      const fault = end.how === 'interrupted' ? undefined : faultOf(end);
      stage.see.check('R336', fault, agent.journal.slice(-2));
    },
  };
}
