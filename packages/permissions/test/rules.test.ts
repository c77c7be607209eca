import { join } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { createPermissions } from '../src/index.ts';
import { judging, project } from './project.ts';

/** The lines that a rule allows or denies. */
function about(rule: string, ...lines: readonly string[]): readonly string[] {
  const judge = judging(project(), [rule]);
  const effect = rule.split(' ')[0];
  return lines.filter((line) => judge(line).effect === effect);
}

const allowed: Readonly<Record<string, readonly [allowed: readonly string[], not: readonly string[]]>> = {
  Bash: [['ls', 'a | b > c', '$X', 'sudo rm -rf /', 'rm x &&'], []],
  'Bash(*)': [['ls', '$X'], []],
  'Bash(npm test)': [
    [
      'npm test',
      ' npm  test ',
      'npm test && npm test',
      "bash -lc 'npm test'",
      "eval 'npm test'",
      'CI=1 npm test',
      'timeout 5 npm test',
    ],
    [
      'npm test x',
      'npm',
      'npm  "test x"',
      'npm test > /tmp/x',
      'npm test > x',
      'timeout 5 npm x',
      'npm test; rm x',
      'cd src && npm test',
      './npm test',
      'NPM TEST',
    ],
  ],
  'Bash(git *)': [
    [
      'git status',
      'git log --oneline',
      'git add "a b"',
      'git add src/*.ts',
      "git commit -m 'a; b'",
      'git status 2>&1',
      'git log < /dev/null',
    ],
    [
      ...[
        'git',
        'gitk x',
        'git status; rm x',
        'git status && (rm x)',
        'git log | sh',
        'git $(rm x)',
        'git status `rm x`',
        'git log <(rm x)',
      ],
      ...[
        'git -c alias.x=!rm x',
        'git -calias.x=!rm x',
        'git --exec-path=/tmp status',
        'git --exec-pa=/tmp status',
        'git $X status',
        'git {-c,x} y',
      ],
      ...[
        'git log --output=/etc/x',
        'GIT_PAGER=x git log',
        'PATH=. git log',
        'env git status',
        'command git status',
        'sudo git status',
      ],
      ...[
        'xargs git status',
        'time -p git status; rm x',
        'git() { rm x; }; git status',
        'alias git=rm; git status',
        'git status > /etc/x',
      ],
      ...[
        'git status &> x',
        'cat <<< $(git x)',
        'git status\nrm x',
        'git status & rm x',
        'git bisect run; rm',
        'git bisect run make',
        'git config alias.x "!rm x"',
        'for PATH in .; do git status; done',
      ],
      ...[
        'sh -c "git status; rm x"',
        "sh -c 'git status' && rm x",
        'sh -c "$X"',
        'sh git status',
        'cd /tmp && git status',
        'cd $X; git status',
      ],
    ],
  ],
  'Bash(git:*)': [['git', 'git status'], ['gitk']],
  'Bash(git commit -m *)': [['git commit -m "$(cat)"'].slice(1), ['git commit -m "$(cat x)"']],
  'Bash(env *)': [['env git status', 'env'].slice(0, 1), ['git status']],
  'Bash(bash -c *)': [["bash -c 'rm x'"], ['bash x', 'bash -c "$X"']],
  'Bash(find *)': [['find . -name x'], ['find . -exec rm {} ;', 'find . -delete', 'find $X']],
  'Bash(find . -exec *)': [["find . -exec ls '{}' ';'"], ['find . -delete']],
  'Bash(* test)': [['npm test'], ['sudo test', 'node test', 'env test']],
};

test.each(Object.entries(allowed))('%s allows the calls it names and no others', (rule, [yes, no]) => {
  expect(about(`allow ${rule}`, ...yes, ...no)).toEqual(yes);
});

