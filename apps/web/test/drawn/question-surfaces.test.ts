import { permissionFacts } from '@turnwire/client/view';
import type { QuestionView } from '@turnwire/protocol';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { questionLines } from '../../../cli/src/questions/question-lines.ts';
import { plain } from '../../../cli/src/terminal/paint.ts';
import { Facts } from '../../src/questions/facts.tsx';

const empty: QuestionView = {
  toolCallId: 'call',
  kind: 'other',
  heading: 'Use a tool',
  summary: 'Use a tool',
  namedCommands: [],
  paths: [],
  diffs: [],
  notes: [],
  reason: 'approval is default',
  agentWords: { texts: [] },
  choices: [],
};

const diff = { path: '/p/a.txt', oldText: 'old word\n', newText: 'new word\n' };

/** Views, each with the facts that every surface shows. */
const questions: readonly (readonly [what: string, view: Partial<QuestionView>, facts: readonly string[]])[] = [
  ['a command', { command: 'npm test' }, ['npm test']],
  ['a command of two lines', { command: 'cd /\nrm -rf *' }, ['cd /', 'rm -rf *']],
  ['a command in another folder', { command: 'make', folder: '/other' }, ['make', '/other']],
  ['commands in the input of a tool', { namedCommands: ['rm -r a', 'curl x'] }, ['rm -r a', 'curl x']],
  ['an address', { url: 'https://example.com/?q=1' }, ['https://example.com/?q=1']],
  ['a tool of a server', { tool: 'mcp__mail__send' }, ['mcp__mail__send']],
  [
    'a path with a caution',
    { paths: [{ path: '/etc/x', caution: 'outside the folders' }] },
    ['/etc/x', 'outside the folders'],
  ],
  ['a path in the command', { command: 'cat /etc/x', paths: [{ path: '/etc/x' }] }, ['cat /etc/x', '/etc/x']],
  ['a path that leads elsewhere', { paths: [{ path: '/p/link', leadsTo: '/etc/x' }] }, ['/p/link', '/etc/x']],
  ['a change', { diffs: [diff] }, ['/p/a.txt', 'old', 'new']],
  ['two changes of a file', { diffs: [diff, { ...diff, newText: 'third word\n' }] }, ['new', 'third']],
  [
    'a change of a path that leads elsewhere',
    { diffs: [diff], paths: [{ path: '/p/a.txt', leadsTo: '/etc/x', caution: 'outside the folders' }] },
    ['/etc/x', 'outside the folders', 'new'],
  ],
  [
    'a change of a file with keys',
    {
      diffs: [{ ...diff, path: '/home/u/.ssh/config' }],
      paths: [{ path: '/home/u/.ssh/config', caution: 'programs store keys or passwords there' }],
    },
    ['/home/u/.ssh/config', 'programs store keys or passwords there', 'new'],
  ],
  [
    'a change with invisible characters and a note',
    { diffs: [{ ...diff, newText: 'new\u202e word\n' }], notes: ['It contains permission rules.'] },
    ['It contains a character that is invisible', 'U+202E', 'It contains permission rules.'],
  ],
  ['the input of a tool', { input: '{ "to": "all" }' }, ['{ "to": "all" }']],
  ['notes', { notes: ['The command is not clear.'] }, ['The command is not clear.']],
  [
    "the agent's words",
    { agentWords: { title: 'Clean up', texts: ['It is safe.', 'Really.'] } },
    ['The agent says:', 'Clean up', 'It is safe.', 'Really.'],
  ],
  ['hidden characters', { command: 'a\u200bb' }, ['It contains a character that is invisible', 'U+200B']],
];

test.each(questions)('the terminal and the page show the same facts of a question about %s', (_what, view, facts) => {
  const question = { ...empty, ...view };
  const { sections, reason } = questionLines(question, { width: 200, paint: plain });
  const markup = renderToStaticMarkup(createElement(Facts, { facts: permissionFacts(question) }));
  const surfaces = {
    terminal: [...sections.flat(), ...reason].join('\n'),
    page: markup
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<'),
  };
  const missing = Object.entries(surfaces).flatMap(([surface, text]) =>
    ['approval is default', ...facts]
      .filter((fact) => !text.toLowerCase().includes(fact.toLowerCase()))
      .map((fact) => `${surface}: ${fact}`),
  );
  expect(missing).toEqual([]);
});
