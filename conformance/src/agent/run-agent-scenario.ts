import { join } from 'node:path';
import { runScenario } from '../judge/run-scenario.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import { type AgentScenario, AgentStage, type StageSettings } from './agent-stage.ts';
import type { AgentSubject } from './agent-subject.ts';
import { namingFailedTurn } from './failed-turn.ts';
import { fullClient } from './host/client-offer.ts';

/** Runs one scenario against an agent, in its own folder and with fresh instances. Never rejects. */
export function runAgentScenario(
  subject: AgentSubject,
  scenario: AgentScenario,
  settings: StageSettings,
): Promise<ScenarioResult> {
  const { client = fullClient } = scenario;
  const run = (stage: AgentStage): Promise<void> => namingFailedTurn(stage, () => scenario.run(stage));
  return runScenario<AgentStage>(
    { ...scenario, run },
    {
      judges: 'agent',
      folders: ['project'],
      within: subject.sessionsIn,
      open: (sandbox) => new AgentStage(subject, { client, folder: join(sandbox, 'project'), settings }),
      after: (stage) => stage.judgeLives(),
    },
  );
}
