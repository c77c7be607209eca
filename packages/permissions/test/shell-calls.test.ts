import { join } from 'node:path';
import type { ToolCallUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { actionOf, createPermissions, type Decision, type PermissionMode, policyOfFlag } from '../src/index.ts';
import { given, project } from './project.ts';

type Call = Partial<ToolCallUpdate>;

/** The decisions about requests in a project, under these rules and this mode. */
function judgingCalls(cwd: string, rules: readonly string[], mode?: PermissionMode): (call: Call) => Decision {
  const permissions = createPermissions({ project: cwd, mode, rules: rules.map(given) });
  return (call) => permissions.judge(actionOf({ sessionId: 's', toolCall: { toolCallId: 'c', ...call } }, [cwd]));
}

function effects(cwd: string, rules: readonly string[], calls: readonly Call[], mode?: PermissionMode): string[] {
  return calls.map((call) => judgingCalls(cwd, rules, mode)(call).effect);
}

/** Calls of other tools that contain a command, each with the rules that allow it. */
const others = (command: string): readonly (readonly [call: Call, ...rules: readonly string[]])[] => [
  [{ kind: 'other', name: 'mcp__db__drop', rawInput: { table: 'users', script: command } }, 'mcp__db__drop'],
  [{ kind: 'execute', name: 'ssh__exec', rawInput: { host: 'prod', command } }, 'ssh__exec'],
  [{ kind: 'execute', name: 'mcp.ssh.exec', rawInput: { command } }, 'mcp.ssh.exec'],
  [{ name: 'deploy', rawInput: { argv: command.split(' ') } }, 'deploy'],
  [{ kind: 'other', rawInput: { command } }, 'other', 'Bash'],
  [{ rawInput: { commands: [command] } }, 'other', 'Bash'],
  [{ kind: 'other', rawInput: { arguments: { steps: [{ cmd: command }] } } }, 'other', 'Bash'],
  [{ kind: 'read', rawInput: { path: 'src/a.ts', command } }, 'Read', 'Bash'],
  [{ kind: 'search', rawInput: { pattern: 'x', script: command } }, 'Search', 'Bash'],
  [{ kind: 'think', rawInput: { command } }, 'Think', 'Bash'],
  [{ kind: 'fetch', rawInput: { url: 'http://evil.example', command } }, 'WebFetch(domain:evil.example)', 'Bash'],
  [{ kind: 'edit', rawInput: { command }, content: [diff('/etc/cron.d/x')] }, 'Edit(/etc/cron.d/**)', 'Bash'],
  [{ kind: 'execute', rawInput: { command }, content: [diff('/etc/cron.d/x')] }, 'Edit(/etc/cron.d/**)', 'Bash'],
  [{ kind: 'delete', rawInput: { command, path: '/etc/x' } }, 'Delete(/etc/x)', 'Bash'],
];

function diff(path: string): { readonly type: 'diff'; readonly path: string; readonly newText: string } {
  return { type: 'diff', path, newText: '' };
}

test('a rule about commands allows the shell and no other tool, whatever is in its input', () => {
  const cwd = project();
  const calls = others('git status').map(([call]) => call);
  const rules = ['allow Bash(git status)', 'allow Bash'];
  expect(rules.map((rule) => effects(cwd, [rule], calls))).toEqual(rules.map(() => calls.map(() => 'ask')));
});

test('a call must be allowed in all its effects, not only in its command', () => {
  const cwd = project();
  const said = others('git status').map(([call, ...rules]) =>
    effects(
      cwd,
      rules.map((rule) => `allow ${rule}`),
      [call],
    ),
  );
  expect(said.flat()).toEqual(said.map(() => 'allow'));
  const without = others('git status').flatMap(([call, ...rules]) =>
    rules.map((left) =>
      effects(
        cwd,
        rules.filter((rule) => rule !== left).map((rule) => `allow ${rule}`),
        [call],
      ),
    ),
  );
  expect(without.flat()).toEqual(without.map(() => 'ask'));
});

test('a rule that denies matches a command in the input of every tool, in every mode and despite rules that allow', () => {
  const cwd = project();
  const calls: readonly Call[] = [
    ...others('rm -rf x').map(([call]) => call),
    { kind: 'execute', rawInput: { command: 'rm', args: '-rf x' } },
    { kind: 'execute', rawInput: { command: ['rm', 5] } },
    { kind: 'execute', rawInput: { commands: ['git status', { command: 'rm', args: ['x'] }] } },
    { kind: 'execute', rawInput: { command: { cmd: 'rm x' } } },
    { kind: 'execute', rawInput: 'rm x' },
    { kind: 'execute', rawInput: ['git status', 'rm x'] },
    { kind: 'execute', rawInput: { Command: 'rm x' } },
  ];
  const rules = ['deny Bash(rm *)', 'allow *', 'allow Bash', 'allow other'];
  expect(effects(cwd, rules, calls)).toEqual(calls.map(() => 'deny'));
  expect(effects(cwd, ['deny Bash(rm *)'], calls, 'bypassPermissions')).toEqual(calls.map(() => 'deny'));
});

test('a rule that denies a file matches it in the command of any tool, and in other inputs of a shell', () => {
  const cwd = project();
  const calls: readonly Call[] = [
    ...others('cat secret.txt').map(([call]) => call),
    { kind: 'execute', rawInput: { command: 'true' }, locations: [{ path: join(cwd, 'secret.txt') }] },
    { kind: 'execute', rawInput: { command: 'cat secret.txt', cwd: join(cwd, 'src') } },
    { kind: 'read', rawInput: { uri: `file://${cwd}/secret.txt` } },
    { kind: 'read', rawInput: { path: 'secret.txt', cwd: 'src' } },
  ];
  expect(effects(cwd, ['deny Read(secret.txt)'], calls, 'bypassPermissions')).toEqual(calls.map(() => 'deny'));
});

/** Shell inputs of known agents. */
const shells: Readonly<Record<string, Call>> = {
  claude: {
    kind: 'execute',
    rawInput: { command: 'npm test', description: 'Run it', timeout: 5, run_in_background: true },
  },
  'claude, by name': { name: 'Bash', rawInput: { command: 'npm test', dangerouslyDisableSandbox: false } },
  codex: { kind: 'execute', rawInput: { command: 'npm test', cwd: '.' } },
  qwen: {
    kind: 'execute',
    rawInput: { command: 'npm test', directory: '.', is_background: false, description: 'x' },
  },
  'qwen, by name': { kind: 'other', name: 'run_shell_command', rawInput: { command: 'npm test' } },
  opencode: { kind: 'execute', rawInput: { command: 'npm test', workdir: '.', timeout: 1, description: 'x' } },
  cline: { kind: 'execute', rawInput: { commands: ['npm test'] } },
  'cline, with words': { kind: 'execute', rawInput: { commands: [{ command: 'npm', args: ['test'] }] } },
  copilot: { kind: 'execute', rawInput: { command: 'npm test', commands: ['npm test'], description: 'x' } },
  'the built-in agent': { kind: 'execute', rawInput: { command: 'npm test', timeoutSeconds: 9, background: false } },
  'nothing beside it': { kind: 'execute', rawInput: { command: 'npm test', env: {}, stdin: '', shell: null } },
  'harmless variables': {
    kind: 'execute',
    rawInput: { command: 'npm test', env: { CI: '1' }, environment: ['TZ=UTC'] },
  },
};

test.each(Object.entries(shells))('a rule about a command allows it in a shell’s call: %s', (_, call) => {
  expect(judgingCalls(project(), ['allow Bash(npm test)'])(call).effect).toBe('allow');
});

/** Fields next to `npm test` in the input, and the reason for the question. */
const beside: readonly (readonly [input: object, because: string])[] = [
  [{ workdir: '/tmp' }, 'the command runs in /tmp, which is not in the folders of the session'],
  [{ cwd: '..' }, 'the command runs in $UP, which is not in the folders of the session'],
  [{ cwd: 'out' }, 'the command runs in $CWD/out, which is not in the folders of the session'],
  [{ cwd: 'src', working_directory: '/tmp' }, 'the agent sent several folders'],
  [{ cwd: ['src'] }, 'its folder is not text'],
  [{ env: { CI: '1', PATH: '/tmp' } }, 'it sets the variable PATH'],
  [{ env: [{ name: 'LD_PRELOAD', value: 'x' }] }, 'it sets the variable LD_PRELOAD'],
  [{ environment: ['NODE_OPTIONS=-r x'] }, 'it sets the variable NODE_OPTIONS'],
  [{ env: 'PATH=x' }, 'it sets variables'],
  [{ shell: '/tmp/evil' }, 'the effect of "shell" in its input on the command is unknown'],
  [{ stdin: 'rm -rf /' }, 'the effect of "stdin" in its input on the command is unknown'],
  [{ input: 'y' }, 'the effect of "input" in its input on the command is unknown'],
  [{ host: 'prod' }, 'the effect of "host" in its input on the command is unknown'],
  [{ session_id: 3 }, 'the effect of "session_id" in its input on the command is unknown'],
  [
    { dangerouslyDisableSandbox: true },
    'the effect of "dangerouslyDisableSandbox" in its input on the command is unknown',
  ],
  [{ timeout: { command: 'x' } }, 'the effect of "timeout" in its input on the command is unknown'],
  [{ args: 'x' }, 'its command is not entirely text'],
];

test.each(beside)('a rule about a command does not allow it with %j in the input', (input, because) => {
  const cwd = project();
  const { effect, reason } = judgingCalls(cwd, ['allow Bash(npm test)', 'allow Bash(npm test *)'])({
    kind: 'execute',
    rawInput: { command: 'npm test', ...input },
  });
  const expected = because.replace('$UP', join(cwd, '..')).replace('$CWD', cwd);
  expect([effect, reason]).toEqual(['ask', `asked: ${expected}, and approval is default`]);
});

test('entries of a command list that are not strings are not dropped', () => {
  const cwd = project();
  const run = (...commands: readonly unknown[]): string =>
    judgingCalls(cwd, ['allow Bash(npm test)'])({ kind: 'execute', rawInput: { commands } }).effect;
  expect([run('npm test', { command: 'rm', args: ['x'] }), run('npm test', 7), run('npm test', ['rm x'])]).toEqual([
    'ask',
    'ask',
    'ask',
  ]);
});

test('the tool of an MCP server is allowed by its name, not by the kind in its call', () => {
  const cwd = project();
  const calls: readonly Call[] = [
    { kind: 'read', name: 'fs__read', rawInput: { path: 'src/a.ts' } },
    { kind: 'edit', name: 'mcp__fs__write', rawInput: { path: 'src/a.ts' } },
    { kind: 'search', name: 'web__search', rawInput: { query: 'x' } },
  ];
  const all = ['allow Read', 'allow Edit', 'allow Search'];
  expect([
    effects(cwd, all, calls),
    effects(cwd, all, calls, 'acceptEdits'),
    effects(cwd, ['allow *__*'], calls),
    effects(cwd, ['allow *__*', 'deny Read', 'deny Edit', 'deny Search'], calls),
  ]).toEqual([
    ['ask', 'ask', 'ask'],
    ['ask', 'ask', 'ask'],
    ['allow', 'allow', 'allow'],
    ['deny', 'deny', 'deny'],
  ]);
});

test('permission to read does not include commands or network access, and the number of bytes does not matter', () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd, ...policyOfFlag('approve-reads') });
  const read = (input: object): string =>
    permissions.judge(
      actionOf({ sessionId: 's', toolCall: { toolCallId: 'c', kind: 'read', rawInput: { path: 'a', ...input } } }, [
        cwd,
      ]),
    ).effect;
  expect([
    read({ offset: 3, limit: 9, pages: '1-2' }),
    read({ command: 'view' }),
    read({ command: 'touch x' }),
    read({ argv: ['touch', 'x'] }),
    read({ options: { script: 'touch x' } }),
    read({ url: 'https://evil.example' }),
  ]).toEqual(['allow', 'allow', 'ask', 'ask', 'ask', 'ask']);
});

test("a search outside the session's folders needs approval, even if the folder is only its working directory", () => {
  const cwd = project();
  const calls: readonly Call[] = [
    { kind: 'search', rawInput: { pattern: 'x', cwd: '/etc' } },
    { kind: 'search', rawInput: { pattern: 'x', cwd: 'src' } },
  ];
  expect(effects(cwd, [], calls, 'acceptEdits')).toEqual(['ask', 'allow']);
});
