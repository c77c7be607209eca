import type { RequestPermissionRequest } from '@turnwire/protocol';
import { afterEach, expect, test } from 'vitest';
import { modeOf } from '../src/modes/modes.ts';
import { admit } from '../src/permission/admit.ts';
import type { CoderTurn } from '../src/session/session-memory.ts';
import { switchModeTool } from '../src/tools/switch-mode.ts';
import type { ToolContext } from '../src/tools/tool.ts';
import { chooses, PermissionFixture } from './permission-fixture.ts';
import type { FixtureRules } from './permission-fixture.ts';

let fixture: PermissionFixture;

afterEach(() => fixture[Symbol.asyncDispose]());

async function open(mode: string, rules?: FixtureRules): Promise<void> {
  fixture = await PermissionFixture.open(rules);
  await fixture.setMode(mode);
}

/** The result of a call of switch-mode, and the mode afterwards. */
async function switches(input: object): Promise<readonly [string, string]> {
  const result = await fixture.inTurn(async (turn) => {
    try {
      return await called(turn, input);
    } catch (error) {
      return String(error);
    }
  });
  return [fixture.tidy(result), await fixture.inTurn(async (turn) => modeOf(turn.session))];
}

async function called(turn: CoderTurn, input: object): Promise<string> {
  const prepared = await switchModeTool.prepare(input, { turn } as unknown as ToolContext);
  const { title, preview } = prepared;
  const report = turn.tool({ title, kind: switchModeTool.kind, ...(preview && { content: preview }) });
  const admission = await admit(turn, { tool: switchModeTool, prepared, report });
  if (admission.outcome !== 'allowed') return admission.outcome === 'refused' ? admission.reason : admission.outcome;
  return (await prepared.run(report)).text;
}

const plan = '1. Change a.ts\n2. Run the tests';

test.each([
  ['code', 'The user agrees to the plan. The session is in mode code now: carry it out.', 'code'],
  ['ask', 'The session is in mode ask now: the user is asked before each change and each command.', 'ask'],
  [
    'stay',
    'The user does not agree to the plan; the session stays in mode architect. Ask what is missing, or work out a better one.',
    'architect',
  ],
  [
    'whatever',
    'The user does not agree to the plan; the session stays in mode architect. Ask what is missing, or work out a better one.',
    'architect',
  ],
])('the user who answers a plan with %j decides on the mode', async (answer, result, mode) => {
  await open('architect');
  fixture.user = chooses(answer);
  expect(await switches({ mode: 'code', plan })).toEqual([result, mode]);
});

test('the user is shown the plan and the meaning of each answer', async () => {
  await open('architect');
  const requests: RequestPermissionRequest[] = [];
  fixture.user = (request) => {
    requests.push(request);
    return chooses('stay')(request);
  };
  await switches({ mode: 'ask', plan });
  expect(
    requests.map(({ options, toolCall: { title, kind, status, content } }) => ({
      title,
      kind,
      status,
      content,
      options,
    })),
  ).toEqual([
    {
      title: 'Carry out this plan?',
      kind: 'switch_mode',
      status: 'pending',
      content: [{ type: 'content', content: { type: 'text', text: plan } }],
      options: [
        { optionId: 'code', name: 'Yes, and do not ask about each step (mode Code)', kind: 'allow_always' },
        { optionId: 'ask', name: 'Yes, and ask before each change (mode Ask)', kind: 'allow_once' },
        {
          ...{ optionId: 'stay', name: 'No, stay in mode Architect', kind: 'reject_once' },
          _meta: { turnwire: { allowFeedback: true } },
        },
      ],
    },
  ]);
});

test('a dismissed plan ends the turn and changes nothing', async () => {
  await open('architect');
  fixture.user = () => ({ outcome: { outcome: 'cancelled' } });
  expect(await switches({ mode: 'code', plan })).toEqual(['dismissed', 'architect']);
});

test('a rule can forbid the tool but never answers for the user', async () => {
  await open('architect', { user: { allow: ['switch_mode', 'switch-mode', '*'] } });
  fixture.user = chooses('stay');
  const [, mode] = await switches({ mode: 'code', plan });
  await fixture.write('user', { deny: ['switch-mode'] });
  expect([mode, fixture.asked.length, await switches({ mode: 'code', plan }), fixture.asked.length]).toEqual([
    'architect',
    1,
    ['Refused, denied by the rule switch-mode in /config/turnwire/permissions.json; nothing was done.', 'architect'],
    1,
  ]);
});

test.each([
  [
    'ask',
    { mode: 'code', plan },
    'ToolError: Only the user can switch to mode code. Continue in this mode: the user is asked before each change.',
    'ask',
  ],
  [
    'architect',
    { mode: 'ask' },
    'ToolError: To leave mode architect, pass the plan: the user approves or rejects it.',
    'architect',
  ],
  [
    'architect',
    { mode: 'ask', plan: ' \n' },
    'ToolError: To leave mode architect, pass the plan: the user approves or rejects it.',
    'architect',
  ],
  ['architect', { mode: 'architect' }, 'ToolError: The session is in mode architect already.', 'architect'],
  [
    'ask',
    { mode: 'architect' },
    'The session is in mode architect now: read and plan, change nothing. Call switch-mode with the plan when it is complete.',
    'architect',
  ],
  [
    'code',
    { mode: 'ask' },
    'The session is in mode ask now: the user is asked before each change and each command.',
    'ask',
  ],
])('in mode %s, %j asks no question', async (before, input, result, after) => {
  await open(before);
  expect([await switches(input), fixture.asked]).toEqual([[result, after], []]);
});

test('a mode changed during a turn applies from the next call on, and after a load', async () => {
  await open('code');
  const call = { name: 'execute', kind: 'execute', effect: 'changes', facts: { command: 'ls' } } as const;
  const before = await fixture.story(call);
  await fixture.inTurn(() => fixture.setMode('architect'));
  const after = await fixture.story(call);
  await fixture.reload();
  expect([before, after, await fixture.story(call)]).toEqual([
    'allowed.',
    'Refused: in mode architect nothing is changed and no command runs; nothing was done. Go on looking, or call switch-mode with your plan: the user decides.',
    'Refused: in mode architect nothing is changed and no command runs; nothing was done. Go on looking, or call switch-mode with your plan: the user decides.',
  ]);
});

test('the client is notified of the mode, as a mode and as an option', async () => {
  await open('architect');
  fixture.user = chooses('code');
  await switches({ mode: 'code', plan });
  const heard = fixture.updates.flatMap((update) => {
    if (update.sessionUpdate === 'current_mode_update') return [update.currentModeId];
    return update.sessionUpdate === 'config_option_update'
      ? update.configOptions.map(({ currentValue }) => currentValue)
      : [];
  });
  expect(heard).toEqual(['architect', 'architect', 'code', 'code']);
});
