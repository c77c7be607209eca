import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentDefinition, serveAgent, type Turn } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { memoryPair } from '@turnwire/transports/memory';
import type { PermissionOption, RequestPermissionRequest } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { HireableAgents } from '../src/index.ts';
import { LoopFixture, type LoopFixtureSetup } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

/** An agent `helper` that can be hired, and its prompts. */
function market(
  prompt: NonNullable<AgentDefinition['prompt']>,
  { asking }: { readonly asking?: 'nothing' } = {},
): HireableAgents & { readonly prompts: string[]; readonly ended: () => number } {
  const prompts: string[] = [];
  let ended = 0;
  return {
    prompts,
    ended: () => ended,
    list: async () => [{ name: 'helper', title: 'A helper' }],
    start: async (name, { permission, signal }) => {
      const [near, far] = memoryPair();
      const definition: AgentDefinition = {
        info: { name, version: '1' },
        prompt: (turn) => {
          prompts.push(turn.text);
          return prompt(turn);
        },
      };
      const served = serveAgent(definition, { transport: far, log: () => undefined });
      void served.closed.then(() => ended++);
      const agent = await attachAgent(near, { permission, signal });
      return { agent, ...(asking && { asking: { by: asking } }) };
    },
  };
}

/** Writes a file as an agent with its own files does: it asks, and then reports the result. */
async function write(turn: Turn, path: string, options?: readonly PermissionOption[]): Promise<string> {
  const file = join(turn.session.cwd, path);
  const content = [{ type: 'diff', path: file, oldText: null, newText: 'new\n' }] as const;
  const call = turn.tool({ title: `Write ${path}`, kind: 'edit', locations: [{ path: file }], content });
  const { outcome, feedback } = await turn.askPermission(call, options);
  if (outcome === 'allowed') {
    await writeFile(file, 'new\n');
    await call.complete();
    return `I wrote ${path}.`;
  }
  await call.fail('not allowed');
  return `I could not write ${path}: ${feedback ?? outcome}`;
}

const readsReasons: readonly PermissionOption[] = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once', _meta: { turnwire: { allowFeedback: true } } },
];

const hire = (task: string): ReturnType<typeof calls> => calls('delegate', { title: 'Make it', task, agent: 'helper' });

function open(
  setup: Omit<LoopFixtureSetup, 'model'>,
  agents: HireableAgents,
  ...answers: ConstructorParameters<typeof ScriptedModel>
): Promise<LoopFixture> {
  const model = new ScriptedModel([hire('Make a.txt'), finishes('tool-calls')], ...answers);
  return LoopFixture.open({ ...setup, model, options: { ...setup.options, agents } });
}

function lastResult({ conversation }: LoopFixture): unknown {
  const last = conversation.findLast(({ role }) => role === 'tool');
  const [part] = last?.role === 'tool' ? last.content : [];
  return part && 'output' in part ? part.output : undefined;
}

test('a hired agent does a task in a child session, whose questions name it, and reports to the model', async () => {
  const agents = market(async (turn) => {
    await turn.say('I begin. ');
    const text = await write(turn, 'a.txt');
    await turn.say(text);
  });
  await using fixture = await open({ capabilities: { subagents: {} } }, agents, [...says('It is there.'), finishes()]);
  const asked: RequestPermissionRequest[] = [];
  fixture.decide = (request) => {
    asked.push(request);
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  await fixture.prompt('go');
  const child = fixture.updates.find((update) => update.sessionUpdate === 'subagent_update');
  expect({
    prompts: agents.prompts,
    result: lastResult(fixture),
    written: await readFile(join(fixture.cwd, 'a.txt'), 'utf8'),
    child: child?.sessionUpdate === 'subagent_update' ? [child.title, child._meta] : undefined,
    asked: asked.map(({ sessionId, toolCall, options }) => [
      sessionId === (child as { sessionId?: string }).sessionId,
      toolCall.title,
      options.map(({ name }) => name),
    ]),
    ended: agents.ended(),
    violations: fixture.violations,
  }).toEqual({
    prompts: ['Make a.txt'],
    result: { type: 'text', value: 'I wrote a.txt.' },
    written: 'new\n',
    child: ['Make it', { turnwire: { child: 'helper' } }],
    asked: [[true, 'Write a.txt', ['Allow once', 'Always allow Edit(./a.txt) in this session', 'Reject']]],
    ended: 1,
    violations: [],
  });
});

test('/undo takes back what a hired agent changed, also without asking', async () => {
  const agents = market((turn) => writeFile(join(turn.session.cwd, 'a.txt'), 'new\n'), { asking: 'nothing' });
  await using fixture = await open({}, agents, [...says('It is there.'), finishes()]);
  await fixture.set('mode', 'code');
  await fixture.prompt('go');
  const written = await readFile(join(fixture.cwd, 'a.txt'), 'utf8');
  await fixture.prompt('/undo');
  expect([written, await readFile(join(fixture.cwd, 'a.txt'), 'utf8').catch(() => 'gone')]).toEqual(['new\n', 'gone']);
});

test('a client without child sessions sees the work of a hired agent below the call that hired it', async () => {
  const agents = market(async (turn) => {
    await write(turn, 'a.txt');
    await turn.say('done');
  });
  await using fixture = await open({}, agents, [...says('ok'), finishes()]);
  await fixture.prompt('go');
  const announced = fixture.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call' ? [[update.title, update._meta, update.rawInput]] : [],
  );
  expect([announced.at(-1), lastResult(fixture), fixture.said]).toEqual([
    ['Write a.txt', { claudeCode: { parentToolUseId: expect.any(String) } }, undefined],
    { type: 'text', value: 'done' },
    'ok',
  ]);
});

