import type { AgentScenario } from '../../agent-scenario.ts';
import { asMessage } from '../../../wire/messages.ts';

/** The first words of a connection. */
export const initializeScenarios: readonly AgentScenario[] = [
  {
    id: 'initialize/answer',
    title: 'initialize is answered with a version, capabilities and who the agent is',
    covers: ['R034', 'R035', 'R039'],
    run: async (stage) => {
      const { reply, result } = await stage.initialize(await stage.open());
      const evidence = [reply.entry];
      const version = result['protocolVersion'];
      const isVersion = Number.isInteger(version) && (version as number) >= 0 && (version as number) <= 65_535;
      stage.see.check('R039', isVersion, { otherwise: `protocolVersion is ${JSON.stringify(version)}`, evidence });
      stage.see.check('R034', asMessage(result['agentCapabilities']) !== undefined, {
        otherwise: 'there are no agentCapabilities',
        evidence,
      });
      stage.see.check('R035', asMessage(result['agentInfo']) !== undefined, {
        otherwise: 'there is no agentInfo',
        evidence,
      });
    },
  },
];
