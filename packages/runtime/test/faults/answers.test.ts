import { describe, expect, test } from 'vitest';
import { codeOf, launchFaulty, lines, linesOfHistory, project, fixture, until } from './faulty.ts';

const cwd = process.cwd();

describe('an agent that never answers', () => {
  test('an agent that does not answer initialize fails the start with a timeout and advice', async () => {
    const start = launchFaulty(['mute=initialize'], { timeouts: { initialize: 200, exit: 100 } });
    await expect(start).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('check that it speaks the Agent Client Protocol'),
    });
  });

  test('a request without an answer times out, and the connection continues', async () => {
    const agent = await launchFaulty(['mute=session/load,session/close,session/list,session/delete,session/set_mode']);
    const session = await agent.newSession({ cwd });
    const listed = async (): Promise<void> => {
      for await (const _ of agent.listSessions?.() ?? []) continue;
    };
    const codes = {
      load: await codeOf(agent.loadSession!({ sessionId: 'old', cwd })),
      list: await codeOf(listed()),
      delete: await codeOf(agent.deleteSession!('old')),
      mode: await codeOf(session.modes!.set('code')),
    };
    const turn = await session.prompt('say hello');
    expect({ codes, turn, mode: session.modes?.current, close: await codeOf(session.close!()) }).toEqual({
      codes: { load: 'timeout', list: 'timeout', delete: 'timeout', mode: 'timeout' },
      turn: { stopReason: 'end_turn' },
      mode: 'ask',
      close: 'timeout',
    });
  });

  test('a session whose agent does not answer session/new is dead, and closes without delay', async () => {
    const own = fixture({ cwd: await project(), faults: ['mute=session/new'] });
    const code = await codeOf(own.conversation.opened);
    const { state } = own.conversation;
    await own.close();
    expect({ code, state, left: own.processes() }).toEqual({
      code: 'timeout',
      state: { name: 'dead', message: expect.stringMatching(/did not answer session\/new within [\d.]+ s/) },
      left: [],
    });
  });

  test('if a restarted agent does not answer session/load, a new session begins behind a boundary', async () => {
    const own = fixture({ cwd: await project(), faults: ['mute=session/load'] });
    await own.conversation.prompt('say hello');
    await own.conversation.restart();
    await own.conversation.prompt('say again');
    expect(lines(own.conversation.transcript)).toEqual([
      'user: say hello',
      'agent: hello',
      '(end_turn)',
      '--- context-lost',
      'user: say again',
      'agent: again',
      '(end_turn)',
    ]);
  });

  test('a prompt without an answer shows as silent, an ignored cancel as overdue, and the next prompt restarts the agent', async () => {
    const own = fixture({ cwd: await project(), faults: ['mute=session/prompt'], conversation: { silence: 50 } });
    const { conversation } = own;
    const turn = conversation.prompt('say hello');
    await until(
      conversation,
      () => conversation.state.name === 'working' && conversation.state.silentSince !== undefined,
    );
    const cancelled = await codeOf(turn.cancel());
    const overdue = conversation.state;
    const next = conversation.prompt('deaf');
    await until(
      conversation,
      () =>
        lines(conversation.transcript).includes('--- restarted') &&
        conversation.state.name === 'working' &&
        conversation.state.silentSince !== undefined,
    );
    void next.cancel();
    expect({ cancelled, overdue, next: await codeOf(next) }).toEqual({
      cancelled: 'timeout',
      overdue: { name: 'cancelling', since: expect.any(Number), isOverdue: true },
      next: 'timeout',
    });
  });

  test('a cancel without an answer times out, and late updates belong to the session, not to the next turn', async () => {
    const agent = await launchFaulty([]);
    const session = await agent.newSession({ cwd });
    const turn = session.prompt('deaf');
    for await (const _ of turn) break;
    const cancelled = await codeOf(turn.cancel());
    expect({ cancelled, next: await session.prompt('say hello') }).toEqual({
      cancelled: 'timeout',
      next: { stopReason: 'end_turn' },
    });
  });
});