test.each([
  ['in its answer', readsReasons, ['Make a.txt']],
  ['as another prompt', undefined, ['Make a.txt', 'The call “Write a.txt” was rejected: Write below docs.']],
])(
  'the write of a hired agent is refused with a reason, which it gets %s, and which the model repeats',
  async (_, options, prompts) => {
    const reports: string[] = [];
    const agents = market(async (turn) => {
      const repeated = /rejected: (.*)/.exec(turn.text)?.[1];
      const report = repeated === undefined ? await write(turn, 'a.txt', options) : `I was told: ${repeated}`;
      reports.push(report);
      await turn.say(report);
    });
    // The model repeats what the tool's result says.
    async function* repeats(): AsyncGenerator<ReturnType<typeof says>[number]> {
      const { value } = lastResult(fixture) as { readonly value: string };
      yield* [...says(`The helper says: ${value}`), finishes()];
    }
    await using fixture = await open({}, agents, repeats());
    fixture.decide = () => ({
      outcome: { outcome: 'selected', optionId: 'reject_once', _meta: { turnwire: { feedback: 'Write below docs.' } } },
    });
    await fixture.prompt('go');
    await expect(readFile(join(fixture.cwd, 'a.txt'))).rejects.toThrow('ENOENT');
    expect([agents.prompts, fixture.said]).toEqual([prompts, expect.stringContaining('Write below docs.')]);
  },
);

test('rules and modes of the session hold for a hired agent without a question', async () => {
  const said: string[] = [];
  const agents = market(async (turn) => {
    for (const path of ['a.txt', 'secret.txt']) said.push(await write(turn, path, readsReasons));
    await turn.say('done');
  });
  const questions: unknown[] = [];
  for (const mode of ['code', 'architect']) {
    await using fixture = await open({}, agents, [...says('ok'), finishes()]);
    fixture.decide = ({ toolCall }) => {
      questions.push(toolCall.title);
      return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    };
    await mkdir(join(fixture.cwd, '.turnwire'));
    const deny = [{ rule: 'Edit(secret.txt)', child: 'helper', message: 'Ask me first.' }];
    await writeFile(join(fixture.cwd, '.turnwire/permissions.json'), JSON.stringify({ deny }));
    await fixture.set('mode', mode);
    await fixture.prompt('go');
  }
  const refused = expect.stringMatching(/^I could not write \w+\.txt: Refused: in mode architect/) as unknown;
  expect([said, questions]).toEqual([
    [
      'I wrote a.txt.',
      expect.stringMatching(/^I could not write secret\.txt: denied by .*: Ask me first\.$/),
      refused,
      refused,
    ],
    [],
  ]);
});

test('a hired agent that does without asking what a rule denies is stopped', async () => {
  const agents = market(async (turn) => {
    const call = turn.tool({ title: 'Remove it', kind: 'execute', rawInput: { command: 'rm a' } });
    await call.complete();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
  });
  await using fixture = await open({}, agents, [...says('ok'), finishes()]);
  await mkdir(join(fixture.cwd, '.turnwire'));
  await writeFile(join(fixture.cwd, '.turnwire/permissions.json'), JSON.stringify({ deny: ['Bash(rm *)'] }));
  await fixture.prompt('go');
  expect(lastResult(fixture)).toEqual({
    type: 'error-text',
    value: expect.stringMatching(
      /^The agent helper did this without asking: Remove it\. It was stopped; denied by the rule Bash\(rm \*\)/,
    ),
  });
});

test('an agent that never asks is not hired where rules or the mode need a question', async () => {
  const agents = market(async (turn) => turn.say('done'), { asking: 'nothing' });
  await using fixture = await open({}, agents, [...says('ok'), finishes()]);
  await fixture.prompt('go');
  const refused = lastResult(fixture);
  expect([refused, agents.prompts]).toEqual([
    { type: 'error-text', value: expect.stringContaining('never asks for permission') },
    [],
  ]);
});

