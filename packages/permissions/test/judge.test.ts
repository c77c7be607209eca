import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Action, createPermissions, type PermissionMode, type RuleEffect } from '../src/index.ts';
import { action, given, judging, project, withRules } from './project.ts';

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions'];

/** The decision of each mode, in the order of {@link modes}. */
const table: Readonly<
  Record<string, readonly [facts: (cwd: string) => Partial<Action>, ...effects: readonly string[]]>
> = {
  'an edit in a root': [(cwd) => ({ kind: 'edit', paths: [join(cwd, 'src/a.ts')] }), 'ask', 'allow', 'deny', 'allow'],
  'a new file in a root': [(cwd) => ({ kind: 'edit', paths: [join(cwd, 'x/y.ts')] }), 'ask', 'allow', 'deny', 'allow'],
  'a deletion in a root': [
    (cwd) => ({ kind: 'delete', paths: [join(cwd, 'src/a.ts')] }),
    'ask',
    'allow',
    'deny',
    'allow',
  ],
  'a move in a root': [
    (cwd) => ({ kind: 'move', paths: [join(cwd, 'a'), join(cwd, 'b')] }),
    'ask',
    'allow',
    'deny',
    'allow',
  ],
  'a move out of the roots': [
    (cwd) => ({ kind: 'move', paths: [join(cwd, 'a'), '/b'] }),
    'ask',
    'ask',
    'deny',
    'allow',
  ],
  'an edit outside': [
    (cwd) => ({ kind: 'edit', paths: [join(cwd, '../outside/b.txt')] }),
    'ask',
    'ask',
    'deny',
    'allow',
  ],
  'an edit through a link': [
    (cwd) => ({ kind: 'edit', paths: [join(cwd, 'out/b.txt')] }),
    'ask',
    'ask',
    'deny',
    'allow',
  ],
  'an edit of a dangling link': [
    (cwd) => ({ kind: 'edit', paths: [join(cwd, 'dangling')] }),
    'ask',
    'ask',
    'deny',
    'allow',
  ],
  'an edit of nobody knows what': [() => ({ kind: 'edit', unclear: 'x' }), 'ask', 'ask', 'deny', 'allow'],
  'an edit of a hook of git': [
    (cwd) => ({ kind: 'edit', paths: [join(cwd, '.git/hooks/x')] }),
    'ask',
    'ask',
    'deny',
    'allow',
  ],
  'the deletion of a root': [(cwd) => ({ kind: 'delete', paths: [cwd] }), 'ask', 'ask', 'deny', 'allow'],
  'reading in a root': [(cwd) => ({ kind: 'read', paths: [join(cwd, 'src/a.ts')] }), 'ask', 'allow', 'deny', 'allow'],
  'reading outside': [() => ({ kind: 'read', paths: ['/etc/passwd'] }), 'ask', 'ask', 'deny', 'allow'],
  'a search in a root': [(cwd) => ({ kind: 'search', paths: [cwd] }), 'ask', 'allow', 'deny', 'allow'],
  'a search of everything': [() => ({ kind: 'search' }), 'ask', 'allow', 'deny', 'allow'],
  thinking: [() => ({ kind: 'think' }), 'ask', 'allow', 'deny', 'allow'],
  'something from the net': [() => ({ kind: 'fetch', url: 'https://example.com' }), 'ask', 'ask', 'deny', 'allow'],
  'another mode': [() => ({ kind: 'switch_mode' }), 'ask', 'ask', 'deny', 'allow'],
  'something else': [() => ({ kind: 'other', tool: 'mcp__a__b' }), 'ask', 'ask', 'deny', 'allow'],
  'a kind of the future': [() => ({ kind: 'teleport' }), 'ask', 'ask', 'deny', 'allow'],
  'an unknown command': [() => ({ unclear: 'the agent did not send the command' }), 'ask', 'ask', 'deny', 'allow'],
};

test.each(Object.entries(table))('%s', (_, [facts, ...expected]) => {
  const cwd = project();
  expect(modes.map((mode) => judging(cwd, [], mode)(facts(cwd)).effect)).toEqual(expected);
});

