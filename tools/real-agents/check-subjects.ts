import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packagesOf, type RealAgent, realAgents } from './agents.ts';
import { install, installOnce, newerNode } from './install.ts';
import { AgentFixture } from './agent-fixture.ts';
import { root } from '../run.mjs';

/** A real agent or client, prepared for `turnwire check matrix`. */
interface CheckSubject extends AsyncDisposable {
  /** Its entry in the file of the matrix, without name and packages. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The installed packages with exact versions. Empty for subjects in this repository. */
  readonly packages: readonly string[];
}

/** A subject that is prepared on demand: an agent needs a model while it is judged. */
export interface CheckCandidate {
  readonly name: string;
  readonly kind: 'agent' | 'client';
  prepare(): Promise<CheckSubject>;
}

/**
 * The prompts of the kit in the form that the model server understands. Actions that no single tool of every agent can perform are left
 * out.
 */
const prompts = {
  say: 'script: say {text}',
  think: null,
  read: 'script: read {path}',
  write: 'script: write {path} {text}',
  edit: null,
  delete: 'script: run rm {path}',
  move: 'script: run mv {path} {target}',
  search: 'script: run grep -r {text} .',
  run: 'script: run {command}',
  fetch: null,
  plan: null,
  ask: null,
  'switch mode': null,
};

const turnwire = [process.execPath, join(root, 'apps/cli/bin/turnwire.js')] as const;
const sdkWithExample = '@agentclientprotocol/sdk@1.9.0';
const acpx = 'acpx@0.19.1';

/** The versions of the protocol. */
const both: readonly number[] = [1, 2];

/** The end of a subject that holds nothing. */
const withoutEnd: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/** All subjects: agents, then clients. */
export const checkCandidates: readonly CheckCandidate[] = [
  { name: 'turnwire coder', kind: 'agent', prepare: coder },
  ...realAgents.map((agent): CheckCandidate => ({ name: agent.name, kind: 'agent', prepare: () => agentOf(agent) })),
  { name: 'turnwire', kind: 'client', prepare: turnwireClient },
  { name: 'acpx', kind: 'client', prepare: acpxClient },
  { name: 'official SDK', kind: 'client', prepare: () => sdkClient('official-client.mjs', 1) },
  { name: 'official SDK', kind: 'client', prepare: () => sdkClient('official-client-v2.mjs', 2) },
  { name: "official SDK's example", kind: 'client', prepare: exampleClient },
];

async function coder(): Promise<CheckSubject> {
  const env = { TURNWIRE_CODER_MODEL: 'offline' };
  return { ...withoutEnd, entry: { command: [...turnwire, 'coder'], env, versions: both }, packages: [] };
}

/** A file in the home folder of agents that otherwise start in a mode with few questions: the kit judges what they ask. */
const asking: Readonly<Record<string, readonly [path: string, text: string]>> = {
  claude: ['.claude/settings.json', JSON.stringify({ permissions: { defaultMode: 'default' } })],
};

/** The agents that also speak version 2 of the protocol. */
const inBoth: readonly string[] = ['claude', 'codex'];

function versionsOf({ name }: RealAgent): readonly number[] {
  return inBoth.includes(name) ? both : [1];
}

async function agentOf(agent: RealAgent): Promise<CheckSubject> {
  const fixture = await AgentFixture.prepare(agent, await install(agent));
  const [path, text] = asking[agent.name] ?? [];
  if (path !== undefined && text !== undefined) {
    await mkdir(dirname(join(fixture.home, path)), { recursive: true });
    await writeFile(join(fixture.home, path), text);
  }
  return {
    entry: { command: fixture.installed.command, env: fixture.environment, prompts, versions: versionsOf(agent) },
    packages: packagesOf(agent),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

async function turnwireClient(): Promise<CheckSubject> {
  return {
    ...withoutEnd,
    entry: { client: true, driver: 'turnwire', command: turnwire, versions: both },
    packages: [],
  };
}

async function acpxClient(): Promise<CheckSubject> {
  const modules = await installOnce('acpx', [acpx]);
  const command = [await newerNode(), join(modules, 'acpx/dist/cli.js')];
  return { ...withoutEnd, entry: { client: true, driver: 'acpx', command }, packages: [acpx] };
}

/** A small client with the official SDK: it sends a prompt and prints the updates. */
async function sdkClient(name: string, version: number): Promise<CheckSubject> {
  const program = join(root, 'conformance/test/peers', name);
  const command = [process.execPath, program, '{agent}', '{cwd}', '{prompt}'];
  const entry = { client: true, command, versions: [version] };
  return { ...withoutEnd, entry, packages: ['@agentclientprotocol/sdk@2.4.0'] };
}

/**
 * The unchanged example of the official SDK. It starts the example agent next to it with `npx`, and the kit takes the place of that
 * agent.
 */
async function exampleClient(): Promise<CheckSubject> {
  const modules = await installOnce('sdk-example', [sdkWithExample, 'zod@4.6.7']);
  const step = [process.execPath, join(modules, '@agentclientprotocol/sdk/dist/examples/client.js')];
  const driver = {
    name: 'example client',
    agentNames: ['npx'],
    env: { PATH: '{bin}:{PATH}' },
    // It asks for the number of an option, which a driver cannot know, so it is not made to answer.
    actions: { prompt: { steps: [step] } },
  };
  const file = join(tmpdir(), 'real-agents', 'example-client.json');
  await writeFile(file, JSON.stringify(driver));
  return { ...withoutEnd, entry: { client: true, driver: file }, packages: [sdkWithExample] };
}
