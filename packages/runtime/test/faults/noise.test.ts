import { describe, expect, test } from 'vitest';
import { lines, project, fixture } from './faulty.ts';

const whole = [
  'user: rich',
  'thought: Hm.',
  'agent: I look.',
  'plan',
  'tool read: completed',
  'tool edit: completed',
  'tool run: failed',
  'agent:  Done.',
  '(end_turn)',
];

describe('an agent that writes more than the protocol to stdout', () => {
  test.each([
    ['lines of logs around each frame', 'lines'],
    ['control sequences around each frame', 'ansi'],
    ['carriage returns', 'crlf'],
    ['blanks around frames', 'spaces'],
    ['a byte order mark before each frame', 'bom'],
    ['bytes that are no text', 'bytes'],
  ])('is understood: %s', async (_, kind) => {
    const own = fixture({ cwd: await project(), faults: [`noise=${kind}`] });
    const result = await own.conversation.prompt('rich');
    expect({ result, shown: lines(own.conversation.transcript) }).toEqual({
      result: { stopReason: 'end_turn' },
      shown: whole,
    });
  });

  test('noise on stdout costs only the frames that it breaks, and each loss is reported', async () => {
    const own = fixture({ cwd: await project() });
    await own.conversation.opened;
    const before = new Map(own.warnings);
    await own.conversation.prompt('pretty');
    await own.conversation.prompt(
      'raw DEBUG {"jsonrpc":"2.0","method":"session/update"}\\n{"jsonrpc":"2.0"\\n,"method":"x"}\\n{"jsonrpc":"2.0"}{"jsonrpc":"2.0"}',
    );
    await own.conversation.prompt('say hello');
    expect({ before, shown: lines(own.conversation.transcript), warnings: Object.fromEntries(own.warnings) }).toEqual({
      before: new Map(),
      shown: [
        'user: pretty',
        '(end_turn)',
        expect.stringMatching(/^user: raw/),
        '(end_turn)',
        'user: say hello',
        'agent: hello',
        '(end_turn)',
      ],
      warnings: { noise: expect.any(Number), 'a frame was dropped': expect.any(Number) },
    });
  });
});
