import { readFile } from 'node:fs/promises';
import { invalidParams } from '@turnwire/protocol';
import type { SessionConfigOption } from '@turnwire/protocol';
import { afterEach, expect, test } from 'vitest';
import { runSlashCommand } from '../src/commands/run-slash-command.ts';
import { availableCommands } from '../src/commands/slash-commands.ts';
import type { ModelCatalog } from '../src/model/model-catalog.ts';
import { PermissionFixture } from './permission-fixture.ts';
import type { FixtureRules } from './permission-fixture.ts';

let fixture: PermissionFixture;

afterEach(() => fixture[Symbol.asyncDispose]());

async function open(rules?: FixtureRules): Promise<PermissionFixture> {
  fixture = await PermissionFixture.open(rules);
  return fixture;
}

/** The answer to the user, or the prompt to the model. */
async function write(text: string): Promise<unknown> {
  const before = fixture.said.length;
  const outcome = await fixture.inTurn((turn) => runSlashCommand(turn), text);
  const said = fixture.said.slice(before).join('\n---\n');
  return outcome !== undefined && 'stopReason' in outcome && outcome.stopReason === 'end_turn' ? said : outcome;
}

test.each(['/nothing of ours', '/', '/ help', 'help', '/helpful', 'a /help', '/home/me/a.ts is broken'])(
  '%j is for the model',
  async (text) => {
    await open();
    expect(await write(text)).toBeUndefined();
  },
);

test('every command is offered with its argument hint, and /help lists the same commands', async () => {
  await open();
  const offered = await fixture.inTurn((turn) => Promise.resolve(availableCommands(turn.session)));
  const lines = offered.map(
    ({ name, description, input }) => `- \`/${name}${input ? ` ${input.hint}` : ''}\`: ${description}`,
  );
  expect([offered.map(({ name }) => name), await write('/help')]).toEqual([
    ['help', 'model', 'mode', 'plan', 'undo', 'compact', 'usage', 'permissions', 'mcp', 'init'],
    `${lines.join('\n')}\n\nEvery other prompt goes to the model.`,
  ]);
});

const listing = `- \`ask\` (now): Asks before each change, each command and any access outside the workspace
- \`code\`: Uses every tool without asking; rules that ask or deny still apply
- \`architect\`: Reads and plans: changes nothing and runs no command until you agree to the plan

\`/mode NAME\` switches to one of them.`;

test('/mode lists the modes and switches to one', async () => {
  await open();
  expect([
    await write('/mode'),
    await write('/mode fast'),
    await write('  /mode  Code '),
    await write('/mode'),
  ]).toEqual([
    listing,
    `There is no mode "fast".\n\n${listing}`,
    'The mode is now **Code**. Uses every tool without asking; rules that ask or deny still apply.',
    listing.replace('`ask` (now)', '`ask`').replace('`code`', '`code` (now)'),
  ]);
});

test('/plan switches to architect mode and passes its argument to the model', async () => {
  await open();
  const mode = async (): Promise<unknown> => fixture.inTurn((turn) => Promise.resolve(turn.session.modeId));
  const outcome = await write('/plan the way out\nin two lines');
  const after = await mode();
  await fixture.setMode('ask');
  expect([outcome, after, await write('/plan'), await mode()]).toEqual([
    { prompt: [{ type: 'text', text: 'the way out\nin two lines' }] },
    'architect',
    'The mode is now **Architect**: I read and plan, and change nothing. What should I plan?',
    'architect',
  ]);
});

test('/init asks the model to write AGENTS.md', async () => {
  await open();
  const text = async (written: string): Promise<readonly string[]> => {
    const { prompt = [] } = (await write(written)) as { readonly prompt?: readonly { readonly text: string }[] };
    return prompt.flatMap((block) => block.text.split('\n\n').filter((part) => /AGENTS\.md at|Pay/.test(part)));
  };
  const task =
    'Write AGENTS.md at the top of the working directory: what a newcomer to this project has to know and cannot see at a glance.';
  expect([await text('/init'), await text('/init the build')]).toEqual([
    [task],
    [task, 'Pay attention to this: the build'],
  ]);
});

test('/model reports that there is nothing to choose from', async () => {
  await open();
  expect([await write('/model'), await write('/model openai/x')]).toEqual([
    'This session has one model, chosen by the program that started it.',
    'There is no model "openai/x".\n\nThis session has one model, chosen by the program that started it.',
  ]);
});

const twoModels: ModelCatalog = {
  options: (): readonly SessionConfigOption[] => [
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: 'offline',
      options: [
        { value: 'offline', name: 'Offline', description: 'No key' },
        { value: 'openai/x', name: 'openai/x' },
      ],
    },
  ],
  refresh: () => Promise.resolve(true),
  offer: (id) => Promise.reject(invalidParams(`There is no ${id}.`)),
  open: () => Promise.reject(new Error('no model answers here')),
};

