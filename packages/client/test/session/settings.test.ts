import type { Session } from '@turnwire/client';
import { pharo, type SessionConfigOption, type SessionModeState, type SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { failure, type Pair, pair, type PairOptions } from '../agent/agent-pair.ts';

const modes: SessionModeState = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const model: SessionConfigOption = {
  id: 'model',
  name: 'Model',
  type: 'select',
  currentValue: 'small',
  options: [
    { group: 'fast', name: 'Fast', options: [{ value: 'small', name: 'Small' }] },
    { group: 'slow', name: 'Slow', options: [{ value: 'large', name: 'Large' }] },
  ],
};
const effort: SessionConfigOption = {
  id: 'effort',
  name: 'Effort',
  category: '_of_our_own',
  type: 'select',
  currentValue: 'low',
  options: [
    { value: 'low', name: 'Low' },
    { value: 'high', name: 'High' },
  ],
};
const web: SessionConfigOption = { id: 'web', name: 'Web', type: 'boolean', currentValue: false };
const all = [model, effort, web];

/** A session of an agent with modes and options, and a way to send it updates. */
async function opened(
  options: PairOptions = {},
): Promise<{ pair: Pair; session: Session; update: (update: SessionUpdate) => Promise<void> }> {
  const connected = await pair({
    ...options,
    handlers: {
      'session/new': () => ({ sessionId: 'one', modes, configOptions: all }),
      'session/set_mode': () => ({}),
      'session/set_config_option': ({ configId, value }) => ({
        configOptions: all.map((option) =>
          option.id === configId ? ({ ...option, currentValue: value } as SessionConfigOption) : option,
        ),
      }),
      ...options.handlers,
    },
  });
  let heard: (() => void) | undefined;
  const session = await connected.agent.newSession({ cwd: '/', onUpdate: () => heard?.() });
  const update = async (sent: SessionUpdate): Promise<void> => {
    const arrived = new Promise<void>((resolve) => (heard = resolve));
    await connected.theirs.notify('session/update', { sessionId: 'one', update: sent });
    await arrived;
  };
  return { pair: connected, session, update };
}

const valuesOf = ({ configOptions }: Session): unknown => configOptions?.list.map(({ currentValue }) => currentValue);

test('a session has the modes of its agent and a current mode', async () => {
  const { pair: connected, session, update } = await opened();
  await using _ = connected;
  const before = session.modes?.current;
  await session.modes?.set('code');
  const set = session.modes?.current;
  await update({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' });
  expect({ available: session.modes?.available, current: [before, set, session.modes?.current] }).toEqual({
    available: modes.availableModes,
    current: ['ask', 'code', 'ask'],
  });
});

test('a mode that is also an option is set through that option', async () => {
  const option: SessionConfigOption = {
    ...{ id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask' },
    options: [
      { value: 'ask', name: 'Ask' },
      { value: 'code', name: 'Code' },
    ],
  };
  const calls: unknown[] = [];
  const { pair: connected, session } = await opened({
    handlers: {
      'session/new': () => ({ sessionId: 'one', modes, configOptions: [option] }),
      'session/set_mode': ({ modeId }) => {
        calls.push(modeId);
        return {};
      },
      'session/set_config_option': ({ configId, value }) => {
        calls.push([configId, value]);
        return { configOptions: [{ ...option, currentValue: 'code' }] };
      },
    },
  });
  await using _ = connected;
  await session.modes?.set('code');
  expect({ calls, mode: session.modes?.current, values: valuesOf(session) }).toEqual({
    calls: [['mode', 'code']],
    mode: 'code',
    values: ['code'],
  });
});

test('an unknown mode is not sent', async () => {
  const { pair: connected, session } = await opened();
  await using _ = connected;
  expect({
    error: await failure(session.modes?.set('plan') ?? Promise.resolve()),
    sent: connected.calls.length,
  }).toEqual({
    error: { code: 'invalid-message', message: 'Nothing was sent: the agent has no mode "plan"; it has: ask, code' },
    sent: 1,
  });
});

test('a mode that the agent refuses does not become current', async () => {
  const { pair: connected, session } = await opened({
    handlers: {
      'session/set_mode': () => {
        throw new Error('not now');
      },
    },
  });
  await using _ = connected;
  const { code } = await failure(session.modes?.set('code') ?? Promise.resolve());
  expect([code, session.modes?.current]).toEqual([-32603, 'ask']);
});

test('a mode can be set during a turn', async () => {
  let finish: (() => void) | undefined;
  const { pair: connected, session } = await opened({
    handlers: {
      'session/prompt': () => new Promise((resolve) => (finish = () => resolve({ stopReason: 'end_turn' }))),
    },
  });
  await using _ = connected;
  const turn = session.prompt('go');
  await session.modes?.set('code');
  finish?.();
  expect([(await turn).stopReason, session.modes?.current]).toEqual(['end_turn', 'code']);
});

test("options of every kind are set, and the agent's answer becomes the current state", async () => {
  const { pair: connected, session } = await opened();
  await using _ = connected;
  await session.configOptions?.set('model', 'large');
  const afterModel = valuesOf(session);
  await session.configOptions?.set('web', true);
  expect({ calls: connected.calls.slice(1), values: [afterModel, valuesOf(session)] }).toEqual({
    calls: [
      ['session/set_config_option', { sessionId: 'one', configId: 'model', value: 'large' }],
      ['session/set_config_option', { sessionId: 'one', configId: 'web', type: 'boolean', value: true }],
    ],
    values: [
      ['large', 'low', false],
      ['small', 'low', true],
    ],
  });
});

test('a value or an option that is not offered is not sent', async () => {
  const { pair: connected, session } = await opened();
  await using _ = connected;
  const set = async (id: string, value: string | boolean): Promise<string> =>
    (await failure(session.configOptions?.set(id, value) ?? Promise.resolve())).message;
  expect({
    messages: [
      await set('model', 'huge'),
      await set('web', 'yes'),
      await set('model', true),
      await set('speed', 'high'),
    ],
    sent: connected.calls.length,
  }).toEqual({
    messages: [
      'Nothing was sent: the option "model" has no value "huge"; it has: small, large',
      'Nothing was sent: the option "web" takes true or false, not "yes"',
      'Nothing was sent: the option "model" has no value "true"; it has: small, large',
      'Nothing was sent: the agent has no option "speed"; it has: model, effort, web',
    ],
    sent: 1,
  });
});

test('an update replaces all options, without options of unknown kinds', async () => {
  const { pair: connected, session, update } = await opened();
  await using _ = connected;
  const slider = { id: 'heat', name: 'Heat', type: 'slider', currentValue: 3 } as unknown as SessionConfigOption;
  await update({ sessionUpdate: 'config_option_update', configOptions: [effort, slider] });
  expect(session.configOptions?.list).toEqual([effort]);
});

test('options that an agent offers later become available', async () => {
  const {
    pair: connected,
    session,
    update,
  } = await opened({
    handlers: { 'session/new': () => ({ sessionId: 'one', modes: null, configOptions: null }) },
  });
  await using _ = connected;
  const before = [session.modes, session.configOptions];
  await update({ sessionUpdate: 'config_option_update', configOptions: [web] });
  expect([...before, session.configOptions?.list]).toEqual([undefined, undefined, [web]]);
});

test('an agent that sets an option without returning the new state is understood', async () => {
  const nothing = {} as { configOptions: [] };
  for (const [peer, answer] of [[{}, { configOptions: [] }] as const, [{ dialect: pharo }, nothing] as const]) {
    const handlers = { 'session/set_config_option': () => answer };
    const { pair: connected, session } = await opened({ peer, handlers });
    await using _ = connected;
    await session.configOptions?.set('model', 'large');
    expect(valuesOf(session)).toEqual(['large', 'low', false]);
  }
});

test("commands, title and usage have the agent's last values", async () => {
  const { pair: connected, session, update } = await opened();
  await using _ = connected;
  const seen: unknown[] = [];
  const look = (): unknown => seen.push([session.commands, session.info, session.usage]);
  look();
  const web = { name: 'web', description: 'Search', input: { hint: 'words' } };
  const usage = { used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } };
  await update({ sessionUpdate: 'available_commands_update', availableCommands: [web] });
  await update({ sessionUpdate: 'session_info_update', title: 'A title', updatedAt: '2026-01-01T00:00:00Z' });
  await update({ sessionUpdate: 'usage_update', ...usage });
  look();
  await update({ sessionUpdate: 'session_info_update', title: null });
  await update({ sessionUpdate: 'available_commands_update', availableCommands: [] });
  look();
  const told = { sessionUpdate: 'usage_update', ...usage };
  expect(seen).toEqual([
    [[], {}, undefined],
    [[web], { title: 'A title', updatedAt: '2026-01-01T00:00:00Z' }, told],
    [[], { updatedAt: '2026-01-01T00:00:00Z' }, told],
  ]);
});

test('unknown updates are harmless', async () => {
  const { pair: connected, session, update } = await opened();
  await using _ = connected;
  await update({ sessionUpdate: 'x_future', text: 'hm' } as unknown as SessionUpdate);
  await update({ sessionUpdate: 'notice', severity: 'info', title: 'Hm' });
  await update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
  expect(session.modes?.current).toBe('code');
});
