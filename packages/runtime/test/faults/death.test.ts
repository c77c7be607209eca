import { describe, expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';
import { codeOf, lines, linesOfHistory, project, type Fixture, fixture, until } from './faulty.ts';

/** The frames of a rich turn and the entry each begins, if it begins one. The answer is the last. */
const frames = [
  'thought: Hm.',
  'agent: I look.',
  'plan',
  'tool read',
  'a read of a file',
  'the end of the read',
  'tool edit',
  'a permission request',
  'a write of a file',
  'the end of the edit',
  'tool run',
  'a new terminal',
  'the terminal in the call',
  'a kill',
  'a release',
  'the end of the run',
  'agent:  Done.',
  'the answer',
];
const begins = /^(thought|agent|plan|tool)\b/;

interface Aftermath {
  readonly code: unknown;
  readonly shown: readonly string[];
  readonly ending: string | undefined;
  readonly openCalls: number;
  readonly again: unknown;
  readonly isKept: boolean;
  readonly left: readonly string[];
  readonly resumed: readonly string[];
}

/** What a user is left with when the agent ends after so many frames, and what the next prompt makes of it. */
async function aftermath(sent: number, way: string): Promise<Aftermath> {
  const own: Fixture = fixture({ cwd: await project(), launch: { timeouts: { exit: 200 } } });
  const { conversation } = own;
  await conversation.opened;
  const code = await codeOf(conversation.prompt(`rich ${sent} ${way}`));
  await until(conversation, () => conversation.state.name === 'dead');
  const { transcript } = conversation;
  const entries = [...transcript.entries];
  const last = entries.at(-1);
  const again = await conversation.prompt('say again');
  const resumed = lines(conversation.transcript).slice(entries.length);
  const history = lines(conversation.transcript);
  await own.close();
  return {
    code,
    shown: lines(transcript)
      .map((each) => each.replace(/^(tool \w+).*/, '$1'))
      .slice(1, -1),
    ending: last?.type === 'turn-end' ? (last.error?.split('\n', 1)[0] ?? last.stopReason) : undefined,
    openCalls: entries.filter((each) => each.type === 'tool-call' && /pending|progress/.test(each.state)).length,
    again,
    isKept: JSON.stringify(linesOfHistory(own.events)) === JSON.stringify(history),
    left: own.processes(),
    resumed,
  };
}

const endings: Record<string, unknown> = {
  exit: expect.stringMatching(/^The agent .* exited with code 9\. It printed nothing on stderr\.$/),
  kill: expect.stringMatching(/^The agent .* was ended by SIGKILL\. It printed nothing on stderr\.$/),
};

test.each(Object.keys(endings))(
  'an agent that dies in a turn (%s) leaves a typed error, its output and no process, and the next prompt works',
  async (way) => {
    const all = Array.from({ length: frames.length + 1 }, (_, sent) => sent);
    // What a process has written before it is killed arrives as if it had exited: some points are enough.
    const points = way === 'exit' ? all : all.filter((sent) => sent % 3 === 0);
    const seen = await inTurns(points, (sent) => aftermath(sent, way));
    expect(seen).toEqual(
      points.map((sent) => ({
        code: sent === frames.length ? 'no error' : 'connection-closed',
        shown: frames.slice(0, sent).filter((frame) => begins.test(frame)),
        ending: sent === frames.length ? 'end_turn' : endings[way],
        openCalls: 0,
        again: { stopReason: 'end_turn' },
        isKept: true,
        left: [],
        resumed: ['--- restarted', 'user: say again', 'agent: again', '(end_turn)'],
      })),
    );
  },
);

describe('an agent that ends', () => {
  test.each(['initialize', 'session/new'])(
    'an agent that ends during %s is dead, and the next prompt starts it again',
    async (method) => {
      const own = fixture({ cwd: await project(), faults: [`die=${method}`] });
      const { conversation } = own;
      const failed = { code: await codeOf(conversation.opened), state: conversation.state.name };
      const again = await codeOf(conversation.prompt('say hello'));
      await own.close();
      expect({ failed, again, left: own.processes(), shown: lines(conversation.transcript) }).toEqual({
        failed: { code: 'connection-closed', state: 'dead' },
        again: 'connection-closed',
        left: [],
        shown: ['user: say hello', '(failed)'],
      });
    },
  );

  test('an agent that ends in the middle of a frame loses only that frame', async () => {
    const own = fixture({ cwd: await project() });
    await own.conversation.prompt('say hello');
    const code = await codeOf(own.conversation.prompt('torn'));
    const next = await own.conversation.prompt('say again');
    expect({ code, next, shown: lines(own.conversation.transcript), cut: own.warnings.get('truncated') }).toEqual({
      code: 'connection-closed',
      next: { stopReason: 'end_turn' },
      shown: [
        'user: say hello',
        'agent: hello',
        '(end_turn)',
        'user: torn',
        '(failed)',
        '--- restarted',
        'user: say again',
        'agent: again',
        '(end_turn)',
      ],
      cut: 1,
    });
  });

  test('the end of an agent is noticed while a child keeps its output open, and the child ends too', async () => {
    const own = fixture({ cwd: await project() });
    const { conversation } = own;
    const code = await codeOf(conversation.prompt('orphan'));
    await conversation.prompt('say again');
    const left = own.processes().filter((each) => each.includes('orphan'));
    expect({ code, left }).toEqual({ code: 'connection-closed', left: [] });
  });

  test('an agent that closes its output but does not exit is ended', async () => {
    const own = fixture({ cwd: await project() });
    const { conversation } = own;
    const code = await codeOf(conversation.prompt('leave'));
    await until(conversation, () => conversation.state.name === 'dead');
    const { state } = conversation;
    await own.close();
    expect({ code, state, left: own.processes() }).toEqual({
      code: 'connection-closed',
      state: { name: 'dead', message: expect.stringContaining('closed its stdout but is still running') },
      left: [],
    });
  });
});

test('an agent that ignores the request to exit is ended with all its processes', async () => {
  const own = fixture({ cwd: await project(), faults: ['stay'] });
  await own.conversation.prompt('say hello');
  const before = own.processes().length;
  await own.close();
  expect({ before, left: own.processes() }).toEqual({ before: 1, left: [] });
});
