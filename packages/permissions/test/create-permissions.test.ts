import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PermissionOption, ToolCallUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import {
  type Answer,
  type Asker,
  createPermissions,
  type DecisionRecord,
  type PermissionMode,
  type Permissions,
  type Question,
} from '../src/index.ts';
import { action, answered, given, options, project, request, toRun } from './project.ts';

/** An asker that answers on request, and the questions it received. */
function patientAsker(): { readonly ask: Asker; readonly asked: Question[]; answer(answer: Answer): void } {
  const asked: Question[] = [];
  const answers: ((answer: Answer) => void)[] = [];
  return {
    asked,
    ask: (question) => {
      asked.push(question);
      return new Promise((resolve) => void answers.push(resolve));
    },
    answer: (answer) => answers.shift()?.(answer),
  };
}

function always(kind: PermissionOption['kind'], remember?: 'session' | 'project' | 'user'): Asker {
  return ({ request: { options: offered } }) =>
    Promise.resolve({ option: offered.find((each) => each.kind === kind)!, ...(remember && { remember }) });
}

/** The signal of a question that is never withdrawn. */
function notWithdrawn(): AbortSignal {
  return new AbortController().signal;
}

async function answerOf(
  permissions: Permissions,
  asked: ReturnType<typeof request>,
  signal = notWithdrawn(),
): Promise<string> {
  return (await permissions.policy(asked, { signal }))?.kind ?? 'cancelled';
}

test('options are chosen by kind: once first, then always, otherwise the request is cancelled', async () => {
  const cwd = project();
  const all = ['allow_always', 'allow_once', 'reject_always', 'reject_once'] as const;
  const offers = [
    [...all],
    ['allow_always', 'reject_always'],
    ['allow_always'],
    ['reject_once'],
    [],
  ] as (typeof all)[number][][];
  const answers = (mode: PermissionMode): Promise<string[]> =>
    Promise.all(
      offers.map((kinds) => {
        const offered = kinds.map((kind) => ({ optionId: kind === 'reject_once' ? 'cancel' : kind, name: kind, kind }));
        return answered({ project: cwd, mode }, request({ kind: 'execute', rawInput: { command: 'ls' } }, offered));
      }),
    );
  expect([await answers('bypassPermissions'), await answers('plan')]).toEqual([
    ['allow_once', 'allow_always', 'allow_always', 'cancelled', 'cancelled'],
    ['reject_once', 'reject_always', 'cancelled', 'reject_once', 'cancelled'],
  ]);
});

test('without a user to ask, a question is denied or cancelled, and the decision gives the reason', async () => {
  const records: DecisionRecord[] = [];
  const answer = async (unasked: 'deny' | 'cancel' | undefined): Promise<string> => {
    const permissions = createPermissions({ project: project(), unasked });
    permissions.onDecision((record) => records.push(record));
    return answerOf(permissions, toRun('ls'));
  };
  expect([await answer(undefined), await answer('deny'), await answer('cancel')]).toEqual([
    'reject_once',
    'reject_once',
    'cancelled',
  ]);
  expect(records.map(({ by, reason }) => [by, reason])).toEqual(
    records.map(() => ['nobody', 'not allowed: no user can be asked']),
  );
});

test('a question contains its subject, its reason and the rules it can remember', async () => {
  const cwd = project();
  const asker = patientAsker();
  const permissions = createPermissions({ project: cwd, ask: asker.ask });
  const asked = toRun('git diff HEAD');
  const answer = permissions.policy(asked, { signal: notWithdrawn(), roots: [cwd, '/more'] });
  await sleep(0);
  const [{ id, signal, action: about, reason, proposedRule, request: sent }] = asker.asked as [Question];
  expect({
    isPending: permissions.pending[0]?.id === id,
    aborted: signal.aborted,
    about,
    reason,
    proposedRule,
    sent,
  }).toEqual({
    isPending: true,
    aborted: false,
    about: {
      sessionId: 's',
      roots: [cwd, '/more'],
      kind: 'execute',
      command: 'git diff HEAD',
      cwd,
      paths: [],
      toolCallId: 'call',
      source: 'request',
    },
    reason: 'asked: no rule covers the command git diff HEAD, and approval is default',
    proposedRule: 'Bash(git diff *)',
    sent: asked,
  });
  asker.answer({ option: options[0]! });
  expect([await answer, permissions.pending]).toEqual([options[0], []]);
});