/** The decisions of acceptEdits about commands. */
const commands: Readonly<Record<string, readonly string[]>> = {
  allow: [
    ...[
      'mkdir -p a/b',
      'rm src/../secret.txt',
      'rm src/a.ts',
      'rm -rf src',
      'mv src/a.ts src/b.ts',
      'touch x "y z"',
      'cp -r src copy',
      'rm -- -x',
    ],
    ...[
      'mkdir a && touch a/b',
      'cd src && rm a.ts',
      "bash -lc 'mkdir a'",
      'mkdir a; > a/b',
      'rm src/innocent.txt',
      'cd src && touch x',
    ],
  ],
  ask: [
    ...[
      'rm',
      'rm /etc/passwd',
      'rm ../outside/b.txt',
      'rm -rf .',
      'rm -rf ..',
      'rm out/b.txt',
      'touch dangling',
      'cp /etc/passwd .',
    ],
    ...[
      'cp -t /etc src/a.ts',
      'cp --target-directory=/etc src/a.ts',
      'rm *',
      'rm $X',
      'rm ~/x',
      'rm ~',
      'ls',
      'npm test',
      'rm x; npm test',
    ],
    ...[
      'cd .. && rm project/x',
      'cd / && rm x',
      'cd src && rm ../../outside/b.txt',
      'mkdir a > /etc/x',
      'rm -rf .git',
      'rm .git/hooks/x',
    ],
    ...[
      'rm -rf .turnwire',
      'touch .turnwire/permissions.json',
      'rm $(cat list)',
      'sudo rm x',
      'command rm x',
      'rm x &&',
      'rm out/../x',
      'cd out && rm ../x',
      'touch src/../out/../x',
      'mv -t out x',
    ],
    ...['touch -r /etc/passwd x', 'PATH=. rm x', 'cd', 'cd src', '', '# nothing'],
  ],
};

test.each(Object.entries(commands))('acceptEdits says %s', (effect, lines) => {
  const judge = judging(project(), [], 'acceptEdits');
  expect(Object.fromEntries(lines.map((line) => [line, judge(line).effect]))).toEqual(
    Object.fromEntries(lines.map((line) => [line, effect])),
  );
});

test('rules that deny come first, then those that ask, then those that allow, then the mode', () => {
  const cwd = project();
  const rules = ['allow Bash(git *)', 'ask Bash(git push *)', 'deny Bash(git push --force *)'];
  const judge = judging(cwd, rules);
  expect([judge('git push --force x'), judge('git push x'), judge('git status'), judge('ls')]).toEqual([
    {
      effect: 'deny',
      reason: 'denied by the rule Bash(git push --force *) from the command line',
      rule: { effect: 'deny', text: 'Bash(git push --force *)', source: 'command-line' },
    },
    {
      effect: 'ask',
      reason: 'asked by the rule Bash(git push *) from the command line',
      rule: { effect: 'ask', text: 'Bash(git push *)', source: 'command-line' },
    },
    {
      effect: 'allow',
      reason: 'allowed by the rule Bash(git *) from the command line',
      rule: { effect: 'allow', text: 'Bash(git *)', source: 'command-line' },
    },
    { effect: 'ask', reason: 'asked: no rule covers the command ls, and approval is default' },
  ]);
});

test('a decision names all its causes', () => {
  const cwd = project();
  const judge = judging(cwd, ['allow Bash(git status)', 'allow Bash(npm test)', 'allow Edit(src/**)'], 'acceptEdits');
  const lines = [
    'git status && npm test',
    'git status > src/x',
    'git status && rm secret.txt',
    'PATH=. git status',
    'npm test > /x',
  ];
  expect(lines.map((line) => judge(line).reason)).toEqual([
    'allowed by the rules Bash(git status) from the command line and Bash(npm test) from the command line',
    'allowed by the rules Bash(git status) from the command line and Edit(src/**) from the command line',
    'allowed by the rule Bash(git status) from the command line and approval acceptEdits',
    'asked: the command line cannot be analysed with certainty: it sets the variable PATH, and approval is acceptEdits',
    'asked: no rule allows the command to write to /x, and approval is acceptEdits',
  ]);
});

test('plan allows nothing, even if a rule does; bypassPermissions still follows rules that deny or ask', () => {
  const cwd = project();
  const rules = ['allow Bash', 'ask Bash(ls)', 'deny Bash(rm *)'];
  const lines = ['pwd', 'ls', 'rm x', '$X y'];
  const effects = (mode: PermissionMode): readonly string[] =>
    lines.map((line) => judging(cwd, rules, mode)(line).effect);
  expect([effects('plan'), effects('bypassPermissions'), effects('default')]).toEqual([
    ['deny', 'deny', 'deny', 'deny'],
    ['allow', 'ask', 'deny', 'ask'],
    ['allow', 'ask', 'deny', 'ask'],
  ]);
});

