import { emptyTranscript, reduce } from '@turnwire/client/transcript';
import type { SessionUpdate } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { diffRows } from '../../src/terminal/diff-rows.ts';
import { outputLines } from '../../src/interactive/entries/output-lines.ts';
import { planPanel } from '../../src/interactive/entries/plan-lines.ts';
import { entryLines } from '../../src/interactive/entries/entry-lines.ts';
import { Scrollback } from '../../src/interactive/scrollback.ts';
import { plain } from '../../src/terminal/paint.ts';

const look = {
  width: 60,
  paint: plain,
  isExpanded: false,
  showsThoughts: false,
  terminals: new Map<string, never>(),
  now: 0,
};

describe('diffs in a chat', () => {
  test('a diff has line numbers, and a gap between distant changes', () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const after = before.with(1, 'LINE 2').toSpliced(25, 1);
    const rows = diffRows(
      { path: '/a.txt', oldText: `${before.join('\n')}\n`, newText: `${after.join('\n')}\n` },
      look,
    );
    expect(rows).toEqual([
      '/a.txt (+1 −2)',
      ' 1   line 1',
      ' 2 - line 2',
      ' 2 + LINE 2',
      ' 3   line 3',
      ' 4   line 4',
      ' 5   line 5',
      '   ⋯',
      '23   line 23',
      '24   line 24',
      '25   line 25',
      '26 - line 26',
      '26   line 27',
      '27   line 28',
      '28   line 29',
    ]);
  });

  test('the diff of a new file has only added lines, and long lines wrap', () => {
    expect(diffRows({ path: 'b', newText: 'x'.repeat(12) }, { width: 12, paint: plain })).toEqual([
      'b new file (+1 −0)',
      '1 + xxxxxxxx',
      '    xxxx',
    ]);
  });

  test('a diff with more lines than a call can have parameters is shown completely', () => {
    const rows = diffRows({ path: 'd', newText: 'x\n'.repeat(150_000) }, look);
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([150_001, 'd new file (+150000 −0)', '150000 + x']);
  });

  test('a diff escapes control sequences', () => {
    expect(diffRows({ path: 'c', oldText: '', newText: '\u001b[2Ja' }, look)).toEqual(['c (+1 −0)', '1 + \\x1b[2Ja']);
  });
});

describe('the output of a command in a chat', () => {
  test('an output shows its last lines and the number of hidden lines', () => {
    const output = Array.from({ length: 5 }, (_, index) => `line ${index + 1}\n`).join('');
    expect(outputLines(output, 2, look)).toEqual(['  … 3 earlier lines', '  │ line 4', '  │ line 5']);
    expect(outputLines(output, 2, { ...look, isExpanded: true })).toHaveLength(5);
  });

  test('an output shows the final state of a progress bar', () => {
    expect(outputLines('10 %\r50 %\r100 %\r\ndone', 3, look)).toEqual(['  │ 100 %', '  │ done']);
  });
});

test('a long plan is shown around its entry in progress', () => {
  const entries = Array.from({ length: 9 }, (_, index) => ({
    content: `step ${index + 1}`,
    priority: 'medium' as const,
    status: index < 4 ? ('completed' as const) : ('pending' as const),
  }));
  expect(planPanel({ type: 'plan', steps: entries }, 4, look)).toEqual([
    'Plan 4/9',
    '[x] step 4',
    '[ ] step 5',
    '[ ] step 6',
  ]);
});

test('the reason of a failed call is shown once: on its line if it fits, otherwise below it', () => {
  const failed = (text: string, isExpanded = false, title = 'Edit a.txt'): readonly string[] => {
    const content = [{ type: 'content' as const, content: { type: 'text' as const, text } }];
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 'a',
      title,
      status: 'failed',
      content,
    } as const;
    const begun = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content: [] });
    const { entries } = reduce(begun, { at: 0, type: 'update', update });
    return [...entries].flatMap((entry) =>
      entry.type === 'tool-call' ? entryLines(entry, { ...look, isExpanded }) : [],
    );
  };
  const long = 'Refused, since a rule forbids all edits of files.';
  expect([
    failed('Refused.'),
    failed(long),
    failed(long, true),
    failed('Refused.\nAsk again.'),
    failed('Refused.', false, 'Refused.'),
    failed('```\ntouch: no permission\n```'),
  ]).toEqual([
    ['✗ Edit a.txt: Refused.'],
    ['✗ Edit a.txt', `  │ ${long}`],
    ['✗ Edit a.txt: Refused, since a rule forbids all edits of', '  files.'],
    ['✗ Edit a.txt', '  │ Refused.', '  │ Ask again.'],
    ['✗ Refused.'],
    ['✗ Edit a.txt: touch: no permission'],
  ]);
});

test('the output of a call wraps at words and keeps leading spaces', () => {
  const rule = 'no rule covers this line, and approval is default; add Bash(curl:*)';
  expect(outputLines(`    ${rule}\n${'x'.repeat(60)}`, 10, look)).toEqual([
    '  │     no rule covers this line, and approval is default;',
    '  │ add Bash(curl:*)',
    `  │ ${'x'.repeat(56)}`,
    `  │ ${'x'.repeat(4)}`,
  ]);
});

/** The lines of a scrollback after each group of updates of a turn. */
function printed(...groups: readonly (readonly SessionUpdate[])[]): readonly (readonly string[])[] {
  const scrollback = new Scrollback({ isFirst: true });
  const content = [{ type: 'text' as const, text: 'Go' }];
  let transcript = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content });
  return groups.map((updates) => {
    for (const update of updates) transcript = reduce(transcript, { at: 0, type: 'update', update });
    return scrollback.take(transcript, look).lines;
  });
}

