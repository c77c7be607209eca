import { methods } from '@turnwire/protocol';
import { Stopped } from '../../wire/stopped.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import { speaks } from '../client-habits.ts';
import type { ClientScenario } from '../client-scenario.ts';
import type { ClientStage } from '../client-stage.ts';
import { fullAgent } from '../agent/agent-offer.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import { faultOf, continuesNormally, survives, wordsAfter } from './endings.ts';

/** The first words of a connection. */
export const initializeScenarios: readonly ClientScenario[] = [
  {
    id: 'initialize/first',
    title: 'nothing is said before initialize is answered',
    covers: ['R030', 'R134'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.handle('initialize', async () => {
          await agent.quiet(250);
          const others = agent.received().filter(({ message }) => message['method'] !== 'initialize');
          stage.see.check('R030', others.length > 0 && 'something was said before initialize was answered', others);
          return agent.introduction();
        });
        agent.handle('session/new', async () => {
          await agent.quiet(250);
          const early = agent.calls('session/prompt');
          stage.see.check('R134', early.length > 0 && 'a prompt came before its session was there', early);
          return { sessionId: 'session-1' };
        });
      });
      await stage.turn(() => undefined);
    },
  },
  {
    id: 'initialize/unknown-version',
    title: 'an unknown version ends the connection, and the user is informed',
    covers: ['R038'],
    run: async (stage) => {
      stage.play((agent) => agent.handle('initialize', () => ({ ...agent.introduction(), protocolVersion: 77 })));
      const { agent, end } = await stage.perform('prompt');
      const [session] = agent.calls('session/new');
      const isSilent = `${end.stdout}${end.stderr}`.trim() === '';
      if (session === undefined && isSilent && !speaks(stage.habits))
        throw new Stopped('the client prints nothing, whatever happens');
      const silence = isSilent ? 'the client said nothing of it' : undefined;
      const fault =
        session === undefined ? (faultOf(end) ?? silence) : 'the client continued with a version it does not know';
      stage.see.check('R038', fault, session === undefined ? agent.journal : [session.entry]);
    },
  },
  {
    id: 'initialize/agreed-version',
    title: 'after version 1 was agreed on, only its methods are used',
    covers: ['R037'],
    run: async (stage) => {
      stage.play((agent) => agent.offer(fullAgent));
      const { agent } = await stage.turn(({ agent, sessionId }) => void agent.say(sessionId, wordsAfter));
      const foreign = agent
        .received()
        .filter(({ message: { method } }) => typeof method === 'string' && !isKnown(method));
      const fault = foreign.length > 0 && `version 1 has no method ${String(foreign[0]?.message['method'])}`;
      stage.see.check('R037', fault, foreign);
    },
  },
  withIntroduction({
    id: 'initialize/bare',
    title: 'an agent that says its version and nothing else is enough for a turn',
    covers: ['R041'],
    change: ({ protocolVersion }) => ({ protocolVersion }),
  }),
  withIntroduction({
    id: 'initialize/everything',
    title: 'an agent that offers everything causes no problem',
    covers: ['R041'],
    change: (introduction) => ({ ...introduction, agentCapabilities: fullAgent.capabilities }),
  }),
  withIntroduction({
    id: 'initialize/unknown-capabilities',
    title: 'unknown capabilities do not disturb the handshake',
    covers: ['R041'],
    change: (introduction) => ({
      ...introduction,
      agentCapabilities: {
        telepathy: {},
        sessionCapabilities: { dream: { depth: 3 } },
        promptCapabilities: { smell: true },
      },
    }),
  }),
  withIntroduction({
    id: 'initialize/null-markers',
    title: 'a capability that is null is none, and nothing is called that needs it',
    covers: ['R050'],
    change: (introduction) => ({
      ...introduction,
      agentInfo: null,
      agentCapabilities: {
        sessionCapabilities: { list: null, resume: null, close: null, delete: null, additionalDirectories: null },
        auth: { logout: null },
      },
    }),
    afterwards: ['session/list', 'session/resume', 'session/close', 'session/delete', 'logout'],
  }),
  withIntroduction({
    id: 'initialize/malformed-capabilities',
    title: 'capabilities of the wrong type count as absent, and wrong logins are left out',
    covers: ['R029'],
    change: (introduction) => ({
      ...introduction,
      agentCapabilities: { loadSession: 'yes', promptCapabilities: 7, mcpCapabilities: [], sessionCapabilities: 'all' },
      authMethods: [1, { id: 'known', name: 'Known' }, null, {}],
    }),
  }),
  {
    id: 'initialize/version-as-text',
    title: 'a version that is not a number may be an error, but not a crash',
    covers: ['R336'],
    run: async (stage) => {
      stage.play((agent) => agent.handle('initialize', () => ({ ...agent.introduction(), protocolVersion: '1' })));
      survives(stage, await stage.perform('prompt'));
    },
  },
];

interface Introduced extends Pick<ClientScenario, 'id' | 'title'> {
  /** The requirement broken by a client that does not continue. */
  readonly covers: readonly RequirementId[];
  readonly change: (introduction: RawMessage) => RawMessage;
  /** What must not be called then. */
  readonly afterwards?: readonly string[];
}

/** A turn with an agent that introduces itself in a certain way. */
function withIntroduction({ id, title, covers, change, afterwards = [] }: Introduced): ClientScenario {
  return {
    id,
    title,
    covers,
    run: async (stage) => {
      stage.play((agent) => agent.handle('initialize', () => change(agent.introduction())));
      const done = await stage.perform('prompt');
      const called = afterwards.flatMap((method) => done.agent.calls(method));
      if (called.length > 0) return refuse(stage, { covers, called });
      for (const requirement of covers) continuesNormally(stage, done, requirement);
    },
  };
}

function refuse(
  { see }: ClientStage,
  { covers, called }: { covers: ClientScenario['covers']; called: ReturnType<PlayedAgent['calls']> },
): void {
  const evidence = called.map(({ entry }) => entry);
  const method = String(asMessage(evidence[0]?.message)?.['method']);
  for (const requirement of covers) see.broken(requirement, `${method} was called, which is not offered`, evidence);
}

/** Whether version 1 has a method, or it is a custom one. */
function isKnown(method: string): boolean {
  return method in methods || method.startsWith('_');
}