test('a call that no rule matches can be denied or allowed without a question', () => {
  const cwd = project();
  const said = (otherwise: 'allow' | 'deny'): readonly string[] => {
    const permissions = createPermissions({ project: cwd, otherwise, rules: [{ effect: 'allow', text: 'Bash(ls)' }] });
    return ['ls', 'pwd'].map((command) => permissions.judge(action(cwd, { command })).reason);
  };
  const ls = 'allowed by the rule Bash(ls) from the command line';
  expect([said('allow'), said('deny')]).toEqual([
    [ls, 'allowed as every action without a rule: no rule covers the command pwd'],
    [ls, 'denied as every action without a rule: no rule covers the command pwd'],
  ]);
});

test('an agent that may edit everything may not give itself permissions', () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  const permissions = createPermissions({
    project: cwd,
    rules: ['Edit', 'Bash', 'Delete'].map((text) => ({ effect: 'allow', text })),
    files: { project: file },
  });
  const asked = [
    { kind: 'edit', paths: [file] },
    { kind: 'delete', paths: [join(cwd, '.turnwire')] },
    { command: `echo '{}' > .turnwire/permissions.json`, cwd },
    { command: 'rm -rf .turnwire', cwd },
    { command: 'cd .turnwire && cp /tmp/x permissions.json', cwd },
    { kind: 'edit', paths: [join(cwd, 'src/a.ts')] },
  ];
  expect(asked.map((facts) => permissions.judge(action(cwd, facts)).effect)).toEqual([
    'ask',
    'ask',
    'ask',
    'ask',
    'ask',
    'allow',
  ]);
});

test("an agent's reads inside a root through the client need no approval, but its writes do", () => {
  const cwd = project();
  const judge = judging(cwd, []);
  const facts: readonly Partial<Action>[] = [
    { source: 'host', kind: 'read', paths: [join(cwd, 'src/a.ts')] },
    { source: 'host', kind: 'read', paths: [join(cwd, 'out/b.txt')] },
    { source: 'host', kind: 'edit', paths: [join(cwd, 'src/a.ts')] },
  ];
  expect(facts.map((each) => judge(each).reason)).toEqual([
    'allowed by the default for the folders of the session',
    'asked: no rule applies, and approval is default',
    'asked: no rule applies, and approval is default',
  ]);
});

test('a caller can choose the default for calls without a rule; rules and their files stay guarded', () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  const permissions = createPermissions({
    project: cwd,
    rules: [given('deny Bash(rm *)'), given('ask Read(secret.txt)')],
    files: { project: file },
  });
  const asked: readonly Partial<Action>[] = [
    { command: 'make', cwd },
    { command: 'rm x', cwd },
    { kind: 'read', paths: [join(cwd, 'secret.txt')] },
    { kind: 'edit', paths: [file] },
    { command: '$TOOL x', cwd },
  ];
  const effects = (otherwise?: RuleEffect): readonly string[] =>
    asked.map((facts) => permissions.judge(action(cwd, facts), otherwise).effect);
  expect([effects(), effects('allow'), effects('deny')]).toEqual([
    ['ask', 'deny', 'ask', 'ask', 'ask'],
    ['allow', 'deny', 'ask', 'ask', 'ask'],
    ['deny', 'deny', 'ask', 'ask', 'deny'],
  ]);
});

test('a proposed rule is available for any action', () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd });
  const asked: readonly Partial<Action>[] = [
    { command: 'git log --oneline', cwd },
    { command: 'git log; rm x', cwd },
    { kind: 'edit', paths: [join(cwd, 'src/a.ts')] },
    { kind: 'edit', paths: [join(cwd, 'src/a.ts')], unclear: 'it is not said which' },
  ];
  expect(asked.map((facts) => permissions.proposedRule(action(cwd, facts)))).toEqual([
    'Bash(git log *)',
    undefined,
    'Edit(src/**)',
    undefined,
  ]);
});