test('an answer to remember becomes a rule, reaches the agent as a single approval, and prevents further questions', async () => {
  const cwd = project();
  let asked = 0;
  const ask: Asker = (question) => {
    asked++;
    return always('allow_always', 'session')(question);
  };
  const permissions = createPermissions({ project: cwd, ask });
  const records: string[] = [];
  permissions.onDecision(({ reason }) => records.push(reason));
  const answers = [await answerOf(permissions, toRun('git diff a')), await answerOf(permissions, toRun('git diff b'))];
  expect({ answers, asked, rules: permissions.rules, records }).toEqual({
    answers: ['allow_once', 'allow_once'],
    asked: 1,
    rules: [{ text: 'Bash(git diff *)', effect: 'allow', source: 'session' }],
    records: [
      'allowed by the user, to be remembered for the session',
      'allowed by the rule Bash(git diff *) of this session',
    ],
  });
  await permissions.removeRule(permissions.rules[0]!);
  expect([await answerOf(permissions, toRun('git diff c')), asked]).toEqual(['allow_once', 2]);
});

test('a rejection can be remembered too', async () => {
  const permissions = createPermissions({ project: project(), ask: always('reject_always', 'session') });
  const answer = await answerOf(permissions, toRun('npm test'));
  expect([answer, permissions.rules]).toEqual([
    'reject_once',
    [{ text: 'Bash(npm test)', effect: 'deny', source: 'session' }],
  ]);
});

test('a rule remembered in a file applies to the next session, and stays removed once it is removed', async () => {
  const cwd = project();
  const files = {
    project: join(cwd, '.turnwire/permissions.json'),
    user: join(cwd, '../home/settings/permissions.json'),
    accepted: join(cwd, '../home/state/accepted-rules.json'),
  };
  const first = createPermissions({ project: cwd, files, ask: always('allow_once', 'project') });
  await answerOf(first, toRun('npm test'));
  await first.addRule('deny', 'Bash(rm *)', 'user');
  const second = createPermissions({ project: cwd, files });
  expect([second.rules, await answerOf(second, toRun('npm test')), await answerOf(second, toRun('rm x'))]).toEqual([
    [
      { text: 'Bash(npm test)', effect: 'allow', source: 'project', file: files.project },
      { text: 'Bash(rm *)', effect: 'deny', source: 'user', file: files.user },
    ],
    'allow_once',
    'reject_once',
  ]);
  await second.removeRule(second.rules[0]!);
  expect([first.rules, readFileSync(files.project, 'utf8')]).toEqual([
    [{ text: 'Bash(rm *)', effect: 'deny', source: 'user', file: files.user }],
    '{\n  "allow": []\n}\n',
  ]);
});

test('an answer counts even if it cannot be remembered, and the user gets a warning', async () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  writeFileSync(file, '{"allow": [}');
  const warnings: string[] = [];
  const permissions = createPermissions({
    project: cwd,
    files: { project: file },
    ask: always('allow_once', 'project'),
    onWarning: (message) => warnings.push(message),
  });
  expect([await answerOf(permissions, toRun('npm test')), readFileSync(file, 'utf8')]).toEqual([
    'allow_once',
    '{"allow": [}',
  ]);
  const broken = `${file}, line 1: this is not JSON (value expected); until it is fixed, all actions are asked about`;
  expect(warnings).toEqual([
    broken,
    `The answer counts for this call, but the rule Bash(npm test) could not be stored: The rule was not written: ${broken}`,
  ]);
});