const denied: Readonly<Record<string, readonly [denied: readonly string[], not: readonly string[]]>> = {
  'Bash(rm *)': [
    [
      ...[
        'rm x',
        'a; rm x',
        'a && (b || rm x)',
        'a | rm x',
        'echo $(rm x)',
        'echo `rm x`',
        'a <(rm x)',
        'if a; then rm x; fi',
        'f() { rm x; }',
      ],
      ...[
        '/bin/rm x',
        '\\rm x',
        "'rm' x",
        'r""m x',
        "$'\\x72m' x",
        'rm\tx',
        'sudo rm x',
        'env A=1 rm x',
        'xargs rm x',
        'nohup timeout 5 rm x',
      ],
      ...[
        'sh -c "rm x"',
        "bash -lc 'a; rm x'",
        "eval 'rm x'",
        "sudo sh -c 'rm x'",
        'find . -exec rm x ;',
        'ssh host rm x',
        "ssh host 'rm x'",
      ],
      ...[
        'bash <<END\nrm x\nEND',
        "bash <<< 'rm x'",
        "echo 'rm x' | sh",
        'python -c "import os; os.system(\'rm x\')"',
        'cat <<END\n$(rm x)\nEND',
      ],
      ...[
        'a && (rm x',
        'rm x "',
        '{rm,x}',
        'X=rm; $X x',
        'PATH=. rm x',
        '> y rm x',
        'rm x > y',
        '[[ -v a[$(rm x)] ]]',
        'echo ${a:-$(rm x)}',
        'coproc rm x',
      ],
      ...[
        'time rm x',
        '! rm x',
        'case $(rm x) in a) ;; esac',
        'a=(1 $(rm x))',
        'parallel rm x ::: a',
        "watch 'rm x'",
        'git -c alias.x="!rm x" x',
        'rm',
        'echo x | xargs -n1 rm',
      ],
    ],
    ['echo rm', 'ls rm', 'git rm x', 'rmdir x', "git commit -m 'rm x'", 'npm run rm x', "cat <<'END'\nrm x\nEND"],
  ],
  'Bash(git push *)': [['git push x', 'git -C /x push y', 'git --no-pager -c a=b push y'], ['git pull x']],
  'Bash(git:*)': [['git', 'git x'], ['gitk']],
  Bash: [['a', ''], []],
  'Edit(src/**)': [
    ['echo x > src/a', 'cd src && echo > a', 'rm src/a.ts', 'tee src/x', 'sed -i s/a/b/ src/a.ts', 'cp x out/../src/y'],
    ['cat src/a.ts', 'echo x > other'],
  ],
  'Read(secret.txt)': [
    ['cat secret.txt', 'a < secret.txt', 'cat src/innocent.txt', 'cd src; cat ../secret.txt', 'cp secret.txt x'],
    ['cat other', 'echo secret'],
  ],
  'Read(./src/**)': [
    [
      'cat src/*',
      'cat s?c/deep/../a.ts',
      'cat */a.ts',
      'cat < src/a.ts',
      'tar c src',
      'grep -r x src/',
      'dd if=src/a.ts',
      'tar c *',
      'cat *s*r*c*/*a*',
      'cat src/[!b].ts',
      'cat sr[[:alpha:]]/a.ts',
    ],
    ['cat *.txt', 'cat "src*"', 'ls out', 'cat sr/*', 'echo src=x'],
  ],
  'Read(.git/config)': [[], ['cat *', 'cat */config', 'tar c .git']],
};

test('a line with more patterns than the limit needs approval if a rule denies files', () => {
  const judge = judging(project(), ['deny Read(secret.txt)'], 'bypassPermissions');
  expect([20, 21].map((count) => judge(`cat ${'src/* '.repeat(count)}`).effect)).toEqual(['deny', 'ask']);
  expect([20, 21].map((count) => judge(`cat ${'*.md '.repeat(count)}`).effect)).toEqual(['allow', 'ask']);
});

test.each(Object.entries(denied))('%s denies every way to do it', (rule, [yes, no]) => {
  expect(about(`deny ${rule}`, ...yes, ...no)).toEqual(yes);
});

