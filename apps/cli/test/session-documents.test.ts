import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import { describe, expect, test } from 'vitest';
import { documentText } from '../src/output/document/document-text.ts';
import type { SessionDocument } from '@turnwire/client/view';
import { inEmulator } from './interactive/emulator.ts';
import { sessionFixture } from './session-fixture.ts';

const text = (words: string): { type: 'text'; text: string } => ({ type: 'text', text: words });
const update = (fields: object): TranscriptEvent => ({ at: 1, type: 'update', update: fields }) as TranscriptEvent;

const events: readonly TranscriptEvent[] = [
  { at: 1, type: 'prompt', turnId: '1', content: [text('fix <b>it</b>\nplease')] },
  update({ sessionUpdate: 'agent_thought_chunk', content: text('hm *well*') }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'edit',
    title: 'Edit notes.txt',
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: '/p/notes.txt', oldText: 'a\n', newText: '<i>\n' }],
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'run',
    title: 'Run the tests',
    kind: 'execute',
    status: 'failed',
    rawInput: { command: 'npm test' },
    content: [{ type: 'content', content: text('```odd\u001b[2J') }],
  }),
  update({
    sessionUpdate: 'agent_message_chunk',
    content: text(
      'Done, **see** <script>alert(1)</script> and [it](javascript:alert(1)) or [docs](https://a.example/?a&b).',
    ),
  }),
  { at: 2, type: 'turn-failed', turnId: '1', message: 'out of <money>' },
];

const session: SessionDocument = {
  title: 'Fix <it>',
  facts: { agent: 'coder', folder: '/p' },
  view: reduceAll(emptyTranscript(), events),
};