test('questions are asked one at a time, oldest first, and each is answered once', async () => {
  const asker = patientAsker();
  const permissions = createPermissions({ project: project(), ask: asker.ask });
  const answers = ['a', 'b', 'c'].map((command) => answerOf(permissions, toRun(command)));
  await sleep(0);
  const seen = [asker.asked.map((each) => each.action.command), permissions.pending.map((each) => each.action.command)];
  asker.answer({ option: options[3]! });
  await answers[0];
  await sleep(0);
  seen.push(asker.asked.map((each) => each.action.command));
  asker.answer(undefined);
  await answers[1];
  await sleep(0);
  asker.answer({ option: { optionId: 'invented', name: '', kind: 'allow_once' } });
  expect([seen, await Promise.all(answers)]).toEqual([
    [['a'], ['a', 'b', 'c'], ['a', 'b']],
    ['allow_once', 'cancelled', 'cancelled'],
  ]);
});

test('the chosen option decides, even if another option has its id; a copy of the option is refused', async () => {
  const offered = (['allow_once', 'reject_once'] as const).map((kind) => ({ optionId: 'same', name: kind, kind }));
  const choose = async (pick: (question: Question) => PermissionOption): Promise<unknown> => {
    const records: DecisionRecord[] = [];
    const permissions = createPermissions({
      project: project(),
      ask: (question) => Promise.resolve({ option: pick(question) }),
    });
    permissions.onDecision((record) => records.push(record));
    const sent = await permissions.policy({ ...toRun('ls'), options: offered }, { signal: notWithdrawn() });
    return [sent?.kind, ...records.map(({ allowed, by, reason }) => [allowed, by, reason])];
  };
  expect([
    await choose(({ request: { options: given } }) => given[1]!),
    await choose(({ request: { options: given } }) => ({ ...given[0]! })),
  ]).toEqual([
    ['reject_once', [false, 'user', 'denied by the user']],
    [undefined, [false, 'nobody', 'not allowed: the answer is not one of the offered options']],
  ]);
});

test('a question handler that fails approves nothing and does not block the next question', async () => {
  const fails: Asker[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken')),
  ];
  const answers = fails.map(async (ask) => {
    const permissions = createPermissions({ project: project(), ask });
    const reasons: string[] = [];
    permissions.onDecision(({ reason }) => reasons.push(reason));
    return [await answerOf(permissions, toRun('a')), await answerOf(permissions, toRun('b')), reasons];
  });
  const failed = 'not allowed: asking failed: broken';
  expect(await Promise.all(answers)).toEqual(fails.map(() => ['cancelled', 'cancelled', [failed, failed]]));
});

test('a new rule or mode answers queued questions, including the one on the screen', async () => {
  const asker = patientAsker();
  const permissions = createPermissions({ project: project(), ask: asker.ask });
  const answers = ['npm test', 'npm test', 'rm x', 'ls', 'pwd'].map((command) => answerOf(permissions, toRun(command)));
  await sleep(0);
  await permissions.addRule('allow', 'Bash(npm test)', 'session');
  await permissions.addRule('deny', 'Bash(rm *)', 'session');
  const left = permissions.pending.map((each) => each.action.command);
  permissions.setMode('bypassPermissions');
  expect([
    left,
    await Promise.all(answers),
    asker.asked.every(({ signal }) => signal.aborted),
    permissions.pending,
  ]).toEqual([['ls', 'pwd'], ['allow_once', 'allow_once', 'reject_once', 'allow_once', 'allow_once'], true, []]);
});

test('switching to plan denies queued questions', async () => {
  const permissions = createPermissions({ project: project(), ask: patientAsker().ask });
  const answer = answerOf(permissions, toRun('ls'));
  await sleep(0);
  permissions.setMode('plan');
  expect([await answer, permissions.mode]).toEqual(['reject_once', 'plan']);
});

test('a rule written into the file from outside is noticed, and answers queued questions at the next check', async () => {
  const cwd = project();
  const file = join(cwd, '.turnwire/permissions.json');
  const permissions = createPermissions({ project: cwd, files: { user: file }, ask: patientAsker().ask });
  const answer = answerOf(permissions, toRun('npm test'));
  await sleep(0);
  writeFileSync(file, '{"allow": ["Bash(npm test)"]}');
  const decision = permissions.judge(action(cwd, { command: 'npm test' }));
  expect([decision.reason, await answer]).toEqual([`allowed by the rule Bash(npm test) in ${file}`, 'allow_once']);
});

