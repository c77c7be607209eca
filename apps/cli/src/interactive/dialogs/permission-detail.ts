import type { Question } from '@agentwire/client/permissions';
import type { ToolCallEntry } from '@agentwire/client/thread';
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
  const name = visibleText(toolCall.title ?? call?.title ?? toolCall.toolCallId).replaceAll(/\s+/g, ' ');
  const title = wrapWords(name, width - 2);
  const head = title.map((line, index) => `${index === 0 ? paint('yellow', '? ') : '  '}${paint('bold', line)}`);
  const body = actionLines(factsOf(question, call), { width: width - 2, paint });
  return [...head, ...body.map((line) => `  ${line}`.trimEnd())];
}

function factsOf(
  { action: { command, paths, url }, request: { toolCall } }: Question,
  call: ToolCallEntry | undefined,
): Facts {
  return {
    command: command ?? call?.command,
    content: toolCall.content ?? call?.content ?? [],
    rawInput: toolCall.rawInput ?? call?.rawInput,
    paths,
    url,
  };
}

interface Facts {
  readonly command: string | undefined;
  readonly content: ToolCallEntry['content'];
  readonly rawInput: unknown;
  readonly paths: readonly string[];
  readonly url: string | undefined;
}

function actionLines(facts: Facts, page: Page): string[] {
  const { command, content, rawInput, url } = facts;
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
  const input = rawInput === undefined || rawInput === null ? [] : exactly(JSON.stringify(rawInput, undefined, 1));
  return [...paths, ...(texts.length > 0 ? texts : input)];
}
