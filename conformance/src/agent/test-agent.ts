import { causesOf } from '../verdict/causes.ts';
import { fixOf } from '../requirements/fix-of.ts';
import { linkOf } from '../requirements/source-pages.ts';
import { frameExcerpt } from '../report/frame-excerpt.ts';
import { keyFrames } from '../report/key-frames.ts';
import type { Strictness } from '../report/strictness.ts';
import { summarise } from '../report/summary.ts';
import { unexercised } from '../report/unexercised.ts';
import { withoutSecrets } from '../report/without-secrets.ts';
import { scenariosIn } from '../judge/scenario.ts';
import type { Judgement } from '../verdict/verdict.ts';
import type { AgentSubject } from './agent-subject.ts';
import { type AgentCheckOptions, appliesTo, checkAgent } from './check-agent.ts';
import { agentScenarios } from './scenarios/scenarios.ts';

/** The function that registers a test: `test` of vitest, of node:test, or of a library with the same form. */
export type RegisterTest = (
  name: string,
  run: (context: { readonly skip?: (reason?: string) => unknown }) => Promise<void>,
  milliseconds: number,
) => unknown;

/** Options for running the scenarios as tests. */
export interface TestAgentOptions extends Omit<AgentCheckOptions, 'jobs' | 'onResult'> {
  /** The lowest level whose violations fail a test. Default `must`. */
  readonly level?: Strictness | undefined;
  /** How long a test may take, in milliseconds. Default 180,000: a scenario that fails runs again. */
  readonly limit?: number | undefined;
}

/**
 * Registers one test for each scenario that applies to an agent. A test fails if the agent breaks a requirement that counts, twice; its
 * error has the frames, the page and how to fix it. It also fails if the agent cannot be started. A test whose scenario could observe
 * nothing is skipped, with the reason.
 */
export function testAgent(register: RegisterTest, subject: AgentSubject, options: TestAgentOptions = {}): void {
  const { scenarios = agentScenarios, level = 'must', limit = 180_000, ...settings } = options;
  const { version = 1, profiles } = settings;
  for (const scenario of scenariosIn(version, scenarios)) {
    if (!appliesTo(scenario, subject, { version, profiles })) continue;
    const run = async (context: Parameters<Parameters<RegisterTest>[1]>[0]): Promise<void> => {
      const judgement = await checkAgent(subject, { ...settings, scenarios: [scenario] });
      const { broken } = summarise(judgement, level);
      if (judgement.unreachable !== undefined) throw new Error(`the agent cannot be tested: ${judgement.unreachable}`);
      const harnessError = judgement.results.find((result) => result.harnessError !== undefined)?.harnessError;
      if (harnessError !== undefined) throw new Error(`a mistake of the test kit: ${harnessError}`);
      if (broken.length > 0) throw new Error(failureText(withoutSecrets(judgement), level));
      const isSeen = judgement.verdicts.some(
        ({ outcome, requirement }) => outcome === 'passed' && scenario.covers.includes(requirement.id),
      );
      if (!isSeen) context.skip?.(reasonFor(judgement, scenario.covers));
    };
    register(`${scenario.id}: ${scenario.title}`, run, limit);
  }
}

function failureText(judgement: Judgement, level: Strictness): string {
  return causesOf(summarise(judgement, level).broken, judgement.results)
    .flatMap(({ verdict: { requirement, findings } }) => [
      `${requirement.id} ${requirement.level}: ${requirement.behaviour}`,
      ...findings.flatMap(({ message, evidence }) => [
        `  ${message}`,
        ...keyFrames(evidence)
          .map(frameExcerpt)
          .map(({ at, from, text }) => `    ${at} ms ${from}: ${text}`),
      ]),
      ...(requirement.quote === undefined ? [] : [`  “${requirement.quote.text}”`]),
      ...[linkOf(requirement)].flatMap((link) => (link === undefined ? [] : [`  ${link}`])),
      `  To fix it: ${fixOf(requirement)}`,
    ])
    .join('\n');
}

function reasonFor(judgement: Judgement, covers: readonly string[]): string {
  const found = unexercised(judgement).find(({ verdicts }) =>
    verdicts.some(({ requirement }) => covers.includes(requirement.id)),
  );
  return found?.reason ?? 'nothing was observed';
}
