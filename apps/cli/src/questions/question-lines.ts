import { type PermissionFacts, permissionFacts, shortPath } from '@turnwire/client/view';
import type { QuestionView, ShownPath } from '@turnwire/permissions';
import type { AskingChild } from '@turnwire/protocol';
import { diffRows } from '../terminal/diff-rows.ts';
import type { Page } from '../terminal/page.ts';
import { visibleLine, visibleText } from '../terminal/clean-text.ts';
import { wrapExactly, wrapWords } from '../terminal/text-width.ts';

/** A question in lines, with control and invisible characters escaped. */
export interface QuestionLines {
  readonly heading: readonly string[];
  /** The whole action, the most important part first. Then, marked as such, the agent's description. */
  readonly sections: readonly (readonly string[])[];
  /** The reason for the question. */
  readonly reason: readonly string[];
}

/** The full content of a question, for any kind of UI. */
export function questionLines(view: QuestionView, { width, paint, folder }: Page): QuestionLines {
  const page = { width: Math.max(1, width - 2), paint, folder };
  const facts = permissionFacts(view);
  return {
    heading: [
      ...wrapWords(paint('bold', visibleLine(facts.heading)), page.width).map(
        (line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${line}`,
      ),
      ...(facts.child ? exactly(askedBy(facts.child), page).map((line) => `  ${line}`) : []),
    ],
    sections: [
      commandLines(facts, page),
      facts.url === undefined ? [] : exactly(`address: ${visibleLine(facts.url)}`, page),
      facts.tool === undefined ? [] : exactly(`tool: ${visibleLine(facts.tool)}`, page),
      facts.paths.flatMap((path) => pathLines(path, page)),
      facts.notes.flatMap((note) => exactly(`! ${visibleLine(note)}`, page).map((line) => paint('yellow', line))),
      facts.diffs.flatMap((diff) => diffRows(diff, page)),
      facts.input === undefined ? [] : quoted('its input:', [facts.input], page),
      agentLines(facts, page),
    ].map((lines) => lines.map((line) => `  ${line}`)),
    reason: wrapWords(visibleLine(facts.reason), page.width).map((line) => paint('dim', `  ${line}`)),
  };
}

/** The subagent that asks, by the words of the agent. */
function askedBy({ name, title }: AskingChild): string {
  const task = title === undefined ? '' : `, working on “${visibleLine(title)}”`;
  return `asked by the subagent “${visibleLine(name)}”${task}`;
}

/** Marks each line of the command, so that no line looks like text of this program. */
function commandLines({ command, folder, namedCommands }: PermissionFacts, page: Page): string[] {
  const lines = visibleText(command ?? '').split('\n');
  const does = command === undefined ? [] : lines.map((line, index) => `${index === 0 ? '$' : '>'} ${line}`);
  const where = folder === undefined ? [] : [`in ${visibleLine(folder)}`];
  const named = namedCommands.map((line) => `names the command ${visibleLine(line)}`);
  return [...does, ...where, ...named].flatMap((line) => exactly(line, page));
}

function pathLines({ path, leadsTo, caution }: ShownPath, page: Page): string[] {
  const way = leadsTo === undefined ? '' : `, which is ${visibleLine(leadsTo)}`;
  const warning = caution === undefined ? '' : ` (${caution})`;
  const lines = exactly(`file: ${visibleLine(shortPath(path, page.folder))}${way}${warning}`, page);
  return warning + way === '' ? lines : lines.map((line) => page.paint('yellow', line));
}

function agentLines({ agentWords: { title, texts } }: PermissionFacts, page: Page): string[] {
  const said = title === undefined ? [] : [visibleLine(title)];
  if (texts.length > 0) return quoted('the agent says:', [...said, ...texts], page);
  return said.flatMap((line) => exactly(`${page.paint('dim', 'the agent says:')} ${line}`, page));
}

/** Puts a bar before each line of text, so that no line looks like text of this program. */
function quoted(label: string, texts: readonly string[], { width, paint }: Page): string[] {
  const lines = texts.flatMap((text) => visibleText(text.trimEnd()).split('\n'));
  const bar = paint('dim', '│ ');
  return [
    paint('dim', label),
    ...lines.flatMap((line) => wrapExactly(line, Math.max(1, width - 2)).map((part) => `${bar}${part}`)),
  ];
}

/** Wraps text and indents continued lines by two columns. */
function exactly(text: string, { width }: Page): string[] {
  return wrapExactly(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}
