import type { RawMessage } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';

/** Values that no agent can have an opinion on. */
const odd: RawMessage = {
  'turnwire.dev/odd': [1, null, { deep: [[[]]] }, 'text', 1e300],
  '': null,
  traceparent: 5,
  tracestate: { not: 'a text' },
  progressToken: [],
};

/** What both sides may say besides. */
export const metadataScenarios: readonly AgentScenario[] = [
  {
    id: 'metadata/any-values',
    title: 'whatever _meta holds, nothing comes of it',
    covers: ['R281'],
    run: async (stage) => {
      const first = await stage.open();
      const clientInfo = { name: 'turnwire-check', version: '0.1.0' };
      const params = { protocolVersion: 1, clientCapabilities: {}, clientInfo, _meta: odd };
      const greeting = await first.ask('initialize', params);
      stage.see.check('R281', greeting.error === undefined, {
        otherwise: 'initialize was refused for its _meta',
        evidence: [greeting.entry],
      });
      await first.close();
      const { wire } = await stage.ready();
      const control = await stage.newSession(wire);
      // An agent may have one session at a time.
      const other = await stage.ready();
      const { entry, error } = await other.wire.ask('session/new', { cwd: stage.folder, mcpServers: [], _meta: odd });
      stage.see.check('R281', error === undefined, {
        otherwise: 'a request was refused for its _meta',
        evidence: [entry],
      });
      const prompt = [{ type: 'text', text: stage.steer('say', { text: 'hello' }), _meta: odd }];
      const turn = await stage.askPrompt(wire, { sessionId: control.id, prompt, _meta: odd });
      stage.see.check('R281', turn.error?.code !== -32_602, {
        otherwise: 'a prompt was refused for its _meta',
        evidence: [turn.entry],
      });
    },
  },
];
