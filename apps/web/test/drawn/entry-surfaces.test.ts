import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import { markdownDocument } from '@turnwire/client/view';
import type { SessionUpdate } from '@turnwire/protocol';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { entryLines } from '../../../cli/src/interactive/entries/entry-lines.ts';
import { htmlDocument } from '../../../cli/src/output/document/html-document.ts';
import { plain } from '../../../cli/src/terminal/paint.ts';
import { Entry } from '../../src/transcript/entry.tsx';
import { Unfolded } from '../../src/transcript/use-fold.ts';

const text = (words: string): object => ({ type: 'text', text: words });
const sentence = (words: string): object => ({
  ...{ type: 'content', content: text(words) },
  _meta: { turnwire: { isChange: true } },
});
const update = (fields: object): TranscriptEvent => ({ at: 0, type: 'update', update: fields as SessionUpdate });
const inside = (fields: object): TranscriptEvent => ({
  ...{ at: 0, type: 'child-update', child: 'c' },
  update: fields as SessionUpdate,
});
const child = (fields: object): TranscriptEvent =>
  update({ sessionUpdate: 'subagent_update', sessionId: 'c', ...fields });

/** Entries, each with the facts that every surface shows. */
const entries: readonly (readonly [what: string, events: readonly TranscriptEvent[], facts: readonly string[]])[] = [
  [
    'a child session',
    [
      child({ title: 'Reviewer', description: 'Reviews the change', state: { state: 'running' } }),
      inside({ sessionUpdate: 'agent_message_chunk', content: text('I read it') }),
      inside({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a.txt', status: 'completed' }),
    ],
    ['Reviewer', 'running', 'I read it', 'Read a.txt'],
  ],
  [
    'a child session that failed',
    [
      child({
        title: 'Reviewer',
        state: { state: 'idle', stopReason: 'error', error: { code: 1, message: 'It broke' } },
      }),
    ],
    ['Reviewer', 'It broke'],
  ],
  [
    'a message between sessions',
    [
      child({ title: 'Reviewer' }),
      update({ sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'c', content: [text('All good')] }),
    ],
    ['message from Reviewer', 'All good'],
  ],
  [
    'a call that moved and deleted files',
    [
      update({
        ...{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Tidy up', kind: 'edit', status: 'completed' },
        content: [sentence('Moved /w/a to /w/b'), sentence('Deleted /w/c')],
      }),
    ],
    ['Tidy up', 'Moved /w/a to /w/b', 'Deleted /w/c'],
  ],
  [
    'a paused call',
    [update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Wait', status: 'paused' })],
    ['Wait', 'paused'],
  ],
  [
    'a cancelled call',
    [update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Wait', status: 'cancelled' })],
    ['Wait', 'cancelled'],
  ],
];

test.each(entries)('the terminal, the page and the documents show the same facts of %s', (_what, events, facts) => {
  const view = reduceAll(emptyTranscript(), events);
  const { terminals } = view;
  const lines = { width: 200, paint: plain, isExpanded: true, showsThoughts: true, terminals, now: 0 };
  const unfolded = new Map<string, unknown>([['NaN open', true]]);
  const markup = [...view.entries].map((entry) =>
    renderToStaticMarkup(createElement(Unfolded, { value: unfolded }, createElement(Entry, { entry, terminals }))),
  );
  const document = { title: 'Session', facts: {}, view };
  const surfaces = {
    terminal: [...view.entries].flatMap((entry) => entryLines(entry, lines)).join('\n'),
    page: markup.join('\n').replaceAll(/<[^>]*>/g, ' '),
    markdown: markdownDocument(document),
    html: htmlDocument(document).replaceAll(/<[^>]*>/g, ' '),
  };
  const missing = Object.entries(surfaces).flatMap(([surface, shown]) =>
    facts.filter((fact) => !shown.replaceAll(/\s+/g, ' ').includes(fact)).map((fact) => `${surface}: ${fact}`),
  );
  expect(missing).toEqual([]);
});
