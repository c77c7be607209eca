import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Asker, createPermissions, readPolicy } from '../src/index.ts';
import { action, project, toRun } from './project.ts';

const npm = { rule: 'Bash(npm *)', message: 'Use pnpm.' };

/** The answer to a request, and what the agent and the user are told. */
async function answered(
  permissions: ReturnType<typeof createPermissions>,
  command: string,
  child?: { readonly name: string },
): Promise<unknown> {
  const told: Record<string, string> = {};
  const option = await permissions.policy(toRun(command), {
    signal: new AbortController().signal,
    explain: (reason) => void (told['reason'] = reason),
    feedback: (text) => void (told['feedback'] = text),
    child,
  });
  return [option?.kind ?? 'cancelled', told];
}

test('the message of a rule that denies is for the model, and is part of the reason', async () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, JSON.stringify({ deny: [npm, 'Bash(rm *)'] }));
  const permissions = createPermissions({ project: cwd, files: { project: file } });
  expect([await answered(permissions, 'npm test'), await answered(permissions, 'rm a')]).toEqual([
    ['reject_once', { feedback: 'Use pnpm.', reason: `denied by the rule Bash(npm *) in ${file}: Use pnpm.` }],
    ['reject_once', { reason: `denied by the rule Bash(rm *) in ${file}` }],
  ]);
});

test('a call through the client that a rule denies fails with the message of the rule', async () => {
  const { effect, text, message } = readPolicy({ autoDeny: [npm] }).rules[0]!;
  const cwd = project();
  const permissions = createPermissions({ project: cwd, rules: [{ effect, text, message: message! }] });
  await expect(
    permissions.allowHostCall(action(cwd, { command: 'npm test', cwd }), new AbortController().signal),
  ).rejects.toThrow('Permission was refused: denied by the rule Bash(npm *) from the command line: Use pnpm.');
});

test('the text of a user with a rejection is for the model, and is part of the reason', async () => {
  const ask: Asker = async ({ request: { options } }) => ({
    option: options.find(({ kind }) => kind === 'reject_once')!,
    feedback: 'Not on Fridays.',
  });
  const permissions = createPermissions({ project: project(), ask });
  expect(await answered(permissions, 'npm publish')).toEqual([
    'reject_once',
    { feedback: 'Not on Fridays.', reason: 'denied by the user: Not on Fridays.' },
  ]);
});

test('a rule about subagents applies to those whose name matches, and not to the session itself', async () => {
  const cwd = project();
  const permissions = createPermissions({
    project: cwd,
    mode: 'bypassPermissions',
    rules: [
      { effect: 'deny', text: 'Bash(rm *)', child: '*' },
      { effect: 'deny', text: 'Bash(curl *)', child: 'Explore*', message: 'Report what you need instead.' },
    ],
  });
  const kinds: unknown[] = [];
  for (const child of [undefined, { name: 'Explore it' }, { name: 'claude' }])
    for (const command of ['rm a', 'curl x', 'ls'])
      kinds.push([child?.name, command, await answered(permissions, command, child)]);
  const allowed = ['allow_once', { reason: 'allowed by approval bypassPermissions' }];
  const forAll = ['reject_once', { reason: 'denied by the rule Bash(rm *) for subagents * from the command line' }];
  expect(kinds).toEqual([
    [undefined, 'rm a', allowed],
    [undefined, 'curl x', allowed],
    [undefined, 'ls', allowed],
    ['Explore it', 'rm a', forAll],
    [
      'Explore it',
      'curl x',
      [
        'reject_once',
        {
          feedback: 'Report what you need instead.',
          reason:
            'denied by the rule Bash(curl *) for subagents Explore* from the command line: Report what you need instead.',
        },
      ],
    ],
    ['Explore it', 'ls', allowed],
    ['claude', 'rm a', forAll],
    ['claude', 'curl x', allowed],
    ['claude', 'ls', allowed],
  ]);
});

test('rules with messages and subagents are added to a file and removed from it', async () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, '{"deny": ["Bash(npm *)"]}');
  const permissions = createPermissions({ project: cwd, files: { project: file } });
  const rule = await permissions.addRule('deny', { text: 'Bash(npm *)', child: '*', message: 'Use pnpm.' }, 'project');
  const before: unknown = JSON.parse(readFileSync(file, 'utf8'));
  await permissions.removeRule(rule);
  expect([rule, before, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
    { effect: 'deny', text: 'Bash(npm *)', child: '*', message: 'Use pnpm.', source: 'project', file },
    { deny: ['Bash(npm *)', { rule: 'Bash(npm *)', child: '*', message: 'Use pnpm.' }] },
    { deny: ['Bash(npm *)'] },
  ]);
});