test('a cancel ends the turn of a hired agent and then the agent', async () => {
  let isWorking!: () => void;
  const working = new Promise<void>((resolve) => (isWorking = resolve));
  const agents = market(async (turn) => {
    isWorking();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    return 'cancelled' as const;
  });
  await using fixture = await open({}, agents);
  const answer = fixture.prompt('go');
  await working;
  await fixture.cancel();
  expect([await answer, agents.ended()]).toEqual([{ stopReason: 'cancelled' }, 1]);
});

test('the cost of a hired agent counts for the session and for the limit of the turn', async () => {
  const agents = market(async (turn) => {
    await turn.usage({ used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } });
    await turn.usage({ used: 20, size: 100, cost: { amount: 2, currency: 'USD' } });
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
  });
  await using fixture = await open({ options: { maxCost: 1 }, chosen: { price: { input: 0, output: 0 } } }, agents);
  const { stopReason } = await fixture.prompt('go');
  await fixture.prompt('/usage');
  expect([stopReason, fixture.said]).toEqual(['max_turn_requests', expect.stringMatching(/agent\/helper[\s\S]*2/)]);
});

test.each([
  ['sends nothing', () => Promise.resolve()],
  ['writes only text', (turn: Turn) => turn.say('Still busy. ')],
])('the time limit of the turn ends a hired agent that %s', async (_, work) => {
  const agents = market(async (turn) => {
    while (!turn.signal.aborted) {
      await work(turn);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return 'cancelled' as const;
  });
  await using fixture = await open({ options: { maxMinutes: 0.01 } }, agents);
  const { stopReason } = await fixture.prompt('go');
  expect([stopReason, agents.prompts]).toEqual(['max_turn_requests', ['Make a.txt']]);
  await expect.poll(() => agents.ended()).toBe(1);
});

test('a hired agent that was hired in the last step may finish its task', async () => {
  const reports: string[] = [];
  const agents = market(async (turn) => {
    const report = await write(turn, 'a.txt');
    if (!turn.signal.aborted) reports.push(report);
  });
  await using fixture = await open({ options: { maxSteps: 1 } }, agents);
  const { stopReason } = await fixture.prompt('go');
  const written = await readFile(join(fixture.cwd, 'a.txt'), 'utf8');
  expect([stopReason, written, reports]).toEqual(['max_turn_requests', 'new\n', ['I wrote a.txt.']]);
});

test('of a long text of a hired agent the model reads the end', async () => {
  const agents = market(async (turn) => {
    for (let part = 0; part < 40; part++) await turn.say(`${part}`.padStart(1024, '.'));
  });
  await using fixture = await open({}, agents, [...says('ok'), finishes()]);
  await fixture.prompt('go');
  const { value } = lastResult(fixture) as { readonly value: string };
  expect([value.length, value.slice(0, 1024), value.slice(-1024)]).toEqual([
    16 * 1024,
    '24'.padStart(1024, '.'),
    '39'.padStart(1024, '.'),
  ]);
});

test('an agent that cannot be started is an error that the model reads', async () => {
  const agents: HireableAgents = {
    list: async () => [{ name: 'helper' }],
    start: () => Promise.reject(new Error('The helper needs a login.')),
  };
  await using fixture = await open({}, agents, [...says('ok'), finishes()]);
  await fixture.prompt('go');
  expect(lastResult(fixture)).toEqual({
    type: 'error-text',
    value: 'The agent helper could not do it: The helper needs a login.',
  });
});

test('a rule about subagents applies to a sub-agent by its kind', async () => {
  const write = (path: string): ReturnType<typeof calls> => calls('write', { path, content: 'new' });
  const model = new ScriptedModel(
    [calls('delegate', { title: 'Make it', task: 'Make a.txt' }), finishes('tool-calls')],
    [write('a.txt'), finishes('tool-calls')],
    [...says('I could not.'), finishes()],
    [write('b.txt'), finishes('tool-calls')],
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model });
  await mkdir(join(fixture.cwd, '.turnwire'));
  const deny = [{ rule: 'Write', child: 'delegate' }];
  await writeFile(join(fixture.cwd, '.turnwire/permissions.json'), JSON.stringify({ deny }));
  await fixture.prompt('go');
  const results = model.asked.flatMap(({ prompt }) => {
    const last = prompt.at(-1);
    return last?.role === 'tool' ? last.content.map((part) => ('output' in part ? part.output.type : undefined)) : [];
  });
  expect([results, await readFile(join(fixture.cwd, 'b.txt'), 'utf8')]).toEqual([
    ['execution-denied', 'text', 'text'],
    'new',
  ]);
});
