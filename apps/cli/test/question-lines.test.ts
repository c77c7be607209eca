import type { QuestionView } from '@turnwire/permissions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../tools/random-runs.ts';
import { questionLines } from '../src/questions/question-lines.ts';
import { visibleLine, visibleText } from '../src/terminal/clean-text.ts';
import { plain } from '../src/terminal/paint.ts';
import { textWidth } from '../src/terminal/text-width.ts';

const question: QuestionView = {
  toolCallId: 'call',
  kind: 'execute',
  heading: 'Run a command',
  summary: 'Run a command',
  namedCommands: [],
  paths: [],
  diffs: [],
  notes: [],
  reason: 'approval is default',
  agentWords: { texts: [] },
  choices: [],
};

/** Pieces of which hostile lines consist: long words, wide characters, invisible ones, blanks at every place. */
const piece = fc.oneof(
  fc.constantFrom(' ', ' ; ', ' | sh', '\t', '你好', '👩‍👩‍👧', 'e\u0301', '\u202e', '\u200b', '\u001b[31m', '  ~  '),
  fc.string({ maxLength: 60 }),
  fc.integer({ min: 1, max: 90 }).map((length) => 'a'.repeat(length)),
);
const hostile = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join('').replaceAll(/[\r\n]/g, ' '))
  .filter((text) => text.trim() !== '');
const widths = fc.integer({ min: 20, max: 200 });

/** The text of lines that follow a label, with the indentation of continued lines removed. */
const joined = (lines: readonly string[] = [], label: string): string =>
  lines
    .map((line, index) => line.slice(index === 0 ? 2 + label.length : 4))
    .join('')
    .normalize();

/** The text as lines show it: wrapping composes combining characters, which look the same. */
const shown = (text: string): string => text.replaceAll('\t', '    ').normalize();

test('the lines of a question show every character of a command and fit the width', () => {
  const property = fc.property(hostile, widths, (command, width) => {
    const { sections } = questionLines({ ...question, command }, { width, paint: plain });
    const [lines = []] = sections;
    expect({ text: joined(lines, '$ '), tooWide: lines.filter((each) => textWidth(each) > width) }).toEqual({
      text: shown(visibleText(command)),
      tooWide: [],
    });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 200, whole: 2000 }) });
});

test('the lines of a question show every character of an address, a tool, a path and a note, and fit the width', () => {
  const property = fc.property(hostile, widths, (text, width) => {
    const view = { ...question, url: text, tool: text, paths: [{ path: text }], notes: [text] };
    const { sections } = questionLines(view, { width, paint: plain });
    const [, address, tool, paths, notes] = sections;
    const line = shown(visibleLine(text));
    expect({
      address: joined(address, 'address: '),
      tool: joined(tool, 'tool: '),
      paths: joined(paths, 'file: '),
      // A note on invisible characters comes first.
      notes: joined(notes?.slice(notes.findLastIndex((each) => each.startsWith('  ! '))), '! '),
      tooWide: sections.flat().filter((each) => textWidth(each) > width),
    }).toEqual({ address: line, tool: line, paths: line, notes: line, tooWide: [] });
  });
  fc.assert(property, { numRuns: randomRuns({ usual: 100, whole: 1000 }) });
});
