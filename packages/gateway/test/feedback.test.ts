import { tmpdir } from 'node:os';
import type { AgentDefinition } from '@turnwire/agent';
import { createPermissions, type GivenRule } from '@turnwire/permissions';
import type { Handlers, PermissionOption } from '@turnwire/protocol';
import { memoryStore } from '@turnwire/runtime';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();

/** An agent that asks for a command twice in each turn, and says what it was told. */
function asker(reject: Partial<PermissionOption>): {
  readonly definition: AgentDefinition;
  readonly prompts: string[];
} {
  const prompts: string[] = [];
  const options = [{ optionId: 'no', name: 'No', kind: 'reject_once', ...reject } as const];
  return {
    prompts,
    definition: {
      info: { name: 'asker', version: '1' },
      prompt: async (turn) => {
        prompts.push(turn.text);
        for (const _ of ['once', 'again']) {
          const call = turn.tool({ title: 'Install', kind: 'execute', rawInput: { command: 'npm i' } });
          const { outcome, feedback } = await turn.askPermission(call, options);
          await turn.say(`${outcome}: ${feedback ?? 'no reason'}`);
          await call.fail('rejected');
        }
      },
    },
  };
}

const reasons: Handlers<'client'> = {
  'session/request_permission': ({ options }) => {
    const { optionId, _meta } = options.find(({ kind }) => kind === 'reject_once')!;
    const isOffered = JSON.stringify(_meta) === '{"turnwire":{"allowFeedback":true}}';
    const feedback = isOffered ? 'use pnpm' : 'the option does not take it';
    return { outcome: { outcome: 'selected', optionId, _meta: { turnwire: { feedback } } } };
  },
};

/** What the agent got as prompts, and what a client saw of the messages, after a prompt. */
async function seenAfter(
  { definition, prompts }: ReturnType<typeof asker>,
  { handlers, rules = [] }: { readonly handlers?: Handlers<'client'>; readonly rules?: readonly GivenRule[] },
): Promise<unknown> {
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted },
    rules: (_, { ask }) => createPermissions({ project: cwd, rules, ask }),
    cwd,
  });
  const client = await testClient(gateway, handlers && { handlers });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const { stopReason } = await client.peer.request('session/prompt', { sessionId, prompt: words('go') });
  const texts = client.seen.filter((text) => text.includes(' '));
  return { prompts, texts, stopReason };
}

test('an agent that reads the reason for a rejection in the answer gets it there, and only there', async () => {
  const agent = asker({ _meta: { turnwire: { allowFeedback: true } } });
  expect(await seenAfter(agent, { handlers: reasons })).toEqual({
    prompts: ['go'],
    texts: ['rejected: use pnpm', 'rejected: use pnpm'],
    stopReason: 'end_turn',
  });
});

const followUp = 'The call “Install” was rejected: use pnpm';
const twice = ['rejected: no reason', 'rejected: no reason'];

test('another agent gets the reason once as a prompt, which is part of the turn', async () => {
  expect(await seenAfter(asker({}), { handlers: reasons })).toEqual({
    prompts: ['go', followUp],
    texts: [...twice, `> ${followUp}`, ...twice],
    stopReason: 'end_turn',
  });
});

test('the message of a rule that denies reaches both kinds of agents without a question', async () => {
  const rules = [{ effect: 'deny', text: 'Bash(npm *)', message: 'use pnpm' }] as const;
  const seen = [
    await seenAfter(asker({ _meta: { turnwire: { allowFeedback: true } } }), { rules }),
    await seenAfter(asker({}), { rules }),
  ];
  expect(seen).toEqual([
    { prompts: ['go'], texts: ['rejected: use pnpm', 'rejected: use pnpm'], stopReason: 'end_turn' },
    { prompts: ['go', followUp], texts: [...twice, `> ${followUp}`, ...twice], stopReason: 'end_turn' },
  ]);
});
