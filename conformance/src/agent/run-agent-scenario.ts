import { join } from 'node:path';
import { runScenario } from '../judge/run-scenario.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import { type AgentScenario, AgentContext, type AgentContextSettings } from './agent-context.ts';
import type { AgentSubject } from './agent-subject.ts';
import { namingFailedTurn } from './failed-turn.ts';
import { fullClient } from './host/client-offer.ts';

/** Runs one scenario against fresh instances of an agent, in a new folder. Never rejects. */
export function runAgentScenario(
  subject: AgentSubject,
  scenario: AgentScenario,
  settings: AgentContextSettings,
): Promise<ScenarioResult> {
  const { client = fullClient } = scenario;
  const run = (context: AgentContext): Promise<void> => namingFailedTurn(context, () => scenario.run(context));
  return runScenario<AgentContext>(
    { ...scenario, run },
    {
      judges: 'agent',
      version: settings.version,
      folders: ['project'],
      within: subject.sessionsIn,
      open: (sandbox) => new AgentContext(subject, { client, folder: join(sandbox, 'project'), settings }),
      after: (context) => context.judgeLives(),
    },
  );
}
