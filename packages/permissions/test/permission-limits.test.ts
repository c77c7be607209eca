import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Action,
  createPermissions,
  limitsMeta,
  limitsOf,
  type Permissions,
  type PermissionsOptions,
} from '../src/index.ts';
import { action, given, project, temporaryFolder } from './project.ts';

/** Permissions with a user's file that allows much and forbids something. */
function limited(cwd: string, options: Partial<PermissionsOptions>): Permissions {
  const user = join(temporaryFolder(), 'permissions.json');
  writeFileSync(
    user,
    JSON.stringify({ allow: ['Bash(npm *)', 'Edit(src/**)', 'Read'], deny: ['Bash(npm publish *)'] }),
  );
  return createPermissions({ project: cwd, files: { user }, ...options });
}

test('the rules of a file and the mode allow only where the limits permit it', () => {
  const cwd = project();
  const calls: readonly Partial<Action>[] = [
    { command: 'npm test', cwd },
    { command: 'npm publish x', cwd },
    { command: 'ls', cwd },
    { kind: 'edit', paths: [join(cwd, 'src/a.ts')] },
    { kind: 'edit', paths: [join(cwd, 'b.ts')] },
    { kind: 'read', source: 'host', paths: [join(cwd, 'b.ts')] },
    { kind: 'read', source: 'host', paths: [join(cwd, 'src/a.ts')] },
  ];
  const effects = (options: Partial<PermissionsOptions>): readonly string[] => {
    const permissions = limited(cwd, { rules: [given('allow Bash(ls)'), given('allow Edit(./src/a.ts)')], ...options });
    return calls.map((call) => permissions.judge(action(cwd, call)).effect);
  };
  expect({
    all: effects({ mode: 'acceptEdits' }),
    mode: effects({ mode: 'acceptEdits', allowing: 'given-and-mode' }),
    given: effects({ mode: 'bypassPermissions', allowing: 'given', otherwise: 'deny' }),
    plan: effects({ mode: 'plan', allowing: 'given' }),
  }).toEqual({
    all: ['allow', 'deny', 'allow', 'allow', 'allow', 'allow', 'allow'],
    mode: ['ask', 'deny', 'allow', 'allow', 'allow', 'allow', 'allow'],
    given: ['deny', 'deny', 'allow', 'allow', 'deny', 'deny', 'allow'],
    plan: calls.map(() => 'deny'),
  });
});

test('rules from files that may not allow are not listed, and the user is not prompted to accept them', () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  mkdirSync(join(cwd, '.turnwire'), { recursive: true });
  writeFileSync(file, JSON.stringify({ allow: ['Bash(rm *)'], deny: ['Read(.env)'] }));
  const { rules, warnings } = createPermissions({ project: cwd, files: { project: file }, allowing: 'given' });
  expect([rules, warnings]).toEqual([[{ text: 'Read(.env)', effect: 'deny', source: 'project', file }], []]);
});

test('an agent that decides by itself receives the prohibitions of the command line and the session', async () => {
  const cwd = project();
  const limits = (options: Partial<PermissionsOptions>): unknown => limited(cwd, options).limits;
  const made = limited(cwd, {});
  await made.addRule('deny', 'Bash(rm *)', 'session');
  const planned = limited(cwd, {});
  planned.setMode('plan');
  expect([
    limits({}),
    limits({ mode: 'bypassPermissions', rules: [given('allow Read')], otherwise: 'allow' }),
    limits({ rules: [given('deny Read(.env)'), given('allow Edit')] }),
    limits({ otherwise: 'deny', allowing: 'given', rules: [given('allow Edit')] }),
    made.limits,
    planned.limits,
  ]).toEqual([
    undefined,
    undefined,
    { mode: 'default', rules: [given('deny Read(.env)'), given('allow Edit')] },
    { mode: 'default', rules: [given('allow Edit')], otherwise: 'deny', allowing: 'given' },
    { mode: 'default', rules: [given('deny Bash(rm *)')] },
    { mode: 'plan', rules: [] },
  ]);
});

test('limits travel with a prompt to agents that enforce them, and to no others', () => {
  const limits = { mode: 'plan', rules: [given('deny Bash')], otherwise: 'deny', allowing: 'given' } as const;
  const keeps = { _meta: { turnwire: { permissionLimits: true } } };
  const meta = limitsMeta(keeps, limits);
  expect([
    limitsOf(JSON.parse(JSON.stringify(meta)) as Readonly<Record<string, unknown>>),
    limitsMeta(keeps, undefined),
    limitsMeta({}, limits),
    limitsMeta({ _meta: { turnwire: true } }, limits),
    limitsOf({}),
    limitsOf({ turnwire: {} }),
  ]).toEqual([limits, undefined, undefined, undefined, undefined, undefined]);
});

test.each([
  ['a text', 'plan'],
  ['no mode', { rules: [] }],
  ['an unknown mode', { mode: 'free', rules: [] }],
  ['no rules', { mode: 'default' }],
  ['a rule without an effect', { mode: 'default', rules: [{ text: 'Bash' }] }],
  ['an unknown otherwise', { mode: 'default', rules: [], otherwise: 'yes' }],
  ['something unknown that allows', { mode: 'default', rules: [], allowing: 'everybody' }],
])('unreadable limits leave an agent no rights: %s', (_, permissionLimits) => {
  expect(limitsOf({ turnwire: { permissionLimits } })).toEqual({ mode: 'plan', rules: [] });
});
