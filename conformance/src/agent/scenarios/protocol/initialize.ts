import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';

/** The first words of a connection. */
export const initializeScenarios: readonly AgentScenario[] = [
  {
    id: 'initialize/answer',
    title: 'initialize is answered with a version and with capabilities',
    covers: ['R034', 'R039'],
    run: async (stage) => {
      const { reply, result } = await stage.initialize(await stage.open());
      const evidence = [reply.entry];
      const version = result['protocolVersion'];
      stage.see.check('R039', isVersion(version), {
        otherwise: `protocolVersion is ${JSON.stringify(version)}`,
        evidence,
      });
      stage.see.check('R034', asMessage(result['agentCapabilities']) !== undefined, {
        otherwise: 'there are no agentCapabilities',
        evidence,
      });
    },
  },
  {
    id: 'initialize/first',
    title: 'nothing is begun before initialize: a session is refused',
    covers: ['R031'],
    run: async (stage) => {
      // A refusal shows something only of an agent that begins sessions at all.
      await stage.newSession((await stage.ready()).wire);
      const wire = await stage.open();
      const { entry, error } = await wire.ask('session/new', { cwd: stage.folder, mcpServers: [] });
      stage.see.check('R031', error !== undefined, {
        otherwise: 'there is a session before initialize',
        evidence: [entry],
      });
    },
  },
  {
    id: 'initialize/malformed-values',
    title: 'optional values of the client that are malformed count as absent',
    covers: ['R029'],
    run: async (stage) => {
      const wire = await stage.open();
      const { entry, error } = await wire.ask('initialize', {
        protocolVersion: 1,
        clientCapabilities: { terminal: 'yes', fs: 5, elicitation: 'all', session: [] },
        clientInfo: 'a client',
      });
      stage.see.check('R029', error === undefined, {
        otherwise: 'initialize was refused for what has a default',
        evidence: [entry],
      });
    },
  },
];

function isVersion(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= 65_535;
}
