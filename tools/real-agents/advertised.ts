// node --import tsx tools/real-agents/advertised.ts [AGENT …]: starts the real agents with a model on this machine and without an
// account, and stores their answers to `initialize` in docs/advertised.json, the source of a table in the protocol reference. With names,
// only those agents and ours are started; the others keep their answers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownAgentNamed } from '@turnwire/client/known-agents';
import { launchAgent, type LaunchOptions, localFiles, localTerminals } from '@turnwire/client/node';
import { type AdvertisedCapabilities, advertised, advertisedFile } from '../site/advertised.ts';
import { root } from '../run.mjs';
import { type RealAgent, realAgents } from './agents.ts';
import { install } from './install.ts';
import { AgentFixture } from './agent-fixture.ts';

const names = process.argv.slice(2);
const seen = new Map(advertised()?.agents.map((agent) => [agent.name, agent]));
for (const agent of realAgents.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const found = await ask(agent).catch((error: unknown) => console.error(`${agent.name}: ${String(error)}`));
  if (found) seen.set(agent.name, found);
}
const sessions = mkdtempSync(join(tmpdir(), 'turnwire-advertised-'));
const coder = [process.execPath, join(root, 'apps/cli/bin/turnwire.js'), 'coder', '--sessions', sessions] as const;
seen.set('turnwire coder', await answerOf('turnwire coder', coder, {}));
rmSync(sessions, { recursive: true });
const agents = ['turnwire coder', ...realAgents.map(({ name }) => name)].flatMap((name) => seen.get(name) ?? []);
writeFileSync(
  advertisedFile,
  `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), agents }, undefined, 2)}\n`,
);

async function ask(agent: RealAgent): Promise<AdvertisedCapabilities> {
  await using fixture = await AgentFixture.prepare(agent, await install(agent));
  return await answerOf(agent.name, fixture.installed.command, { cwd: fixture.work, env: fixture.environment });
}

/** The answer of an agent to a client that offers files, terminals and forms. */
async function answerOf(
  name: string,
  command: readonly [string, ...string[]],
  options: LaunchOptions,
): Promise<AdvertisedCapabilities> {
  const form = (): never => {
    throw new Error('nothing is asked before there is a session');
  };
  const host = { files: localFiles(), terminals: localTerminals(), elicitation: { form } };
  const launched = await launchAgent(command, { ...options, host, timeouts: { initialize: 120_000 } });
  const { _meta: _conventions, ...capabilities } = launched.capabilities;
  await launched.close();
  const version = launched.info?.version ?? knownAgentNamed(name)?.version ?? '';
  console.log(`${name} ${version}`);
  return { name, version, capabilities };
}
