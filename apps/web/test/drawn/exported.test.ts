import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import type { ToolCallContent } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { exported } from '../../src/export/exported.ts';

function change(toolCallId: string, content: readonly ToolCallContent[]): TranscriptEvent {
  const call = { toolCallId, title: 'Edit', kind: 'edit', status: 'completed', content: [...content] } as const;
  return { at: 0, type: 'update', update: { sessionUpdate: 'tool_call', ...call } };
}

test('the Markdown of a session has its changes as diffs', async () => {
  const changes: readonly ToolCallContent[] = [
    { type: 'diff', path: 'a.txt', oldText: 'one\ntwo\n', newText: 'one\nthree\n' },
    { type: 'diff', path: 'new.md', newText: '```\ncode\n```\n' },
  ];
  const file = await exported(reduceAll(emptyTranscript(), [change('call', changes)]), 'markdown');
  expect(await file.text()).toBe(`# New session

**Edit** (completed)

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

for (const format of ['markdown', 'json'] as const)
  test(`a long session is exported as ${format} in many tasks, between which the page does other things`, async () => {
    const text = 'a line of the file\n'.repeat(500);
    const diff = { type: 'diff', path: 'a.txt', oldText: text, newText: `${text}more\n` } as const;
    const events = Array.from({ length: 400 }, (_, place) => change(`call ${place}`, [diff]));
    const view = reduceAll(emptyTranscript(), events);
    let others = 0;
    const timer = setInterval(() => others++);
    const written = await exported(view, format);
    clearInterval(timer);
    expect([others > 0, written.size > 50_000]).toEqual([true, true]);
  });