test('a cancelled turn, the end of a turn and a lost connection each cancel queued questions once', async () => {
  const asker = patientAsker();
  const permissions = createPermissions({ project: project(), ask: asker.ask });
  const records: DecisionRecord[] = [];
  permissions.onDecision((record) => records.push(record));
  const cancel = new AbortController();
  const byCancel = answerOf(permissions, toRun('a'), cancel.signal);
  const byTurn = answerOf(permissions, toRun('b'));
  const elsewhere = answerOf(permissions, { ...toRun('c'), sessionId: 'other' });
  await sleep(0);
  cancel.abort();
  permissions.endTurn('s');
  const left = permissions.pending.length;
  permissions.endTurn();
  permissions.endTurn();
  asker.answer({ option: options[3]! });
  expect([
    await Promise.all([byCancel, byTurn, elsewhere]),
    left,
    await answerOf(permissions, toRun('d'), cancel.signal),
  ]).toEqual([['cancelled', 'cancelled', 'cancelled'], 1, 'cancelled']);
  expect(records.map(({ by, allowed, reason }) => [by, allowed, reason])).toEqual(
    Array.from({ length: 4 }, () => [
      'nobody',
      false,
      'not allowed: the question was withdrawn before it was answered',
    ]),
  );
});

test('two thousand concurrent questions are asked one after the other', async () => {
  let running = 0;
  let most = 0;
  const order: (string | undefined)[] = [];
  const ask: Asker = async (question) => {
    most = Math.max(most, ++running);
    order.push(question.action.command);
    await Promise.resolve();
    running--;
    return { option: options[3]! };
  };
  const permissions = createPermissions({ project: project(), ask });
  const commands = Array.from({ length: 2_000 }, (_, at) => `tool${at}`);
  const answers = await Promise.all(commands.map((command) => answerOf(permissions, toRun(command))));
  expect({ most, order, answers: new Set(answers), left: permissions.pending }).toEqual({
    most: 1,
    order: commands,
    answers: new Set(['allow_once']),
    left: [],
  });
});

test('a permission request without the details of a call gets them from the announcement of the call', async () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd, rules: [given('allow Bash(npm test)')] });
  const announced = { toolCallId: 'call', title: 'x', kind: 'execute', rawInput: { command: 'npm test' } } as const;
  permissions.observe('s', { sessionUpdate: 'tool_call', ...announced });
  expect([
    await answerOf(permissions, request({})),
    await answerOf(permissions, request({ toolCallId: 'another' })),
  ]).toEqual(['allow_once', 'reject_once']);
});

test('an answer to a forwarded request carries its explanation', async () => {
  const reasons: string[] = [];
  const explain = (reason: string): void => void reasons.push(reason);
  await createPermissions({ project: project() }).policy(toRun('ls'), { signal: notWithdrawn(), explain });
  expect(reasons).toEqual(['not allowed: no user can be asked']);
});

test('a listener receives every decision until it unsubscribes, and a listener that fails changes no decision', async () => {
  const warnings: string[] = [];
  const permissions = createPermissions({
    project: project(),
    mode: 'bypassPermissions',
    onWarning: (message) => warnings.push(message),
  });
  const heard: DecisionRecord[] = [];
  permissions.onDecision(() => {
    throw new Error('broken');
  });
  const stop = permissions.onDecision((record) => heard.push(record));
  await answerOf(permissions, toRun('a'));
  stop();
  await answerOf(permissions, toRun('b'));
  const [{ at, action: about, ...rest }] = heard as [DecisionRecord];
  expect([heard.length, Number.isInteger(at), about.command, rest, warnings]).toEqual([
    1,
    true,
    'a',
    { allowed: true, by: 'rules', option: options[3], reason: 'allowed by approval bypassPermissions' },
    ['A decision listener failed: broken', 'A decision listener failed: broken'],
  ]);
});