describe('an agent that answers wrongly', () => {
  const all = 'initialize,session/new,session/prompt,session/set_mode,session/close';

  test('a second answer and an answer without a request are ignored', async () => {
    const own = fixture({ cwd: await project(), faults: [`twice=${all}`, 'stray'] });
    const { conversation } = own;
    await conversation.prompt('rich');
    await conversation.setMode('code');
    await conversation.prompt('say hello');
    expect({ shown: lines(conversation.transcript).slice(-4), mode: conversation.transcript.currentModeId }).toEqual({
      shown: ['(end_turn)', 'user: say hello', 'agent: hello', '(end_turn)'],
      mode: 'code',
    });
    expect(own.warnings.get('an answer without a waiting request')).toBeGreaterThan(10);
    expect(linesOfHistory(own.events)).toEqual(lines(conversation.transcript));
  });

  test.each([
    ['initialize', '{}'],
    ['initialize', '"words"'],
    ['initialize', '{"protocolVersion":"one"}'],
    ['session/new', '{}'],
    ['session/new', '{"sessionId":7}'],
    ['session/new', 'null'],
    ['session/prompt', '{"stopReason":7}'],
    ['session/prompt', '[]'],
  ])('to %s with %s is an error of that call', async (method, json) => {
    const own = fixture({ cwd: await project(), faults: [`answer=${method}:${json}`] });
    const code = await codeOf(own.conversation.prompt('say hello'));
    await own.close();
    expect({ code, left: own.processes() }).toEqual({ code: 'invalid-response', left: [] });
  });

  test.each(['initialize', 'session/new', 'session/prompt'])(
    'an answer to %s with neither result nor error fails that call',
    async (method) => {
      const own = fixture({ cwd: await project(), faults: [`hollow=${method}`] });
      expect(await codeOf(own.conversation.prompt('say hello'))).toBe('invalid-response');
    },
  );

  test.each([
    ['{"code":-32603,"message":"no"}', -32603],
    ['{"code":"ENOENT","message":{"deep":true}}', expect.any(Number)],
    ['"just words"', expect.any(Number)],
    ['[]', expect.any(Number)],
  ])('with the error %s is an error of the turn', async (json, code) => {
    const own = fixture({ cwd: await project(), faults: [`error=session/prompt:${json}`] });
    expect(await codeOf(own.conversation.prompt('say hello'))).toEqual(code);
    expect(lines(own.conversation.transcript)).toEqual(['user: say hello', 'agent: hello', '(failed)']);
  });

  test('an agent with another protocol version is refused', async () => {
    expect(await codeOf(launchFaulty(['answer=initialize:{"protocolVersion":99}']))).toBe('version-mismatch');
  });

  test('a new session with the id of an open one is refused, and the open one continues', async () => {
    const agent = await launchFaulty(['same-id']);
    const heard: string[] = [];
    const onUpdate = (update: { sessionUpdate: string }): void => void heard.push(update.sessionUpdate);
    const session = await agent.newSession({ cwd, onUpdate });
    const second = await codeOf(agent.newSession({ cwd }));
    const turn = await session.prompt('say hello');
    expect({ second, turn, heard }).toEqual({
      second: 'invalid-response',
      turn: { stopReason: 'end_turn' },
      heard: ['agent_message_chunk'],
    });
  });
});

describe('an agent that speaks out of turn', () => {
  test('updates of unknown sessions are ignored', async () => {
    const own = fixture({ cwd: await project() });
    await own.conversation.prompt('elsewhere');
    expect(lines(own.conversation.transcript)).toEqual(['user: elsewhere', 'agent: for you', '(end_turn)']);
  });

  test('updates and permission requests after the answer to the prompt still reach the session', async () => {
    const own = fixture({ cwd: await project() });
    const { conversation } = own;
    await conversation.prompt('late');
    await until(conversation, () => lines(conversation.transcript).some((each) => each.includes('selected')));
    expect(lines(conversation.transcript)).toEqual([
      'user: late',
      '(end_turn)',
      'agent: too late',
      'tool late: pending',
      'agent: {"outcome":{"outcome":"selected","optionId":"yes"}}',
    ]);
  });
});
