import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { QuotaFile } from '../../apps/cli/src/commands/serve/quota-file.ts';
import { type Outcome, turnwire } from '../../apps/cli/test/command.ts';
import { root } from '../run.mjs';
import { type DocumentedBlock, documentedBlocks, onlyBlock } from './documented/documented-blocks.ts';
import { unparsed } from './documented/unparsed.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documented-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command in the folder, with its own configuration. */
function run(...words: readonly string[]): Promise<Outcome> {
  return turnwire(['--cwd', folder, ...words], { env: { XDG_CONFIG_HOME: join(folder, 'config') } });
}

async function writeInto(path: string, text: string): Promise<string> {
  const whole = join(folder, path);
  await mkdir(join(whole, '..'), { recursive: true });
  await writeFile(whole, text);
  return whole;
}

const usesCommands = 'the commands of its page use it';
const ownTest = 'remote-guide.test.ts drives an agent with it';

interface EditorAgent {
  readonly command: string;
  readonly args: readonly string[];
}

/** Checks that the configuration of an editor starts the built-in agent. Resolves with its parts, for comparison. */
async function editorsAgent(text: string, key: string): Promise<unknown> {
  const { [key]: agents } = JSON.parse(text) as Record<string, { readonly Turnwire: EditorAgent }>;
  const { command = '', args = [] } = agents?.Turnwire ?? {};
  return { program: command.split('/').at(-1), args, wrong: await unparsed(`turnwire ${args.join(' ')}`) };
}
const builtIn = { program: 'turnwire', args: ['coder'], wrong: undefined };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** The steps of a workflow, without those that use a third-party action. */
async function ownSteps(text: string): Promise<unknown> {
  const workflow = parse(text) as { readonly jobs: { readonly check: { readonly steps: readonly Step[] } } };
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as { readonly inputs: object };
  const { steps } = workflow.jobs.check;
  const runs = steps.flatMap((step) => step.run ?? []);
  const inputs = steps
    .filter(({ uses = '' }) => uses.includes('/turnwire@'))
    .flatMap((step) => Object.keys(step.with ?? {}));
  return {
    wrong: (await Promise.all(runs.filter((line) => line.includes('turnwire check')).map(unparsed))).filter(Boolean),
    unknownInputs: inputs.filter((name) => !(name in action.inputs)),
    withoutWork: steps.filter((step) => (step.run === undefined) === (step.uses === undefined)),
  };
}
const soundSteps = { wrong: [], unknownInputs: [], withoutWork: [] };

/** Whether the command reads a configuration without an error or a warning. */
const readsConfiguration: Trial = [
  async (text) => {
    await writeInto('config/turnwire/config.json', text);
    const { code, stderr } = await run('agents', '--format', 'json');
    return { code, stderr };
  },
  { code: 0, stderr: '' },
];

/** The rules that the command reads from the file of a project. */
async function rulesIn(text: string): Promise<unknown> {
  const file = await writeInto('.turnwire/permissions.json', text);
  const { stdout, stderr } = await run('permissions');
  await rm(file);
  return {
    rules: stdout.split('\n').filter((line) => line.startsWith('deny\t') || line.startsWith('ask\t')).length,
    stderr,
  };
}

/** How each block that is neither a command nor a compiled fragment is tried, with the expected result; or which test does it. */
type Trial = string | readonly [seen: (text: string) => Promise<unknown>, expected: unknown];