describe('a session as a document', () => {
  test('a Markdown document has fences that its text cannot close', () => {
    expect(documentText(session, 'md')).toBe(`# Fix <it>

- agent: coder
- folder: /p

## Prompt

> fix <b>it</b>
> please

> *hm well*

✓ **Edit notes.txt**

\`\`\`diff
--- /p/notes.txt
+++ /p/notes.txt
@@ -1,1 +1,1 @@
-a
+<i>
\`\`\`

✗ **Run the tests**

\`\`\`sh
npm test
\`\`\`

\`\`\`\`
\`\`\`odd
\`\`\`\`

Done, **see** <script>alert(1)</script> and [it](javascript:alert(1)) or [docs](https://a.example/?a&b).

> **Failed:** out of <money>
`);
  });

  test('an HTML document has only our markup, no script, and links only to the web', () => {
    const html = documentText(session, 'html');
    expect(html.slice(html.indexOf('<main>'))).toBe(`<main>
<h1>Fix &lt;it&gt;</h1>
<dl><dt>agent</dt><dd>coder</dd><dt>folder</dt><dd>/p</dd></dl>
<h2>fix &lt;b&gt;it&lt;/b&gt;
please</h2>
<details class="note"><summary>Thought</summary><p>hm <em>well</em></p>
</details>
<details open><summary>✓ Edit notes.txt</summary>
<pre>--- /p/notes.txt
+++ /p/notes.txt
@@ -1,1 +1,1 @@
<del class="line">-a</del>
<ins>+&lt;i&gt;</ins></pre>
</details>
<details><summary class="failed">✗ Run the tests</summary>
<pre>npm test</pre>
<pre>\`\`\`odd</pre>
</details>
<p>Done, <strong>see</strong> &lt;script&gt;alert(1)&lt;/script&gt; and it (javascript:alert(1)) or <a href="https://a.example/?a&amp;b" rel="noopener noreferrer nofollow">docs</a>.</p>
<p class="failed">out of &lt;money&gt;</p>
</main>
</body>
</html>
`);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('a JSON document contains the entries of the transcript', () => {
    const json = JSON.parse(documentText(session, 'json')) as { title: string; entries: { type: string }[] };
    expect([json.title, json.entries.map(({ type }) => type)]).toEqual([
      'Fix <it>',
      ['user', 'thought', 'tool-call', 'tool-call', 'agent', 'turn-end'],
    ]);
  });
});

describe('sessions export', () => {
  test('sessions export writes a session of exec that only its agent stores', async () => {
    const { run, project } = await sessionFixture();
    await run(['exec', 'say what is kept']);
    const file = join(project, 'kept.md');
    expect((await run(['sessions', 'export', 'what is kept', '--output', file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^# say what is kept\n\n(?:- .*\n)+\nreplayed: say what is kept\n/);
    const archive = join(project, 'kept.json');
    await run(['sessions', 'export', 'what is kept', '--output', archive]);
    expect((await run(['sessions', 'import', archive, '--name', 'again'])).code).toBe(0);
    expect((await run(['-s', 'again', 'recall'])).stdout).toBe('say what is kept | recall\n');
  });

  test('sessions export writes a stored session as a page', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    await run(['say <b>stored</b>']);
    const { code, stdout } = await run(['sessions', 'export', '--format', 'html']);
    expect({ code, body: stdout.slice(stdout.indexOf('<h2>'), stdout.indexOf('</main>')) }).toEqual({
      code: 0,
      body: '<h2>say &lt;b&gt;stored&lt;/b&gt;</h2>\n<p>&lt;b&gt;stored&lt;/b&gt;</p>\n',
    });
  });

  test('only sessions export accepts document formats', async () => {
    const { run } = await sessionFixture();
    expect(await run(['exec', '--format', 'html', 'say x'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "turnwire: option '--format <format>' argument 'html' is invalid. Allowed choices are text, json, quiet.\nSee turnwire --help.\n",
    });
  });
});

describe('sessions list at a terminal', () => {
  test('sessions list prints a table of the sessions of this folder, newest first, with ids for --resume', async () => {
    const { run, bare, agent, env, project, state } = await sessionFixture();
    await run(['exec', 'say far away'], { cwd: state });
    await run(['sessions', 'new', '--name', 'api']);
    await run(['-s', 'api', 'say stored']);
    await run(['sessions', 'new', '--name', 'empty']);
    await run(['exec', 'say one']);
    await run(['exec', '--continue', 'say two']);
    const listing = inEmulator(['sessions', '--cwd', project, '--local'], { env, columns: 400 });
    expect(await listing.exitCode).toBe(0);
    const [head = '', ...rows] = listing.screen;
    const cells = (line: string): readonly string[] => line.trim().split(/\s{2,}/);
    const id = expect.stringMatching(/^[0-9a-f]{4}$/) as unknown;
    expect([cells(head), ...rows.map(cells)]).toEqual([
      ['id', 'used', 'turns', 'agent', 'what'],
      [id, 'just now', '2', agent, 'say one'],
      [id, 'just now', '1', agent, 'api: say stored'],
      ['turnwire: 1 session in other folders: turnwire sessions list --all'],
    ]);
    const [first = ''] = cells(rows[0] ?? '');
    expect((await bare(['exec', '--resume', first, 'recall'])).stdout).toBe('say one | say two | recall\n');
    const all = inEmulator(['sessions', 'list', '--all', '--local', '--cwd', project], { env, columns: 400 });
    await all.exitCode;
    expect(all.screen.join('\n')).toContain('say far away');
  });

  test('sessions list includes the sessions of other clients with the agent', async () => {
    const { run, agent, env, project } = await sessionFixture('list');
    await run(['exec', 'say one']);
    const listing = inEmulator(['--agent', agent, '--cwd', project, 'sessions'], { env, columns: 400 });
    await listing.exitCode;
    expect(
      listing.screen.map((line) =>
        line
          .trim()
          .split(/\s{2,}/)
          .at(-1),
      ),
    ).toEqual(['what', 'say one', 'turnwire: 2 sessions in other folders: turnwire sessions list --all']);
  });
});
