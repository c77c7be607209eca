import type { QuestionView, ShownPath } from '@turnwire/permissions';
import { diffRows, shownPath } from '../terminal/diff-rows.ts';
import type { Page } from '../terminal/page.ts';
import { visibleLine, visibleText } from '../terminal/clean-text.ts';
import { wrapExactly, wrapWords } from '../terminal/text-width.ts';

/** A question in lines, with control and invisible characters escaped. */
export interface QuestionLines {
  readonly heading: readonly string[];
  /** What will be done, in full; the most important first. Then, marked as such, the agent's description. */
  readonly sections: readonly (readonly string[])[];
  /** Why the user is asked. */
  readonly reason: readonly string[];
}

/** The full content of a question, for any kind of UI. */
export function questionLines(view: QuestionView, { width, paint, folder }: Page): QuestionLines {
  const page = { width: Math.max(1, width - 2), paint, folder };
  return {
    heading: wrapWords(paint('bold', visibleLine(view.heading)), page.width).map(
      (line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${line}`,
    ),
    sections: [
      commandLines(view, page),
      view.url === undefined ? [] : exactly(`address: ${visibleLine(view.url)}`, page),
      view.tool === undefined ? [] : exactly(`tool: ${visibleLine(view.tool)}`, page),
      pathLines(view, page),
      view.notes.flatMap((note) => exactly(`! ${visibleLine(note)}`, page).map((line) => paint('yellow', line))),
      view.diffs.flatMap((diff) => diffRows(diff, page)),
      view.input === undefined ? [] : quoted('its input:', [view.input], page),
      agentLines(view, page),
    ].map((lines) => lines.map((line) => `  ${line}`)),
    reason: wrapWords(visibleLine(reasonOf(view)), page.width).map((line) => paint('dim', `  ${line}`)),
  };
}

/** Why it is asked. The command is shown already, and the rule an "always" remembers stands beside that answer. */
function reasonOf({ reason, command }: QuestionView): string {
  return command === undefined ? reason : reason.replace(`the command ${command}`, () => 'this command');
}

/** Each line of the command has a sign, so that none of them looks like text of ours. */
function commandLines({ command, folder, namedCommands }: QuestionView, page: Page): string[] {
  const lines = visibleText(command ?? '').split('\n');
  const does = command === undefined ? [] : lines.map((line, index) => `${index === 0 ? '$' : '>'} ${line}`);
  const where = folder === undefined ? [] : [`in ${visibleLine(folder)}`];
  const named = namedCommands.map((line) => `names the command ${visibleLine(line)}`);
  return [...does, ...where, ...named].flatMap((line) => exactly(line, page));
}

/** All paths except those that have a diff. */
function pathLines({ paths, diffs }: QuestionView, page: Page): string[] {
  const isInDiff = ({ path, caution, leadsTo }: ShownPath): boolean =>
    caution === undefined && leadsTo === undefined && diffs.some((diff) => diff.path === path);
  return paths
    .filter((path) => !isInDiff(path))
    .flatMap(({ path, leadsTo, caution }) => {
      const way = leadsTo === undefined ? '' : `, which is ${visibleLine(leadsTo)}`;
      const remark = caution === undefined ? '' : ` (${caution})`;
      const lines = exactly(`file: ${visibleLine(shownPath(path, page))}${way}${remark}`, page);
      return remark + way === '' ? lines : lines.map((line) => page.paint('yellow', line));
    });
}

function agentLines({ agentWords: { title, texts }, command }: QuestionView, page: Page): string[] {
  // Many agents name a call by its command.
  const isCommand = command !== undefined && title?.trim().replace(/^`(.*)`$/s, '$1') === command.trim();
  const said = title === undefined || isCommand ? [] : [visibleLine(title)];
  if (texts.length > 0) return quoted('the agent says:', [...said, ...texts], page);
  return said.flatMap((line) => exactly(`${page.paint('dim', 'the agent says:')} ${line}`, page));
}

/** Behind a bar, so that none of it looks like text of ours. */
function quoted(label: string, texts: readonly string[], { width, paint }: Page): string[] {
  const lines = texts.flatMap((text) => visibleText(text.trimEnd()).split('\n'));
  const bar = paint('dim', '│ ');
  return [
    paint('dim', label),
    ...lines.flatMap((line) => wrapExactly(line, Math.max(1, width - 2)).map((part) => `${bar}${part}`)),
  ];
}

/** Continued lines are indented by two columns, which the text leaves free. */
function exactly(text: string, { width }: Page): string[] {
  return wrapExactly(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}
