import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachAgent } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import { serveCoder } from '@turnwire/coder';
import { Gateway } from '@turnwire/gateway';
import { type HostedAgent, memoryStore, type SessionRecord } from '@turnwire/runtime';
import type { Permissions } from '@turnwire/permissions';
import { memoryPair } from '@turnwire/transports/memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { completed, type CommandLineOptions } from '../src/options.ts';
import type { Config } from '../src/config/config.ts';
import { decisionWrites } from '../src/permission/pending-writes.ts';
import type { PermissionSettings } from '../src/permission/permission-settings.ts';
import { sessionRules } from '../src/sessions/session-rules.ts';
import { commandWords, turnwire } from './command.ts';

let folder: string;
let project: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'limits-')));
  project = join(folder, 'project');
  await mkdir(join(project, '.git'), { recursive: true });
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
  await rules({ allow: ['Bash(touch *)', 'Edit(*.txt)', 'Read', 'WebFetch'] });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await decisionWrites.settled();
  await rm(folder, { recursive: true, force: true });
});

/** What the user's file says. */
async function rules(content: object): Promise<void> {
  await mkdir(join(folder, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(folder, 'config', 'turnwire', 'permissions.json'), JSON.stringify(content));
}

/** What a command line says about permissions, with what is configured behind it. */
function saying(given: Partial<CommandLineOptions>, policy?: object, config: Config = {}): PermissionSettings {
  const words: CommandLineOptions = { cwd: project, env: [], addDir: [], fs: true, terminal: true, ...given };
  return { ...completed(words, undefined, { config, proposals: new Map() }).permission, ...(policy && { policy }) };
}

/** What the built-in agent has been offered, in the words of the command line. */
const offers = {
  everything: { files: true, terminals: true },
  '--no-terminal': { files: true, terminals: false },
  '--no-fs': { files: false, terminals: true },
  '--no-fs --no-terminal': { files: false, terminals: false },
};

type Offer = (typeof offers)[keyof typeof offers];

/** Which of two things the built-in agent did that it was asked for, in a mode of its own. */
async function did(settings: PermissionSettings, offer: Offer, mode?: string): Promise<string> {
  await told(settings, offer, ['run touch X', 'create Y.txt with "x"'], mode);
  const done = ['X', 'Y.txt'].filter((name) => existsSync(join(project, name)));
  await Promise.all(done.map((name) => rm(join(project, name))));
  return done.join(' ') || 'nothing';
}

/** Has turns of the built-in agent as every command does. Resolves with all it told, as JSON. */
async function told(
  settings: PermissionSettings,
  offer: Offer,
  prompts: readonly string[],
  mode?: string,
): Promise<string> {
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  const hosted: HostedAgent = {
    host: () => ({
      ...(offer.files && { files: localFiles() }),
      ...(offer.terminals && { terminals: localTerminals() }),
    }),
    start: (agentOptions) => {
      const [near, far] = memoryPair();
      serveCoder({ env, transport: far });
      return attachAgent(near, agentOptions);
    },
  };
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { coder: hosted },
    cwd: project,
    rules: sessionRules(settings, { differences: () => undefined }),
  });
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'admin', isOwner: true }, agent: 'coder' });
  const agent = await attachAgent(near, { promptMeta: () => ({ turnwire: { rules: { settings, canAsk: false } } }) });
  const updates: unknown[] = [];
  const session = await agent.newSession({ cwd: project, onUpdate: (update) => void updates.push(update) });
  if (mode !== undefined) await session.modes?.set(mode);
  for (const prompt of prompts) await session.prompt(prompt).result;
  return JSON.stringify(updates);
}

/** The permissions of a turn where no user can be asked. */
function unattended(settings: PermissionSettings, onWarning: (message: string) => void = () => undefined): Permissions {
  const record = { cwd: project, agent: 'coder' } as SessionRecord;
  const parts = { ask: () => Promise.resolve(undefined), made: [], stop: () => undefined };
  const given = { settings, canAsk: false };
  return sessionRules(settings, { differences: () => undefined })(record, { ...parts, onWarning, given });
}