/** The paths that a rule matches, relative to the project. */
const paths: Readonly<Record<string, readonly string[]>> = {
  'allow Edit': [
    'src/a.ts',
    'src/deep/b.ts',
    'secret.txt',
    'src/innocent.txt',
    'out/b.txt',
    '../outside/b.txt',
    '.env',
    'app/(x)/[id].ts',
  ],
  'allow Edit(**)': ['src/a.ts', 'src/deep/b.ts', 'secret.txt', 'src/innocent.txt', '.env', 'app/(x)/[id].ts'],
  'allow Edit(src/**)': ['src/a.ts', 'src/deep/b.ts'],
  'allow Edit(src/)': ['src/a.ts', 'src/deep/b.ts'],
  'allow Edit(./src/*)': ['src/a.ts'],
  'allow Edit(src)': [],
  'allow Edit(*.ts)': ['src/a.ts', 'src/deep/b.ts', 'app/(x)/[id].ts'],
  'allow Edit(secret.txt)': ['secret.txt', 'src/innocent.txt'],
  'allow Edit(out/**)': [],
  'allow Edit(../outside/**)': ['out/b.txt', '../outside/b.txt'],
  'allow Edit(app/(x)/[id].ts)': ['app/(x)/[id].ts'],
  'allow Read(src/**)': [],
  'allow Write(src/a.t?)': ['src/a.ts'],
  'deny Edit(src)': ['src/a.ts', 'src/deep/b.ts', 'src/innocent.txt'],
  'deny Edit(secret.txt)': ['secret.txt', 'src/innocent.txt'],
  'deny Edit(out)': ['out/b.txt'],
  'deny Edit(./out)': ['out/b.txt', '../outside/b.txt'],
  'deny Edit(src/innocent.txt)': ['secret.txt', 'src/innocent.txt'],
  'deny Edit(.env)': ['.env'],
  'deny Edit(/)': [
    'src/a.ts',
    'src/deep/b.ts',
    'secret.txt',
    'src/innocent.txt',
    'out/b.txt',
    '../outside/b.txt',
    '.env',
    'app/(x)/[id].ts',
  ],
};

test.each(Object.entries(paths))('%s matches the right files', (rule, expected) => {
  const cwd = project();
  const judge = judging(cwd, [rule]);
  const all = paths['allow Edit'] ?? [];
  const found = all.filter((path) => judge({ kind: 'edit', paths: [join(cwd, path)] }).effect === rule.split(' ')[0]);
  expect(found).toEqual(expected);
});

test('~ is the home folder, and a path that starts with / is absolute', () => {
  const cwd = project();
  const home = join(cwd, '../home/x');
  const effects = [
    `allow Read(~/x)`,
    `allow Read(${home})`,
    `allow Read(${join(home, '..')}/**)`,
    'allow Read(~/y)',
    'allow Read(~)',
  ].map((rule) => judging(cwd, [rule])({ kind: 'read', paths: [home] }).effect);
  expect(effects).toEqual(['allow', 'allow', 'allow', 'ask', 'ask']);
});

test('a call is allowed if every file is allowed, and denied if one is denied', () => {
  const cwd = project();
  const both = { kind: 'edit', paths: [join(cwd, 'src/a.ts'), join(cwd, 'secret.txt')] };
  expect([judging(cwd, ['allow Edit(src/**)'])(both).effect, judging(cwd, ['deny Edit(src/**)'])(both).effect]).toEqual(
    ['ask', 'deny'],
  );
});

test('denying edits also denies deletes and moves; allowing edits does not allow deletes', () => {
  const cwd = project();
  const calls = ['edit', 'delete', 'move'].map((kind) => ({ kind, paths: [join(cwd, 'src/a.ts')] }));
  const effects = (rule: string): readonly string[] => calls.map((call) => judging(cwd, [rule])(call).effect);
  expect([effects('deny Edit(src/**)'), effects('allow Edit(src/**)'), effects('allow Delete(src/**)')]).toEqual([
    ['deny', 'deny', 'deny'],
    ['allow', 'ask', 'ask'],
    ['ask', 'allow', 'ask'],
  ]);
});

test('deleting a link is judged by the location of the link', () => {
  const cwd = project();
  const call = { kind: 'delete', paths: [join(cwd, 'src/innocent.txt')] };
  const rules = ['allow Delete(secret.txt)', 'allow Delete(src/**)', 'deny Delete(src/**)'];
  expect(rules.map((rule) => judging(cwd, [rule])(call).effect)).toEqual(['ask', 'ask', 'deny']);
});

const addresses: Readonly<Record<string, readonly string[]>> = {
  'allow WebFetch': [
    'https://example.com/x',
    'https://www.example.com',
    'https://example.com.evil.org',
    'http://EXAMPLE.com.',
    'ftp://example.com',
    'x',
  ],
  'allow WebFetch(domain:example.com)': ['https://example.com/x', 'http://EXAMPLE.com.'],
  'allow WebFetch(domain:*.example.com)': ['https://www.example.com'],
  'deny WebFetch(domain:example.com)': ['https://example.com/x', 'https://www.example.com', 'http://EXAMPLE.com.'],
};