const trials: Readonly<Record<string, Trial>> = {
  'docs/guide/budgets.md json 1': readsConfiguration,
  'docs/guide/budgets.md json 2': readsConfiguration,
  'docs/guide/budgets.md json 3': [
    async (text) => {
      using quotas = new QuotaFile({ path: await writeInto('budgets.json', text), always: {}, isStoreCounted: true });
      return { blue: quotas.of('blue'), others: quotas.of('red') };
    },
    {
      blue: { budgets: { session: { turns: 50 } } },
      others: { budgets: { day: { cost: 10 } } },
    },
  ],
  'docs/guide/chat.md json 1': readsConfiguration,
  'docs/guide/check-a-client.md jsonc 1': usesCommands,
  'docs/guide/check-a-client.md yaml 1': [ownSteps, soundSteps],
  'docs/guide/check-an-agent.md jsonc 1': usesCommands,
  'docs/guide/check-an-agent.md yaml 1': [ownSteps, soundSteps],
  'docs/guide/check-an-agent.md jsonc 2': usesCommands,
  'docs/guide/editors/emacs.md elisp 1': [
    async (text) => {
      const [, program, words = ''] = /:command "(.*)"\s+:command-params '\((.*)\)/.exec(text) ?? [];
      const balance = text.split('(').length - text.split(')').length;
      return { balance, program, args: words.match(/\w+/g), wrong: await unparsed(`turnwire ${words}`) };
    },
    { balance: 0, ...builtIn },
  ],
  'docs/guide/editors/jetbrains.md json 1': [(text) => editorsAgent(text, 'agent_servers'), builtIn],
  'docs/guide/editors/neovim.md lua 1': [
    async (text) => {
      const [, words = ''] = /default = \{ (.*?) \}/.exec(text) ?? [];
      const [program, ...args] = words.match(/\w+/g) ?? [];
      const balance = text.split('{').length - text.split('}').length;
      return { balance, program, args, wrong: await unparsed(`turnwire ${args.join(' ')}`) };
    },
    { balance: 0, ...builtIn },
  ],
  'docs/guide/editors/vs-code.md json 1': [(text) => editorsAgent(text, 'acp.agents'), builtIn],
  'docs/guide/editors/zed.md json 1': [(text) => editorsAgent(text, 'agent_servers'), builtIn],
  'docs/guide/from-the-official-sdk.md json 1': [
    async (text) => {
      const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      return dependencies['@agentclientprotocol/sdk']?.endsWith(`/packed/turnwire-sdk-compat-${version}.tgz`);
    },
    true,
  ],
  'docs/guide/permissions.md jsonc 1': [rulesIn, { rules: 2, stderr: '' }],
  'docs/guide/permissions.md jsonc 2': [rulesIn, { rules: 2, stderr: '' }],
  'docs/guide/permissions.md json 1': usesCommands,
  'docs/guide/places.md json 1': readsConfiguration,
  'docs/guide/remote.md json 1': ownTest,
  'docs/guide/scripts.md json 1': [
    async (text) => {
      const policy = await writeInto('policy.json', text);
      const actions = ['git log', 'git push', 'Edit(a.ts)'];
      const decided = actions.map((action) => run('--policy', policy, 'permissions', 'test', action));
      return (await Promise.all(decided)).map(({ stdout, stderr }) => stdout.split('\n')[0] + stderr);
    },
    ['git log is allowed', 'git push is denied', 'Edit(a.ts) is asked about'],
  ],
  'docs/guide/scripts.md json 2': [
    async (text) => {
      await writeInto('config/turnwire/config.json', text);
      await writeInto('servers.json', '{ "mcpServers": {} }');
      const { code, stdout, stderr } = await run('agents', '--format', 'json');
      const agents = JSON.parse(stdout) as readonly { readonly source: string; readonly command: unknown }[];
      const { stdout: approval } = await run('permissions');
      return {
        code,
        stderr,
        commands: agents.filter(({ source }) => source === 'user').map(({ command }) => command),
        allowed: approval.match(/^allow\t\w+/gm),
      };
    },
    {
      code: 0,
      stderr: '',
      commands: [
        ['other-agent', '--acp'],
        ['another-agent', '--acp'],
      ],
      allowed: ['allow\tRead', 'allow\tSearch'],
    },
  ],
  'docs/guide/serve.md ini 1': [
    async (text) => {
      const [, start = ''] = /^ExecStart=(.*)$/m.exec(text) ?? [];
      const unknown = text.split('\n').filter((line) => !/^(?:\[\w+\]|\w+=\S.*|#.*|)$/.test(line));
      return { unknown, wrong: await unparsed(start.replace('%h/work', '.')) };
    },
    { unknown: [], wrong: undefined },
  ],
  'docs/guide/serve.md dockerfile 1': [
    async (text) => {
      const [, command = '[]'] = /^CMD (.*)$/m.exec(text.replaceAll('\\\n', '')) ?? [];
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      const words = JSON.parse(command) as readonly string[];
      return {
        wrong: await unparsed(words.join(' ')),
        isPacked: text.includes(`COPY packed/turnwire-${version}.tgz /tmp/`),
      };
    },
    { wrong: undefined, isPacked: true },
  ],
  'docs/guide/several-machines.md json 1': [
    async (text) => {
      using quotas = new QuotaFile({ path: await writeInto('quotas.json', text), always: {}, isStoreCounted: true });
      return { blue: quotas.of('blue'), others: quotas.of('red') };
    },
    {
      blue: { sessions: 1000, agents: 100, prompts: 60, storedBytes: 10_000_000_000, transferredBytes: 500_000_000 },
      others: { sessions: 1000, agents: 20, prompts: 60 },
    },
  ],
  'docs/guide/several-machines.md sql 1': usesCommands,
  'docs/guide/traces.md json 1': [
    async (text) => {
      const { code, stdout, stderr } = await run('trace', 'view', await writeInto('trace.jsonl', text));
      return { code, stderr, lines: stdout.split('\n').map((line) => line.replace(/^ *[\d.]+ ms +/, '')) };
    },
    {
      code: 0,
      stderr: '',
      lines: [
        '· launch {"command":["other-agent","--acp"]}',
        '→ initialize #0  77 B',
        '← not a message  11 B',
        '· exit {"code":null,"signal":"SIGKILL"}',
        '',
      ],
    },
  ],
  'docs/guide/version-2.md json 1': [
    async (text) => {
      await writeInto('config/turnwire/config.json', text);
      const shown = await Promise.all(['mine', 'old'].map((name) => run('agents', 'show', name)));
      return shown.map(({ stdout, stderr }) => [/^protocol: .*$/m.exec(stdout)?.[0], stderr]);
    },
    [
      [undefined, ''],
      ['protocol: only version 1', ''],
    ],
  ],
};

/** Blocks without a language are output, or prompts of a chat; documented-commands.test.ts runs those of shells. */
const tried = documentedBlocks.filter(({ language }) => language !== '' && language !== 'sh').map(withName);

function withName(block: DocumentedBlock): { readonly name: string; readonly block: DocumentedBlock } {
  const { page, language, line } = block;
  const before = documentedBlocks.filter(
    (each) => each.page === page && each.language === language && each.line <= line,
  );
  return { name: `${page} ${language} ${before.length}`, block };
}

test('every block of the pages is run, compiled or tried by a test', () => {
  expect(tried.map(({ name }) => name)).toEqual(Object.keys(trials));
});

test.each(tried.filter(({ name }) => typeof trials[name] === 'object'))(
  '$name is what the program reads',
  async ({ name, block }) => {
    const [seen, expected] = trials[name] as Exclude<Trial, string>;
    expect(await seen(block.text)).toEqual(expected);
  },
);

test('the offline agent understands the prompts for a first chat', async () => {
  await writeInto('first/packages/one.ts', '// TODO: all of it\n');
  const notes = join(folder, 'first/notes.txt');
  const prompts = onlyBlock('docs/guide/start.md', '').text.match(/(?<=^> ).*/gm) ?? [];
  const texts: unknown[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const options = [...(at === 0 ? [] : ['--continue']), '--approve-all', '--format', 'quiet'];
    const { code } = await turnwire(['--cwd', join(folder, 'first'), 'exec', ...options, prompt]);
    texts.push({ code, text: existsSync(notes) ? readFileSync(notes, 'utf8') : undefined });
  }
  expect(texts).toEqual([
    { code: 0, text: undefined },
    { code: 0, text: 'alpha' },
    { code: 0, text: 'beta' },
    { code: 0, text: undefined },
  ]);
});
