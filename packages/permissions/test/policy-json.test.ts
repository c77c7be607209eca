import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TurnwireError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { allowedTools, createPermissions, decisionLog, policyOfFlag, readPolicy } from '../src/index.ts';
import { action, answered, project, request, temporaryFolder, toRun } from './project.ts';

test('a policy contains rules and a default for everything else', () => {
  const policy = {
    autoApprove: ['read', 'Bash(git *)'],
    autoDeny: ['delete'],
    escalate: ['mcp__x'],
    defaultAction: 'deny',
  };
  const expected = {
    rules: [
      { effect: 'allow', text: 'read' },
      { effect: 'allow', text: 'Bash(git *)' },
      { effect: 'deny', text: 'delete' },
      { effect: 'ask', text: 'mcp__x' },
    ],
    otherwise: 'deny',
  };
  expect([
    readPolicy(policy),
    readPolicy(JSON.stringify(policy)),
    readPolicy('{"defaultAction": "approve"}'),
    readPolicy({}),
  ]).toEqual([expected, expected, { rules: [], otherwise: 'allow' }, { rules: [] }]);
});

test.each([
  ['[]', 'it must be a JSON object'],
  [
    '{"autoAprove": []}',
    '"autoAprove" is unknown; did you mean "autoApprove"? In a policy the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"',
  ],
  [
    '{"deny": ["read"]}',
    '"deny" is unknown; did you mean "autoDeny"? In a policy the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"',
  ],
  [
    '{"default": "deny"}',
    '"default" is unknown; did you mean "defaultAction"? In a policy the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"',
  ],
  [
    '{"permissions": {"deny": []}}',
    '"permissions" is unknown; it is used in the settings of other programs. In a policy the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"',
  ],
  ['{"x": []}', '"x" is unknown; the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"'],
  [
    '{"autoDeny": "read"}',
    '"autoDeny" must be a list of rules: texts, or objects with "rule" and perhaps "message" and "child", all of them texts',
  ],
  ['{"defaultAction": "maybe"}', '"defaultAction" must be "approve", "deny" or "escalate"'],
  ['{"defaultAction": "toString"}', '"defaultAction" must be "approve", "deny" or "escalate"'],
])('the policy %s is refused with the reason', (policy, problem) => {
  expect(() => readPolicy(policy)).toThrow(TurnwireError);
  expect(() => readPolicy(policy)).toThrow(`The permission policy cannot be used: ${problem}`);
});

test('every flag has the effect of its name', async () => {
  const cwd = project();
  const calls = [toRun('ls'), request({ kind: 'read', rawInput: { path: '/etc/x' } }), request({ kind: 'search' })];
  const answers = (flag: Parameters<typeof policyOfFlag>[0]): Promise<string[]> =>
    Promise.all(calls.map((call) => answered({ project: cwd, ...policyOfFlag(flag) }, call)));
  expect([await answers('approve-all'), await answers('approve-reads'), await answers('deny-all')]).toEqual([
    ['allow_once', 'allow_once', 'allow_once'],
    ['reject_once', 'allow_once', 'allow_once'],
    ['reject_once', 'reject_once', 'reject_once'],
  ]);
});

test('a list of tools is a list of rules, even with commas in brackets', () => {
  expect([allowedTools('Bash(git *), Read,Edit(a,b)'), allowedTools('')]).toEqual([
    ['Bash(git *)', 'Read', 'Edit(a,b)'].map((text) => ({ effect: 'allow', text })),
    [],
  ]);
});

test('the log has a line for each decision, contains no secrets, and has a maximum size', async () => {
  const file = join(temporaryFolder(), 'logs/decisions.jsonl');
  const log = decisionLog(file, { limit: 2_000 });
  const permissions = createPermissions({ project: '/p', mode: 'bypassPermissions' });
  permissions.onDecision(log.listener);
  const lines = [
    'curl -H "Authorization: Bearer abc.def" x',
    'API_KEY=hunter2 a --password hunter2 --token=hunter2',
    'git clone https://me:hunter2@example.com/x',
  ];
  for (const line of lines) await permissions.policy(toRun(line), { signal: new AbortController().signal });
  await log.flush();
  const written = readFileSync(file, 'utf8').trim().split('\n');
  const [first] = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect({ ...first, at: typeof first?.['at'] }).toEqual({
    at: 'string',
    allowed: true,
    by: 'rules',
    option: 'allow_once',
    reason: 'allowed by approval bypassPermissions',
    action: {
      ...action('/p', { command: 'curl -H "Authorization: [redacted]" x', cwd: '/p' }),
      toolCallId: 'call',
    },
  });
  expect([written.length, written.join().match(/hunter2|abc\.def/), statSync(file).mode & 0o777]).toEqual([
    3,
    null,
    0o600,
  ]);
  for (let at = 0; at < 20; at++) await permissions.policy(toRun(`ls ${at}`), { signal: new AbortController().signal });
  await log.flush();
  expect([statSync(file).size <= 2_000, statSync(`${file}.1`).size <= 2_000, existsSync(`${file}.2`)]).toEqual([
    true,
    true,
    false,
  ]);
});
