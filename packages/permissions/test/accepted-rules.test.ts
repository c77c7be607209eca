import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PermissionOption } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { createPermissions, type PermissionRule, type Permissions, type PermissionsOptions } from '../src/index.ts';
import { action, project, toRun } from './project.ts';

interface Clone {
  readonly cwd: string;
  readonly file: string;
  readonly accepted: string;
  readonly open: (more?: Partial<PermissionsOptions>) => Permissions;
}

/** A project written by another author. */
function clone(rules: object): Clone {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  const accepted = join(cwd, '../home/state/accepted-rules.json');
  writeFileSync(file, JSON.stringify(rules));
  const open: Clone['open'] = (more) =>
    createPermissions({ project: cwd, files: { project: file, accepted }, ...more });
  return { cwd, file, accepted, open };
}

function effects(permissions: Permissions, ...commands: readonly string[]): readonly string[] {
  return commands.map((command) => permissions.judge(action('/', { command })).effect);
}

function hostile(file: string, text: string): PermissionRule {
  return { text, effect: 'allow', source: 'project', file, isAccepted: false };
}

function kept(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

test('a project file can deny and ask, but its allow rules are ignored, and the user is notified once', () => {
  const { file, open } = clone({ allow: ['Bash', 'Read'], ask: ['Bash(make)'], deny: ['Bash(rm *)'] });
  const told: string[] = [];
  const permissions = open({ mode: 'default', otherwise: 'allow', onWarning: (message) => told.push(message) });
  expect([
    effects(permissions, 'make', 'rm x'),
    effects(open(), 'ls'),
    permissions.rules,
    permissions.warnings,
  ]).toEqual([
    ['ask', 'deny'],
    ['ask'],
    [
      hostile(file, 'Bash'),
      hostile(file, 'Read'),
      { text: 'Bash(make)', effect: 'ask', source: 'project', file },
      { text: 'Bash(rm *)', effect: 'deny', source: 'project', file },
    ],
    told,
  ]);
  expect(told).toEqual([
    `${file}: 2 rules that allow something do not count until you accept them: turnwire permissions list shows them, turnwire permissions accept accepts`,
  ]);
});

test('the reason mentions an ignored allow rule only where that rule would have allowed the call', () => {
  const { file, cwd, open } = clone({ allow: ['Bash(make)'] });
  const permissions = open();
  const reasons = ['make', 'ls'].map((command) => permissions.judge(action(cwd, { command, cwd })).reason);
  const [because] = [open({ files: {} }).judge(action(cwd, { command: 'make', cwd })).reason];
  expect([reasons[0], reasons[1]?.includes('accepted')]).toEqual([
    `${because}; the rule that would allow it in ${file} has not been accepted`,
    false,
  ]);
});

test('an accepted rule takes effect at once for all readers of the same file, and other rules do not', async () => {
  const { file, accepted, open } = clone({ allow: ['Bash(make)', 'Bash(ls)'] });
  const [first, second] = [open(), open()];
  const before = effects(second, 'make', 'ls');
  const rule = await first.acceptRule(hostile(file, 'Bash(make)'));
  expect([before, rule, effects(second, 'make', 'ls'), effects(open(), 'make', 'ls'), kept(accepted)]).toEqual([
    ['ask', 'ask'],
    { text: 'Bash(make)', effect: 'allow', source: 'project', file },
    ['allow', 'ask'],
    ['allow', 'ask'],
    { [file]: ['Bash(make)'] },
  ]);
});

test('a rule accepted for one project is not accepted for another, not even through a link', async () => {
  const [own, other] = [clone({ allow: ['Bash(make)'] }), clone({ allow: ['Bash(make)'] })];
  await own.open().acceptRule(hostile(own.file, 'Bash(make)'));
  const link = join(other.cwd, '.turnwire/linked.json');
  symlinkSync(own.file, link);
  const seen = [own.file, other.file, link].map((file) =>
    effects(own.open({ files: { project: file, accepted: own.accepted } }), 'make'),
  );
  expect(seen).toEqual([['allow'], ['ask'], ['ask']]);
});

test('adding a rule accepts it, even if the file already has it; removing it withdraws the acceptance', async () => {
  const { file, accepted, open } = clone({ allow: ['Bash(make)'] });
  const permissions = open();
  const there = await permissions.addRule('allow', 'Bash(make)', 'project');
  const added = await permissions.addRule('allow', 'Bash(ls)', 'project');
  const after = [effects(permissions, 'make', 'ls'), permissions.warnings, kept(accepted)];
  await permissions.removeRule(there);
  writeFileSync(file, JSON.stringify({ allow: ['Bash(make)', 'Bash(ls)'] }));
  expect([added, after, effects(permissions, 'make', 'ls'), kept(accepted)]).toEqual([
    { text: 'Bash(ls)', effect: 'allow', source: 'project', file },
    [['allow', 'allow'], [], { [file]: ['Bash(make)', 'Bash(ls)'] }],
    ['ask', 'allow'],
    { [file]: ['Bash(ls)'] },
  ]);
});

test('an answer remembered for the project is accepted', async () => {
  const { accepted, file, open } = clone({});
  const told: string[] = [];
  const ask: PermissionsOptions['ask'] = ({ request }) => {
    const option = request.options.find(({ kind }) => kind === 'allow_once') as PermissionOption;
    return Promise.resolve({ option, remember: 'project' });
  };
  const permissions = open({ ask, onWarning: (message) => told.push(message) });
  await permissions.policy(toRun('npm test'), { signal: new AbortController().signal });
  expect([effects(open(), 'npm test'), kept(accepted), told]).toEqual([['allow'], { [file]: ['Bash(npm test)'] }, []]);
});

test('without a file for accepted rules, an acceptance lasts as long as the permissions object', async () => {
  const { file, open } = clone({ allow: ['Bash(make)'] });
  const files = { project: file };
  const permissions = open({ files });
  const before = [effects(permissions, 'make'), permissions.warnings];
  await permissions.addRule('allow', 'Bash(make)', 'project');
  expect([before, effects(permissions, 'make'), permissions.warnings, effects(open({ files }), 'make')]).toEqual([
    [
      ['ask'],
      [
        `${file}: 1 rule that allows something does not count until you accept it, and this client does not store accepted rules`,
      ],
    ],
    ['allow'],
    [],
    ['ask'],
  ]);
});

test.each(['{"/a": ["Bash"', '["Bash"]', '{"/a": "Bash"}', '{"/a": [1]}', 'null'])(
  'the broken file %j accepts no rule, is reported, and is not overwritten',
  async (content) => {
    const { accepted, file, open } = clone({ allow: ['Bash(make)'] });
    mkdirSync(dirname(accepted), { recursive: true });
    writeFileSync(accepted, content);
    const permissions = open();
    const warning = `${accepted} must contain an object with lists of texts, like {"/a/file": ["Bash(npm test)"]}; until it is fixed or removed, no rule of a project allows anything`;
    const failure: unknown = await permissions.addRule('allow', 'Bash(ls)', 'project').catch((error: unknown) => error);
    expect([
      effects(permissions, 'make', 'ls'),
      permissions.warnings[0],
      readFileSync(accepted, 'utf8'),
      kept(file),
      failure,
    ]).toMatchObject([
      ['ask', 'ask'],
      warning,
      content,
      { allow: ['Bash(make)'] },
      { code: 'invalid-input', message: `The rule was not accepted: ${warning}` },
    ]);
  },
);

test('a rule that could not be written is not accepted', async () => {
  const { accepted, file, open } = clone({});
  writeFileSync(file, '{"allow": [');
  await expect(open().addRule('allow', 'Bash(ls)', 'project')).rejects.toThrow('The rule was not written');
  expect(kept(accepted)).toEqual({});
});

test('an agent that may edit everything is asked before it changes the file of accepted rules', () => {
  const { accepted, cwd, open } = clone({});
  const permissions = open({ rules: [{ effect: 'allow', text: 'Edit' }] });
  const decisions = [accepted, join(cwd, 'src/a.ts')].map((path) => {
    return permissions.judge(action(cwd, { kind: 'edit', paths: [path] })).effect;
  });
  expect(decisions).toEqual(['ask', 'allow']);
});
