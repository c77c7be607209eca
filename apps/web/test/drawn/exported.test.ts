import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock, ToolCallContent } from '@turnwire/protocol';
import { expect, test, vi } from 'vitest';
import { documentText } from '../../../cli/src/output/document/document-text.ts';
import { exported } from '../../src/export/exported.ts';

function change(toolCallId: string, content: readonly ToolCallContent[]): TranscriptEvent {
  const call = { toolCallId, title: 'Edit', kind: 'edit', status: 'completed', content: [...content] } as const;
  return { at: 0, type: 'update', update: { sessionUpdate: 'tool_call', ...call } };
}

const place = { agent: 'coder', folder: '/p' };

test('the Markdown of a session contains its changes as diffs', async () => {
  const changes: readonly ToolCallContent[] = [
    { type: 'diff', path: 'a.txt', oldText: 'one\ntwo\n', newText: 'one\nthree\n' },
    { type: 'diff', path: 'new.md', newText: '```\ncode\n```\n' },
  ];
  const file = await exported({ ...place, view: reduceAll(emptyTranscript(), [change('call', changes)]) }, 'markdown');
  expect(await file.text()).toBe(`# New session

- agent: coder
- folder: /p

✓ **Edit**

\`\`\`diff
--- a.txt
+++ a.txt
@@ -1,2 +1,2 @@
 one
-two
+three
\`\`\`

\`\`\`\`diff
--- /dev/null
+++ new.md
@@ -0,0 +1,3 @@
+\`\`\`
+code
+\`\`\`
\`\`\`\`
`);
});

test('the page and the command write the same Markdown, without control characters', async () => {
  const text = (words: string): ContentBlock => ({ type: 'text', text: words });
  const view = reduceAll(emptyTranscript(), [
    { at: 0, type: 'prompt', turnId: 't', content: [text('Go \u001b[2Jon')] },
    { at: 0, type: 'update', update: { sessionUpdate: 'agent_thought_chunk', content: text('Hm.') } },
    {
      at: 0,
      type: 'update',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'run',
        title: 'Run \u202eit',
        kind: 'execute',
        status: 'completed',
        rawInput: { command: 'make' },
        rawOutput: { output: 'a\u0007b', exitCode: 2 },
      },
    },
    change('edit', [{ type: 'diff', path: 'a.txt', oldText: 'x\n', newText: 'y\u001b[2J\n' }]),
    { at: 0, type: 'update', update: { sessionUpdate: 'agent_message_chunk', content: text('Done\u001b[31m.') } },
    { at: 0, type: 'turn-ended', turnId: 't', stopReason: 'max_tokens' },
  ]);
  const file = await exported({ ...place, view }, 'markdown');
  const ofPage = await file.text();
  expect(ofPage).toBe(documentText({ title: 'Go on', facts: place, view }, 'md'));
  expect(ofPage).toBe(`# Go on

- agent: coder
- folder: /p

## Prompt

> Go on

> *Hm.*

✓ **Run it** (exit code 2)

\`\`\`sh
make
\`\`\`

\`\`\`
ab
\`\`\`

✓ **Edit**

\`\`\`diff
--- a.txt
+++ a.txt
@@ -1,1 +1,1 @@
-x
+y\\x1b[2J
\`\`\`

Done.

*The agent stopped: its model reached the limit of tokens; ask it to continue.*
`);
});

for (const format of ['markdown', 'json'] as const)
  test(`a long session is exported as ${format} in many tasks, and the page stays responsive between them`, async () => {
    const text = 'a line of the file\n'.repeat(500);
    const diff = { type: 'diff', path: 'a.txt', oldText: text, newText: `${text}more\n` } as const;
    const events = Array.from({ length: 400 }, (_, place) => change(`call ${place}`, [diff]));
    const view = reduceAll(emptyTranscript(), events);
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    let others = 0;
    const timer = setInterval(() => others++);
    const written = await exported({ ...place, view }, format);
    clearInterval(timer);
    clock.mockRestore();
    expect([others > 0, written.size > 50_000]).toEqual([true, true]);
  });