test.each(Object.entries(addresses))('%s matches the right addresses', (rule, expected) => {
  const judge = judging(project(), [rule]);
  const all = addresses['allow WebFetch'] ?? [];
  expect(all.filter((url) => judge({ kind: 'fetch', url }).effect === rule.split(' ')[0])).toEqual(expected);
});

test("a rule names a tool by the agent's name for it, and * matches any run of characters", () => {
  const cwd = project();
  const call = { kind: 'other', tool: 'mcp__github__get_issue' };
  const rules = ['mcp__github__get_issue', 'mcp__github__*', '*', 'mcp__*__get_*', 'mcp__github', 'other', 'Read'];
  expect(rules.map((rule) => judging(cwd, [`allow ${rule}`])(call).effect)).toEqual([
    'allow',
    'allow',
    'allow',
    'allow',
    'ask',
    'allow',
    'ask',
  ]);
});

test('a rule that denies matches the meaning of a tool in any spelling; a rule that allows matches its exact name', () => {
  const cwd = project();
  const calls = [
    { command: 'ls', cwd },
    { kind: 'fetch', url: 'https://a' },
    { kind: 'other', tool: 'bash' },
  ];
  const effects = (...rules: readonly string[]): readonly string[] =>
    calls.map((call) => judging(cwd, rules, 'bypassPermissions')(call).effect);
  expect([
    effects('deny bash'),
    effects('ask WEBFETCH', 'deny SHELL'),
    calls.map((call) => judging(cwd, ['allow bash'])(call).effect),
  ]).toEqual([
    ['deny', 'allow', 'deny'],
    ['deny', 'ask', 'allow'],
    ['ask', 'ask', 'allow'],
  ]);
});

test('a call whose kind and name disagree needs rules for both', () => {
  const cwd = project();
  const call = { kind: 'read', tool: 'Edit', paths: [join(cwd, 'src/a.ts')] };
  expect(
    [['allow Read'], ['allow Edit'], ['allow Read', 'allow Edit'], ['deny Edit']].map(
      (rules) => judging(cwd, rules)(call).effect,
    ),
  ).toEqual(['ask', 'ask', 'allow', 'deny']);
});

test('a command is a command with any kind, and the kind must be allowed too', () => {
  const cwd = project();
  const judge = judging(cwd, ['allow Read', 'allow Bash(cat *)']);
  const calls = [
    { kind: 'read', command: 'rm x' },
    { kind: 'read', command: 'cat x' },
    { kind: 'edit', command: 'cat x', paths: [join(cwd, 'x')] },
  ];
  expect(calls.map((call) => judge(call).effect)).toEqual(['ask', 'allow', 'ask']);
});

test('an unreadable call is allowed only by a rule for the whole tool', () => {
  const cwd = project();
  const call = { command: 'npm test', unclear: 'the agent sent several folders' };
  const effects = [['allow Bash(npm *)'], ['allow Bash'], ['allow Bash', 'deny Bash(rm *)'], ['deny Bash(rm *)']].map(
    (rules) => judging(cwd, rules)(call).effect,
  );
  expect(effects).toEqual(['ask', 'allow', 'ask', 'ask']);
});

test('a call of the kind execute without a command may be another tool than a shell', () => {
  const cwd = project();
  const call = { unclear: 'the agent did not send the command' };
  const effects = [['allow Bash'], ['allow Bash', 'allow other'], ['allow *'], ['deny Bash']].map(
    (rules) => judging(cwd, rules)(call).effect,
  );
  expect(effects).toEqual(['ask', 'allow', 'allow', 'deny']);
});

test.each(['', 'Bash(', 'Bash()', 'Bash( )', 'Ba sh', 'mcp__x(y)', 'Think(x)', 'WebFetch(example.com)', '(x)'])(
  'the rule %j cannot be parsed',
  (text) => {
    const attempt = (): unknown => createPermissions({ project: '/', rules: [{ effect: 'deny', text }] });
    expect(attempt).toThrow(TurnwireError);
    expect(attempt).toThrow(`The permission rule ${JSON.stringify(text)} cannot be read: `);
  },
);