/** The proposal for a call, as a user would see it. */
async function proposal(cwd: string, call: Partial<ToolCallUpdate>): Promise<string | undefined> {
  let proposed: string | undefined;
  const ask: Asker = (question) => {
    proposed = question.proposedRule;
    return Promise.resolve(undefined);
  };
  const file = join(cwd, '.turnwire/permissions.json');
  await createPermissions({ project: cwd, ask, files: { project: file } }).policy(request(call), {
    signal: notWithdrawn(),
  });
  return proposed;
}

const proposals: Readonly<Record<string, string | undefined>> = {
  'npm test': 'Bash(npm test)',
  'git status --short': 'Bash(git status *)',
  'cargo build --release': 'Bash(cargo build --release)',
  'git log main x': 'Bash(git log *)',
  'git log --output=x': undefined,
  'cat notes todo': 'Bash(cat notes todo)',
  'adb shell ls': 'Bash(adb shell ls)',
  ls: 'Bash(ls)',
  'ls -la src': 'Bash(ls -la src)',
  'npm run build': 'Bash(npm run build)',
  'npm run build -- --x': 'Bash(npm run build -- --x)',
  'git push origin main': 'Bash(git push origin main)',
  'rm -rf build': 'Bash(rm -rf build)',
  "grep 'a b' x": "Bash(grep 'a b' x)",
  'node build.js': 'Bash(node build.js)',
  'python -c "print(1)"': "Bash(python -c 'print(1)')",
  'sudo ls': undefined,
  'env ls': undefined,
  'xargs ls': undefined,
  "bash -c 'ls'": undefined,
  'eval ls': undefined,
  'git -c a=b status': undefined,
  'find . -delete': undefined,
  'ls && pwd': undefined,
  'ls > x': undefined,
  'ls $HOME': undefined,
  'ls *.ts': undefined,
  "grep 'a*' x": undefined,
  'CI=1 ls': undefined,
  'cd src': 'Bash(cd src)',
};

test.each(Object.entries(proposals))('for %j the proposed rule is narrow or absent', async (command, expected) => {
  expect(await proposal(project(), { kind: 'execute', rawInput: { command } })).toBe(expected);
});

test('the proposed rule covers the folder of a file, the host of an address, or the name of another tool', async () => {
  const cwd = project();
  mkdirSync(join(cwd, 'app/[id]'), { recursive: true });
  const edits = [
    'src/a.ts',
    'src/deep/x.ts',
    'new.txt',
    'app/[id]/page.tsx',
    'out/b.txt',
    '.turnwire/permissions.json',
    'a*/b',
    '../outside/b.txt',
  ];
  const calls: Partial<ToolCallUpdate>[] = [
    ...edits.map((path) => ({ kind: 'edit', rawInput: { path } }) as const),
    { kind: 'edit', rawInput: { paths: ['src/a.ts', 'src/b.ts'] } },
    { kind: 'edit', rawInput: { paths: ['src/a.ts', 'other/b.ts'] } },
    { kind: 'read', rawInput: { path: 'src/a.ts' } },
    { kind: 'delete', rawInput: { path: 'src/a.ts' } },
    { kind: 'fetch', rawInput: { url: 'https://example.com/x?y' } },
    { kind: 'fetch', rawInput: { url: 'file:///etc/passwd' } },
    { kind: 'other', name: 'mcp__a__b' },
    { kind: 'other', name: 'mcp__*' },
    { kind: 'switch_mode' },
    { kind: 'execute' },
  ];
  expect(await Promise.all(calls.map((call) => proposal(cwd, call)))).toEqual([
    ...[
      'Edit(src/**)',
      'Edit(src/deep/**)',
      'Edit(./new.txt)',
      'Edit(app/[id]/**)',
      undefined,
      undefined,
      undefined,
      undefined,
    ],
    ...[
      'Edit(src/**)',
      undefined,
      'Read(src/**)',
      undefined,
      'WebFetch(domain:example.com)',
      undefined,
      'mcp__a__b',
      undefined,
      undefined,
      undefined,
    ],
  ]);
});
