import { Stopped } from '../../../wire/stopped.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import { asMessage, isAnswerTo, type Reply } from '../../../wire/messages.ts';
import type { PlayedAgent } from '../../agent/played-agent.ts';
import type { ClientStage, Done, PlayedTurn, TurnOptions } from '../../client-stage.ts';

/** A turn in which the agent uses what its client offers. */
export interface HostTurn {
  readonly agent: PlayedAgent;
  readonly sessionId: string;
  /** Asks the client for something in this session. */
  readonly ask: (method: string, params: RawMessage) => Promise<Reply>;
  /** The same; undefined if no answer comes in time. */
  readonly tryToAsk: (method: string, params: RawMessage, within?: number) => Promise<Reply | undefined>;
}

/** What a client must offer for a turn, and how it is begun. Default: whatever the agent asks for is allowed, if that can be said. */
export interface HostTurnOptions extends TurnOptions {
  /** Capabilities by their path: `fs.readTextFile`. */
  readonly needs: readonly string[];
}

/** Has the client send a prompt, and the agent use what it offers in that turn. What it does not offer stops the scenario. */
export async function hostTurn(
  stage: ClientStage,
  { needs, action = stage.can('allow') ? 'allow' : 'prompt', values = {} }: HostTurnOptions,
  script: (turn: HostTurn) => Promise<void>,
): Promise<Done> {
  const lacking = stage.can(action) ? undefined : needs.find((path) => !isOffered(stage.habits.capabilities, path));
  // To be made to do it would be of no use to it.
  if (lacking !== undefined && stage.habits.capabilities !== undefined) throw new Stopped(notOffered(lacking));
  return stage.turn(
    async (turn) => {
      const missing = needs.find((path) => !clientOffers(turn.agent, path));
      if (missing !== undefined) throw new Stopped(notOffered(missing));
      await script(inTurn(turn));
    },
    { action, values },
  );
}

/** Whether a client said that it has a capability. */
export function clientOffers(agent: PlayedAgent, path: string): boolean {
  return isOffered(agent.calls('initialize')[0]?.params['clientCapabilities'], path);
}

function notOffered(path: string): string {
  return `the client does not offer ${path}`;
}

function isOffered(capabilities: unknown, path: string): boolean {
  let value = capabilities;
  for (const key of path.split('.')) value = asMessage(value)?.[key];
  return value !== undefined && value !== null && value !== false;
}

function inTurn({ agent, sessionId }: PlayedTurn): HostTurn {
  let asked = 0;
  return {
    agent,
    sessionId,
    ask: (method, params) => agent.ask(method, { sessionId, ...params }),
    tryToAsk: async (method, params, within) => {
      const id = `tried-${String(++asked)}`;
      agent.send({ jsonrpc: '2.0', id, method, params: { sessionId, ...params } });
      const entry = await agent.next((message) => isAnswerTo(id, message), { within });
      return entry && agent.answer(id);
    },
  };
}