test('changing the folder needs a rule before a command that reads its configuration there, and only then', () => {
  const cwd = project();
  mkdirSync(join(cwd, 'planted/refs'), { recursive: true });
  writeFileSync(join(cwd, 'planted/HEAD'), '');
  const rules = ['allow Bash(npm test)', 'allow Bash(git status)', 'allow Bash(ls *)', 'allow Bash(cd src/deep)'];
  const judge = judging(cwd, rules);
  const lines = {
    'cd src && ls -la': 'allow',
    'cd src && git status': 'allow',
    [`cd ${cwd} && npm test`]: 'allow',
    'cd src/deep && npm test': 'allow',
    'cd src && npm test': 'ask',
    'cd planted && git status': 'ask',
    'cd src && cd ../planted && git status': 'ask',
    'cd src': 'ask',
  };
  expect(Object.fromEntries(Object.keys(lines).map((line) => [line, judge(line).effect]))).toEqual(lines);
  const started = (folder: string): string => judge({ command: 'npm test', cwd: join(cwd, folder) }).effect;
  expect(['.', 'src', 'src/deep'].map(started)).toEqual(['allow', 'ask', 'allow']);
});

test('git needs approval in a line that may have created the repository it finds', () => {
  const cwd = project();
  mkdirSync(join(cwd, 'tpl/refs'), { recursive: true });
  writeFileSync(join(cwd, 'tpl/H'), '');
  const judge = judging(cwd, ['allow Bash(git *)', 'allow Bash(cp *)', 'allow Edit(**)'], 'acceptEdits');
  const lines = {
    'cp -r tpl y && cd y && git status': 'ask',
    'mv tpl/H tpl/HEAD && cd tpl && git status': 'ask',
    'git clone a.git y; cd y; git status': 'ask',
    'cd src && echo x > HEAD && git status': 'ask',
    'cd src && git add a.ts && git commit -m x': 'allow',
    'cp -r tpl y && git status': 'allow',
  };
  expect(Object.fromEntries(Object.keys(lines).map((line) => [line, judge(line).effect]))).toEqual(lines);
});

test('a computed word may be a denied file, for reads and changes', () => {
  const judge = judging(project(), ['deny Edit(secret.txt)'], 'bypassPermissions');
  const lines = [
    'touch s$x',
    'touch secret.{txt,,x}',
    'cp a se${x}cret.txt',
    'x=secret.txt; tee $x',
    'mkdir "$x"',
    'rm x',
  ];
  expect(lines.map((line) => judge(line).effect)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask', 'allow']);
});

test('a program that only has the name of a shell is not treated as one', () => {
  const judge = judging(project(), ['allow Bash(git status)']);
  const lines = {
    "bash -c 'git status'": 'allow',
    "/bin/bash -c 'git status'": 'allow',
    "./bash -c 'git status'": 'ask',
    "src/../bash -c 'git status'": 'ask',
    "/tmp/bin/sh -c 'git status'": 'ask',
  };
  expect(Object.fromEntries(Object.keys(lines).map((line) => [line, judge(line).effect]))).toEqual(lines);
});

test('a doubt about a denied file needs approval, and is refused if calls without a rule are refused', () => {
  const cwd = project();
  const rules = ['allow Bash(git *)', 'deny Bash(git push *)'].map(given);
  const effects = (['default', 'bypassPermissions'] as const).map((mode) =>
    ([undefined, 'deny'] as const).map((otherwise) => {
      const permissions = createPermissions({ project: cwd, mode, rules });
      return [
        "sh -c 'echo &>/dev/null git push'",
        'bash -c "git status; $(echo git push)"',
        'git pu${x}sh',
        'git $x',
        '[[ -f x ]] && git status',
        'git log',
      ].map((command) => permissions.judge(action(cwd, { command, cwd }), otherwise).effect);
    }),
  );
  expect(effects).toEqual([
    [
      ['deny', 'deny', 'ask', 'ask', 'ask', 'allow'],
      ['deny', 'deny', 'deny', 'deny', 'deny', 'allow'],
    ],
    [
      ['deny', 'deny', 'ask', 'ask', 'ask', 'allow'],
      ['deny', 'deny', 'ask', 'ask', 'ask', 'allow'],
    ],
  ]);
});

test('an action that is judged again later is analysed again', async () => {
  const cwd = project();
  mkdirSync(join(cwd, 'kept'));
  const permissions = withRules(cwd, ['allow Edit(kept/**)']);
  const edit = action(cwd, { kind: 'edit', paths: [join(cwd, 'kept/a.txt')] });
  const first = permissions.judge(edit).effect;
  await Promise.resolve();
  rmdirSync(join(cwd, 'kept'));
  symlinkSync(tmpdir(), join(cwd, 'kept'));
  expect([first, permissions.judge(edit).effect]).toEqual(['allow', 'ask']);
});