test.each([
  [{ allow: [{ rule: 'Bash', child: 'claude' }] }, 'a rule that allows cannot name a subagent'],
  [{ ask: [npm] }, 'only a rule that denies can have a message'],
  [{ deny: [{ ...npm, mesage: 'x' }] }, '"deny" must be a list of rules'],
  [{ deny: [{ message: 'x' }] }, '"deny" must be a list of rules'],
  [{ deny: [{ rule: 'Bash(a)', message: 'x'.repeat(2_001) }] }, 'line 1: the message of a rule has 2001 characters'],
])('a file with the rules %j makes every action a question', (rules, warning) => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, JSON.stringify(rules));
  const permissions = createPermissions({ project: cwd, mode: 'bypassPermissions', files: { project: file } });
  const { effect } = permissions.judge(action(cwd, { command: 'ls', cwd }));
  expect([effect, permissions.warnings]).toEqual(['ask', [expect.stringContaining(warning)]]);
});

test.each([
  [{ text: `Bash(${'x'.repeat(2_000)})` }, 'a rule has 2006 characters'],
  [{ text: 'Bash(a)', message: 'x'.repeat(3_000) }, 'the message of a rule has 3000 characters'],
  [{ text: 'Bash(a)', child: 'x'.repeat(2_001) }, 'the name of the subagents of a rule has 2001 characters'],
])('a rule with a text of more than 2,000 characters is refused, and its file stays valid', async (rule, problem) => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, '{"deny": ["Bash(b)"]}');
  const permissions = createPermissions({ project: cwd, files: { project: file } });
  const refusals = [];
  for (const source of ['project', 'session'] as const)
    refusals.push(await permissions.addRule('deny', rule, source).catch((error: unknown) => error));
  const refusal = expect.objectContaining({
    code: 'invalid-input',
    message: `The permission rule is too long: ${problem}, but at most 2000 are supported`,
  });
  expect([refusals, readFileSync(file, 'utf8'), permissions.warnings]).toEqual([
    [refusal, refusal],
    '{"deny": ["Bash(b)"]}',
    [],
  ]);
});

test.each(['project', 'session'] as const)(
  'a rule of the %s that is added with another message has that message, and without one keeps it',
  async (source) => {
    const cwd = project();
    const file = join(cwd, '.turnwire/permissions.json');
    writeFileSync(file, '{}');
    const permissions = createPermissions({ project: cwd, files: { project: file } });
    const rules = [
      { text: 'Bash(npm *)', message: 'Use pnpm.' },
      { text: 'Bash(npm *)', child: '*', message: 'Ask.' },
      { text: 'Bash(npm *)', message: 'Use yarn.' },
      { text: 'Bash(npm *)' },
    ];
    const added = [];
    for (const rule of rules) added.push((await permissions.addRule('deny', rule, source)).message);
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const inForce = permissions.rules.map(({ child, message }) => [child, message]);
    const [, told] = (await answered(permissions, 'npm test')) as readonly [string, { readonly feedback: string }];
    await permissions.removeRule({ effect: 'deny', text: 'Bash(npm *)', source });
    expect([added, inForce, written, told.feedback, permissions.rules.map(({ child }) => child)]).toEqual([
      ['Use pnpm.', 'Ask.', 'Use yarn.', 'Use yarn.'],
      [
        [undefined, 'Use yarn.'],
        ['*', 'Ask.'],
      ],
      source === 'session'
        ? {}
        : {
            deny: [
              { rule: 'Bash(npm *)', message: 'Use yarn.' },
              { rule: 'Bash(npm *)', child: '*', message: 'Ask.' },
            ],
          },
      'Use yarn.',
      ['*'],
    ]);
  },
);

test('the first of two entries of a rule gets the new message, because only the first has effect', async () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  const [pnpm, yarn] = ['Use pnpm.', 'Use yarn.'].map((message) => ({ rule: 'Bash(npm *)', message }));
  writeFileSync(file, JSON.stringify({ deny: [pnpm, yarn] }));
  const permissions = createPermissions({ project: cwd, files: { project: file } });
  await permissions.addRule('deny', { text: 'Bash(npm *)', message: 'Use yarn.' }, 'project');
  expect([JSON.parse(readFileSync(file, 'utf8')), await answered(permissions, 'npm test')]).toEqual([
    { deny: [yarn, yarn] },
    ['reject_once', { feedback: 'Use yarn.', reason: `denied by the rule Bash(npm *) in ${file}: Use yarn.` }],
  ]);
});
