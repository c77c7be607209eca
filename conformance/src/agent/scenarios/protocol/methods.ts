import { methods } from '@turnwire/protocol';
import { asMessage } from '../../../wire/messages.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';

/** Methods of agents that stand behind a capability. A capability is a path. */
const gated = Object.entries(methods).flatMap(([method, row]) =>
  row.side === 'agent' && row.kind === 'request' && 'capability' in row ? [{ method, path: row.capability }] : [],
);

/** Which methods there are. */
export const methodScenarios: readonly AgentScenario[] = [
  {
    id: 'methods/required',
    title: 'sessions and prompts are there without being advertised, and what is advertised is there',
    covers: ['R048'],
    run: async (stage) => {
      const { wire, initialized } = await stage.ready();
      const isOffered = ({ path }: (typeof gated)[number]): boolean => isAdvertised(initialized.capabilities, path);
      const required = ['session/new', 'session/prompt'];
      // Without parameters: a method that is there refuses them, and does nothing.
      for (const method of [...required, ...gated.filter(isOffered).map((row) => row.method)].filter(isHarmless)) {
        const { entry, error } = await wire.ask(method, { sessionId: 5, cwd: 5 });
        stage.see.check('R048', error?.code !== -32_601, { otherwise: `${method} is not there`, evidence: [entry] });
      }
    },
  },
];

/** A logout may be understood whatever comes with it, and a user would have to log in again. */
function isHarmless(method: string): boolean {
  return method !== 'logout';
}

function isAdvertised(capabilities: RawMessage, path: string): boolean {
  let value: unknown = capabilities;
  for (const key of path.split('.')) value = asMessage(value)?.[key];
  return value === true || asMessage(value) !== undefined;
}