test('/model lists the models and switches to one by id or name', async () => {
  await open();
  fixture.models = twoModels;
  await fixture.reload();
  const models = '- `offline` (now), Offline: No key\n- `openai/x`\n\n`/model NAME` switches to one of them.';
  expect([
    await write('/model'),
    await write('/model openai/x'),
    await write('/model'),
    await write('/model Offline'),
    await write('/model openai/y'),
  ]).toEqual([
    models,
    'The model is now `openai/x`.',
    models.replace('`offline` (now)', '`offline`').replace('`openai/x`', '`openai/x` (now)'),
    'The model is now `offline`.',
    `There is no model "openai/y".\n\n${models}`,
  ]);
});

const rulesShown = async (): Promise<string> =>
  String(await write('/permissions'))
    .split('\n\n')
    .slice(0, -2)
    .join('\n\n');
const inAsk = 'Mode **Ask**. Asks before each change, each command and any access outside the workspace.';

test('/permissions lists each rule with its number and source, and those without effect', async () => {
  await open({ project: { allow: ['Bash(npm test)'], deny: ['Read(.env)'] }, user: { ask: ['Bash(git push *)'] } });
  await write('/permissions allow Edit(src/**)');
  expect(fixture.tidy(await rulesShown())).toBe(`${inAsk}

1. allow \`Edit(src/**)\` (this session)
2. allow \`Bash(npm test)\` (this project, \`/folder/.turnwire/permissions.json\`): came with the project and has no effect until you accept it with \`/permissions accept 2\`
3. deny \`Read(.env)\` (this project, \`/folder/.turnwire/permissions.json\`)
4. ask \`Bash(git push *)\` (all your projects, \`/config/turnwire/permissions.json\`)

**Attention:** /folder/.turnwire/permissions.json: 1 rule that allows something does not count until you accept it: turnwire permissions list shows it, turnwire permissions accept accepts`);
});

test('/permissions adds rules to the requested scope, accepts and removes them', async () => {
  await open({ project: { allow: ['Bash(npm test)'] } });
  const answers = [
    await write('/permissions deny Bash(git push *)'),
    await write('/permissions allow Bash(make) in project'),
    await write('/permissions ask WebFetch in user'),
    await write('/permissions'),
    await write('/permissions accept 2'),
    await write('/permissions accept 1'),
    await write('/permissions remove 1'),
    await write('/permissions remove 1'),
    await write('/permissions remove 4'),
  ];
  expect([
    answers.toSpliced(3, 1).map((answer) => fixture.tidy(String(answer)).split('\n')[0]),
    fixture.tidy(await rulesShown()),
  ]).toEqual([
    [
      'deny `Bash(git push *)` (this session) is in force.',
      'allow `Bash(make)` (this project, `/folder/.turnwire/permissions.json`) is in force.',
      'ask `WebFetch` (all your projects, `/config/turnwire/permissions.json`) is in force.',
      'allow `Bash(npm test)` (this project, `/folder/.turnwire/permissions.json`) is accepted.',
      'deny `Bash(git push *)` (this session) is accepted already.',
      'deny `Bash(git push *)` (this session) is removed.',
      'There is no rule 1 now.',
      'There is no rule 4 now.',
    ],
    `${inAsk}

1. allow \`Bash(npm test)\` (this project, \`/folder/.turnwire/permissions.json\`)
2. allow \`Bash(make)\` (this project, \`/folder/.turnwire/permissions.json\`)
3. ask \`WebFetch\` (all your projects, \`/config/turnwire/permissions.json\`)`,
  ]);
  expect(JSON.parse(await readFile(fixture.files.project, 'utf8'))).toEqual({
    allow: ['Bash(npm test)', 'Bash(make)'],
  });
});

test.each([
  ['/permissions allow', 'Which rule? For example `/permissions allow Bash(npm test)`.'],
  [
    '/permissions deny Bash(',
    'Not added. The permission rule "Bash(" cannot be read: write it like Bash, Bash(git status *) or Edit(src/**)',
  ],
  ['/permissions remove', 'Which rule? `/permissions` shows their numbers: `/permissions remove 1`.'],
  ['/permissions accept all', 'Which rule? `/permissions` shows their numbers: `/permissions accept 1`.'],
  ['/permissions forget `it`', 'There is no `/permissions forget`.'],
])('%j explains the correct usage', async (text, answer) => {
  await open();
  expect(String(await write(text)).split('\n')[0]).toBe(answer);
});

test('a rule is not added to a file that cannot be parsed, and the file stays unchanged', async () => {
  await open({ project: '{ broken' });
  expect([
    fixture.tidy(String(await write('/permissions deny Bash in project'))),
    await readFile(fixture.files.project, 'utf8'),
  ]).toEqual([
    'Not added. The rule was not written: /folder/.turnwire/permissions.json, line 1: this is not JSON (invalid symbol); until it is fixed, all actions are asked about',
    '{ broken',
  ]);
});
