import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from '../judge/result-of.ts';
import { settle } from '../judge/settle.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import type { AgentScenario } from './agent-scenario.ts';
import { AgentStage, type StageSettings } from './agent-stage.ts';
import type { AgentSubject } from './agent-subject.ts';
import { namingFailedTurn } from './failed-turn.ts';
import { fullClient } from './host/client-offer.ts';

/** Runs one scenario against an agent, in its own folder and with fresh instances. Never rejects. */
export async function runAgentScenario(
  subject: AgentSubject,
  scenario: AgentScenario,
  settings: StageSettings,
): Promise<ScenarioResult> {
  const began = performance.now();
  const sandbox = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-check-')));
  const folder = join(sandbox, 'project');
  await mkdir(folder);
  const stage = new AgentStage(subject, { client: scenario.client ?? fullClient, folder, settings });
  const harnessError = await settle(scenario, stage.see, () => namingFailedTurn(stage, () => scenario.run(stage)));
  await stage.judgeLives();
  await stage.close();
  await rm(sandbox, { recursive: true, force: true });
  return resultOf({ scenario, judges: 'agent', see: stage.see, journals: stage.journals, harnessError, began });
}