/** What a command line says, and what of `touch X` and `Y.txt` comes of it with the rules in the user's file, whatever is offered. */
const said: Readonly<Record<string, readonly [settings: () => PermissionSettings, done: string]>> = {
  nothing: [() => saying({}), 'X Y.txt'],
  '--approve-all': [() => saying({ approveAll: true }), 'X Y.txt'],
  '--approve-reads': [() => saying({ approveReads: true }), 'X Y.txt'],
  '--deny-all': [() => saying({ denyAll: true }), 'nothing'],
  '--deny-all --policy approve': [() => saying({ denyAll: true }, { defaultAction: 'approve' }), 'nothing'],
  '--deny-all --policy autoApprove touch': [() => saying({ denyAll: true }, { autoApprove: ['Bash(touch X)'] }), 'X'],
  '--deny-all --allowed-tools Bash': [() => saying({ denyAll: true, allowedTools: ['Bash'] }), 'nothing'],
  '--permission-mode plan': [() => saying({ permissionMode: 'plan' }), 'nothing'],
  '--permission-mode plan --approve-all': [() => saying({ permissionMode: 'plan', approveAll: true }), 'nothing'],
  '--permission-mode plan --allowed-tools Bash,Edit': [
    () => saying({ permissionMode: 'plan', allowedTools: ['Bash', 'Edit'] }),
    'nothing',
  ],
  '--permission-mode acceptEdits': [() => saying({ permissionMode: 'acceptEdits' }), 'X Y.txt'],
  '--permission-mode bypassPermissions': [() => saying({ permissionMode: 'bypassPermissions' }), 'X Y.txt'],
  '--allowed-tools Read': [() => saying({ allowedTools: ['Read'] }), 'nothing'],
  '--allowed-tools ""': [() => saying({ allowedTools: [] }), 'nothing'],
  '--allowed-tools Read --approve-all': [() => saying({ allowedTools: ['Read'], approveAll: true }), 'nothing'],
  '--allowed-tools Read --policy approve': [
    () => saying({ allowedTools: ['Read'] }, { autoApprove: ['Bash'], defaultAction: 'approve' }),
    'nothing',
  ],
  '--allowed-tools Bash(touch *)': [() => saying({ allowedTools: ['Bash(touch *)'] }), 'X'],
  '--allowed-tools Edit': [() => saying({ allowedTools: ['Edit'] }), 'Y.txt'],
  '--policy autoDeny Bash': [() => saying({}, { autoDeny: ['Bash'] }), 'Y.txt'],
  '--policy escalate Edit': [() => saying({}, { escalate: ['Edit'] }), 'X'],
  '--policy defaultAction deny': [() => saying({}, { defaultAction: 'deny' }), 'X Y.txt'],
};

test.each(Object.entries(said))(
  '%s holds for the built-in agent, which may decide by itself',
  async (_, [settings, done]) => {
    const seen = [await did(settings(), offers.everything), await did(settings(), offers['--no-fs --no-terminal'])];
    expect(seen).toEqual([done, done]);
  },
);

test('offering only files or only terminals makes no difference', async () => {
  const seen = [];
  for (const settings of [saying({}), saying({ denyAll: true }), saying({ allowedTools: ['Bash(touch *)'] })])
    seen.push([await did(settings, offers['--no-terminal']), await did(settings, offers['--no-fs'])]);
  expect(seen).toEqual([
    ['X Y.txt', 'X Y.txt'],
    ['nothing', 'nothing'],
    ['X', 'X'],
  ]);
});

test('the limits of the command line hold in a mode in which the agent does not ask', async () => {
  const { '--no-fs --no-terminal': own } = offers;
  await rules({ deny: ['Edit(Y.txt)'] });
  const flags = [
    saying({}),
    saying({ denyAll: true }),
    saying({ permissionMode: 'plan' }),
    saying({ allowedTools: ['Read'] }),
  ];
  const seen = [];
  for (const settings of flags) seen.push(await did(settings, own, 'code'));
  expect(seen).toEqual(['X', 'nothing', 'nothing', 'nothing']);
});

test('a deny rule in a file applies to --allowed-tools, and to autoApprove with --deny-all', async () => {
  await rules({ deny: ['Bash(touch X)'], ask: ['Edit(Y.txt)'] });
  const seen = [];
  for (const settings of [
    saying({ allowedTools: ['Bash', 'Edit'] }),
    saying({ denyAll: true }, { autoApprove: ['Bash', 'Edit'] }),
    saying({ approveAll: true }),
  ])
    seen.push(await did(settings, offers.everything), await did(settings, offers['--no-fs --no-terminal']));
  expect(seen).toEqual(seen.map(() => 'nothing'));
});

test('--allowed-tools limits reading, too; without it, reading in the session needs no permission', async () => {
  await writeFile(join(project, 'notes.txt'), 'here it is');
  const answers = async (settings: PermissionSettings): Promise<boolean[]> => {
    const said = [];
    for (const offer of [offers.everything, offers['--no-fs --no-terminal']])
      said.push((await told(settings, offer, ['read notes.txt'])).includes('here it is'));
    return said;
  };
  expect([
    await answers(saying({ denyAll: true })),
    await answers(saying({ allowedTools: ['Bash(touch *)'] })),
    await answers(saying({ allowedTools: ['Read(notes.txt)'] })),
  ]).toEqual([
    [true, true],
    [false, false],
    [true, true],
  ]);
});

