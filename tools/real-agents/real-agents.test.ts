import { describe, expect, it } from 'vitest';
import { realAgents } from './agents.ts';
import { installedAgent } from './install.ts';
import { AgentFixture } from './agent-fixture.ts';
import { type Findings, steps } from './steps.ts';

const { prepare } = (await import(new URL('../prepare.mjs', import.meta.url).href)) as {
  readonly prepare: () => Promise<void>;
};

describe('the command', () => {
  it.for(['gemini', 'pi'])(
    'takes %s through text, a file, a command and its own death',
    { timeout: 120_000 },
    async (name, { skip }) => {
      const agent = realAgents.find((each) => each.name === name)!;
      const installed = installedAgent(agent);
      if (!installed) return skip(`${name} is not installed; npm run real-agents -- ${name} installs it`);
      // Run the command as it is installed: its committed entry point with a fresh build.
      await prepare();
      await using fixture = await AgentFixture.prepare(agent, installed);
      const failures: Record<string, Findings['failures']> = {};
      for (const step of steps.filter((each) => ['text', 'write', 'run', 'kill'].includes(each.name))) {
        failures[step.name] = (await step.run(fixture)).failures;
      }
      expect(failures).toEqual({ text: [], write: [], run: [], kill: [] });
    },
  );
});
