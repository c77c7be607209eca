import type { Question } from '@turnwire/client/permissions';
import type { ToolCallEntry } from '@turnwire/client/thread';
import { contentText } from '../../output/content-text.ts';
import { visibleText } from '../../terminal/clean-text.ts';
import { wrapExactly, wrapWords } from '../../terminal/text-width.ts';
import { diffRows } from '../entries/diff-rows.ts';
import type { Page } from '../markdown/markdown-lines.ts';

/** What a question is about: its title, and in full what would be done. What would steer the terminal is spelled out. */
export function permissionDetail(
  question: Question,
  call: ToolCallEntry | undefined,
  { width, paint }: Page,
): string[] {
  const { toolCall } = question.request;
  const facts = factsOf(question, call);
  const name = nameOf(toolCall.title ?? call?.title ?? toolCall.toolCallId, facts.command);
  const title = wrapWords(name, width - 2);
  const head = title.map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${paint('bold', line)}`);
  const body = actionLines(facts, { width: width - 2, paint });
  return [...head, ...body.map((line) => `  ${line}`.trimEnd())];
}

/** The title, unless it is the command, which stands below, exactly. */
function nameOf(title: string, command: string | undefined): string {
  const oneLine = (text: string): string => visibleText(text).trim().replaceAll(/\s+/g, ' ');
  const bare = oneLine(title).replaceAll(/^[`$]\s*|`$/g, '');
  return command !== undefined && bare === oneLine(command) ? 'Run a command' : oneLine(title);
}

function factsOf(
  { action: { command, paths, url }, request: { toolCall } }: Question,
  call: ToolCallEntry | undefined,
): Facts {
  return {
    command: command ?? call?.command,
    content: toolCall.content ?? call?.content ?? [],
    isDeletion: (toolCall.kind ?? call?.kind) === 'delete',
    rawInput: toolCall.rawInput ?? call?.rawInput,
    paths,
    url,
  };
}

interface Facts {
  readonly command: string | undefined;
  readonly content: ToolCallEntry['content'];
  readonly isDeletion: boolean;
  readonly rawInput: unknown;
  readonly paths: readonly string[];
  readonly url: string | undefined;
}

function actionLines(facts: Facts, page: Page): string[] {
  const { command, content, isDeletion, rawInput, url } = facts;
  const exactly = (text: string): string[] =>
    visibleText(text)
      .split('\n')
      .flatMap((line) => wrapExactly(line, page.width));
  const diffs = content.flatMap((item) => (item.type === 'diff' && 'newText' in item ? diffRows(item, page) : []));
  const texts = content.flatMap((item) =>
    item.type === 'content' && 'content' in item ? exactly(contentText(item.content)) : [],
  );
  const does = [
    ...(command === undefined ? [] : exactly(`$ ${command}`)),
    ...(url === undefined ? [] : exactly(url)),
    ...diffs,
  ];
  if (does.length > 0) return does;
  const paths = facts.paths.flatMap(exactly);
  if (texts.length > 0) return [...paths, ...texts];
  // Beside its paths, the input of a deletion has nothing more to say.
  const isTold = rawInput === undefined || rawInput === null || (isDeletion && paths.length > 0);
  const input = isTold ? [] : exactly(JSON.stringify(rawInput, undefined, 1));
  return [...paths, ...input];
}