test('an approval option on the command line is not loosened by the configuration', () => {
  const loose: Config = { permissions: 'approve-all', permissionMode: 'bypassPermissions' };
  const strict: Config = { permissions: 'deny-all', permissionMode: 'plan' };
  const policy = '{"autoDeny": []}';
  const given: readonly Partial<CommandLineOptions>[] = [
    {},
    { approveReads: true },
    { approveAll: true },
    { denyAll: true },
    { policy },
    { permissionMode: 'default' },
    { allowedTools: ['Read'] },
  ];
  const decided = (config: Config): unknown[] =>
    given.map((each) => [saying(each, undefined, config).base, saying(each, undefined, config).mode]);
  expect([decided(loose), decided(strict)]).toEqual([
    [
      ['approve-all', 'bypassPermissions'],
      ['approve-reads', undefined],
      ['approve-all', undefined],
      ['deny-all', undefined],
      ['ask', undefined],
      ['ask', 'default'],
      ['ask', undefined],
    ],
    [
      ['deny-all', 'plan'],
      ['approve-reads', 'plan'],
      ['approve-all', 'plan'],
      ['deny-all', 'plan'],
      ['deny-all', 'plan'],
      ['deny-all', 'default'],
      ['deny-all', 'plan'],
    ],
  ]);
});

test('without a user, plain reads are allowed, but no other call that an agent declares as a read', async () => {
  await rules({ ask: ['Read(asked.txt)'] });
  const permissions = unattended(saying({}));
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ] as const;
  const answers = async (name: string | undefined, rawInput: object): Promise<string | undefined> => {
    const toolCall = {
      toolCallId: JSON.stringify(rawInput),
      kind: 'read',
      rawInput,
      ...(name !== undefined && { name }),
    } as const;
    const request = { sessionId: 's', toolCall, options: [...options] };
    return (await permissions.policy(request, { signal: new AbortController().signal, roots: [project] }))?.optionId;
  };
  expect([
    await answers(undefined, { path: 'notes.txt', offset: 3 }),
    await answers(undefined, { path: 'asked.txt' }),
    await answers(undefined, { path: 'notes.txt', command: 'touch X' }),
    await answers(undefined, { path: 'notes.txt', url: 'https://example.com' }),
    await answers('files__read', { path: 'notes.txt' }),
  ]).toEqual(['yes', 'no', 'no', 'no', 'no']);
});

test('a rules file that cannot be parsed refuses everything without a user, and the reason is printed', async () => {
  await rules({ denny: ['Bash'] });
  const file = join(folder, 'config', 'turnwire', 'permissions.json');
  const remarks: string[] = [];
  const permissions = unattended(saying({ approveAll: true }), (message) => remarks.push(message));
  const toolCall = { toolCallId: 'c', title: 'touch X', kind: 'execute', rawInput: { command: 'touch X' } } as const;
  const request = { sessionId: 's', toolCall, options: [{ optionId: 'no', name: 'No', kind: 'reject_once' } as const] };
  const answer = await permissions.policy(request, { signal: new AbortController().signal, roots: [project] });
  expect([answer?.optionId, remarks]).toEqual([
    'no',
    [
      `${file}, line 1: there is no key "denny" (did you mean "deny"?); until it is fixed, all actions are asked about`,
      `refused: Run a command: touch X (there is no user to ask; the prohibitions in ${file} are unknown until it is fixed)`,
    ],
  ]);
  expect(await did(saying({ approveAll: true }), offers['--no-fs --no-terminal'], 'code')).toBe('nothing');
});

test('every command that drives the built-in agent passes on the limits of its command line', async () => {
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  const run = async (words: readonly string[], stdin?: string): Promise<string> => {
    const { code } = await turnwire(words, { cwd: project, env, ...(stdin !== undefined && { stdin }) });
    return `${code} ${existsSync(join(project, 'X')) ? 'X' : 'nothing'}`;
  };
  const seen = [
    await run(['exec', '--deny-all', '--no-terminal', 'run touch X']),
    await run([
      '--agent',
      `${process.execPath} ${commandWords[0]} coder`,
      '--allowed-tools',
      'Read',
      '--no-terminal',
      'exec',
      'run touch X',
    ]),
    await run(['chat', '--permission-mode', 'plan', '--no-terminal'], 'run touch X\n'),
    await run(['sessions', 'new', '--no-terminal', '--allowed-tools', 'Read']),
    await run(['prompt', 'run touch X']),
    await run(['--deny-all', '--allowed-tools', 'Bash', 'prompt', 'run touch X']),
    await run(['--allowed-tools', 'Bash(touch *)', 'prompt', 'run touch X']),
    await run(['sessions', 'close']),
  ];
  expect(seen).toEqual(['5 nothing', '5 nothing', '0 nothing', '0 nothing', '5 nothing', '5 nothing', '0 X', '0 X']);
});