const words = (text: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});
const call = (toolCallId: string, status: 'in_progress' | 'completed'): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: `Call ${toolCallId}`,
  kind: 'read',
  status,
});

describe('the scrollback of a chat', () => {
  test('the scrollback prints an entry once it is complete, and a message block by block', () => {
    expect(printed([words('one\n\ntw')], [words('o\n\nthree')], [call('a', 'completed')])).toEqual([
      ['› Go', '', 'one'],
      ['', 'two'],
      ['', 'three', '', '✓ Call a'],
    ]);
  });

  test('the scrollback holds a running call until the agent continues, then prints it when it ends', () => {
    expect(
      printed(
        [call('a', 'in_progress')],
        [call('b', 'completed')],
        [words('meanwhile\n\n'), call('c', 'completed')],
        [call('a', 'completed')],
      ),
    ).toEqual([['› Go'], [], ['', '✓ Call b', '', 'meanwhile', '', '✓ Call c'], ['✓ Call a']]);
  });

  test('the scrollback prints text that is added to a message after another entry', () => {
    expect(
      printed([words('one', 'm')], [call('a', 'completed')], [words(' and more', 'm')], [call('b', 'completed')]),
    ).toEqual([['› Go'], ['', 'one', '', '✓ Call a'], [], ['✓ Call b', '', ' and more']]);
  });
});

test('the scrollback prints a message with more lines than a call can have parameters', () => {
  const code = 'x\n'.repeat(150_000);
  const parts = [words(`\`\`\`\n${code}`), words(`${code}\`\`\`\n`)] as const;
  const [first = [], second = [], third] = printed([parts[0]], [parts[1], call('a', 'completed')], []);
  expect([first.length, first.at(-1), second.length, third]).toEqual([150_002, '  x', 150_000, ['', '✓ Call a']]);
});

test('the time of a call starts when the user has answered', () => {
  const toolCall = { toolCallId: 'a', title: 'npm test', kind: 'execute' as const };
  const request = { sessionId: 's', toolCall, options: [] };
  const outcome = { toolCallId: 'a', allowed: true, reason: 'the user allowed it' };
  const asked = reduce(emptyTranscript(), { type: 'permission-asked', request, at: 1_000 });
  const answered = reduce(asked, { type: 'permission-answered', outcome, at: 90_000 });
  const denied = reduce(asked, { type: 'permission-answered', outcome: { ...outcome, allowed: false }, at: 90_000 });
  const lines = [asked, answered, denied].flatMap((transcript) => {
    const [call] = transcript.entries.slice(0, 1);
    return call?.type === 'tool-call' ? entryLines(call, { ...look, now: 93_000 }) : [];
  });
  expect(lines).toEqual(['? npm test', '→ npm test (3 s)', '→ npm test']);
});

test('the plan of a turn is printed once, in its state at the end of the turn', () => {
  const scrollback = new Scrollback({ isFirst: true });
  const plan = (...done: readonly string[]): SessionUpdate => ({
    sessionUpdate: 'plan',
    entries: ['Look', 'Do'].map((content) => ({
      content,
      priority: 'medium',
      status: done.includes(content) ? 'completed' : 'pending',
    })),
  });
  let transcript = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content: [] });
  const lines = [plan(), words('Looking.'), plan('Look'), 'end' as const].map((update) => {
    transcript = reduce(
      transcript,
      update === 'end'
        ? { at: 0, type: 'turn-ended', turnId: 't', stopReason: 'end_turn' }
        : { at: 0, type: 'update', update },
    );
    return scrollback.take(transcript, look).lines;
  });
  expect(lines.flat().filter((line) => line !== '›')).toEqual(['', 'Looking.', '', 'Plan 1/2', '[x] Look', '[ ] Do']);
});

test('the title of a failed call uses the width that its suffix leaves', () => {
  const text = 'there is no such file or folder on this machine, and there never was';
  const failed = (endedAt: number): readonly string[] => {
    const begun = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content: [] });
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: text,
      kind: 'read',
      status: 'pending',
    };
    const announced = reduce(begun, { at: 0, type: 'update', update });
    const change: SessionUpdate = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      status: 'failed',
    };
    const { entries } = reduce(announced, { at: endedAt, type: 'update', update: change });
    const call = entries.at(entries.length - 1);
    return call?.type === 'tool-call' ? entryLines(call, look).slice(0, 1) : [];
  };
  expect([failed(0), failed(2_000)]).toEqual([[`✗ ${text.slice(0, 57)}…`], [`✗ ${text.slice(0, 49)}… (2.0 s)`]]);
});

test('the command line of a finished call shows the codes of invisible characters, as its question did', () => {
  const begun = reduce(emptyTranscript(), { at: 0, type: 'prompt', turnId: 't', content: [] });
  const { entries } = reduce(begun, {
    at: 0,
    type: 'update',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Print',
      kind: 'execute',
      status: 'completed',
      rawInput: { command: 'printf "\u001b[2K harmless"; id \u202E#' },
    },
  });
  const call = entries.at(entries.length - 1);
  expect(call?.type === 'tool-call' && entryLines(call, look)).toEqual([
    '✓ Print',
    '  $ printf "\\x1b[2K harmless"; id <U+202E>#',
  ]);
});
