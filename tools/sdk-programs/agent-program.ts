import { AgentFixture } from '../real-agents/agent-fixture.ts';
import { packagesOf, realAgents } from '../real-agents/agents.ts';
import { commandOf, newerNode } from '../real-agents/install.ts';
import { steps } from '../real-agents/steps.ts';
import { installFor, sdkVersion } from './installs.ts';
import type { Program } from './program.ts';

/** A real agent, driven by the built command as in `npm run real-agents`. */
export function agentProgram(name: string): Program {
  const agent = realAgents.find((each) => each.name === name);
  if (!agent) throw new Error(`${name} is not among the real agents`);
  const packages = packagesOf(agent);
  return {
    name: packages[0]?.replace(/@[^@]+$/, '') ?? name,
    packages,
    typed: packages[0]?.replace(/@[^@]+$/, '') ?? name,
    prepare: async (side) => {
      await newerNode();
      const modules = await installFor(side, name, packages);
      const fixture = await AgentFixture.prepare(agent, commandOf(agent, modules));
      return {
        modules,
        sdk: await sdkVersion(modules),
        run: async (stepName) => {
          const step = steps.find((each) => each.name === stepName);
          if (!step) return undefined;
          const { failures } = await step.run(fixture);
          return { failures, frames: fixture.takeOutput().split('\n') };
        },
        [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
      };
    },
  };
}
