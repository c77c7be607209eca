import { grownText, type NewestText, newestText, type ToolCallContent, type ToolCallUpdate } from '@turnwire/protocol';
import { fieldsOf, isChange } from './tool-call-data.ts';
import type { ToolCallState } from './transcript-view.ts';

/** The output after another report of the call. Undefined if it is unchanged. */
export function outputAfter({ before, isStreamed, call, state }: OutputSoFar): NewestText | undefined {
  const chunk = chunkIn(call['_meta']);
  if (chunk !== undefined) {
    const isMore = isStreamed && !hasMark(call, 'is_whole');
    const after = isMore ? grownText(before, chunk) : newestText(chunk);
    return hasMark(call, 'is_truncated') ? { ...after, isCut: true } : after;
  }
  // Besides the chunks, agents often send the whole output again, shortened or formatted.
  if (isStreamed) return undefined;
  const whole = (state === 'pending' ? '' : contentText(call.content ?? [])) || rawText(call.rawOutput);
  return whole === '' ? undefined : newestText(whole);
}

interface OutputSoFar {
  readonly before: NewestText;
  /** The earlier output came in chunks. */
  readonly isStreamed: boolean;
  readonly call: ToolCallUpdate;
  readonly state: ToolCallState;
}

/** Output in chunks: `terminal_output` (Claude, pi) and `terminal_output_delta` (Codex). */
export function chunkIn(meta: unknown): string | undefined {
  const fields = fieldsOf(meta);
  const chunk = fieldsOf(fields?.['terminal_output']) ?? fieldsOf(fields?.['terminal_output_delta']);
  const data = chunk?.['data'];
  return typeof data === 'string' ? data : undefined;
}

/** Whether the chunk of a terminal of version 2 replaces the output, or begins later than the output. */
function hasMark(call: ToolCallUpdate, mark: 'is_whole' | 'is_truncated'): boolean {
  return fieldsOf(fieldsOf(call['_meta'])?.['terminal_output'])?.[mark] === true;
}

function contentText(content: readonly ToolCallContent[]): string {
  const texts = content.map((item) =>
    item.type === 'content' && item.content.type === 'text' && !isChange(item) ? item.content.text : '',
  );
  const text = texts.filter((each) => each !== '').join('\n');
  // Some agents put output into a Markdown fence.
  const fenced = /^\s*(`{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return fenced?.[2] ?? text;
}

const wholes = ['formatted_output', 'aggregated_output', 'aggregatedOutput', 'output', 'content', 'result'] as const;

/** The text in a tool's raw output: a string, or one of the fields agents use for it. */
function rawText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw))
    return raw
      .map(itemText)
      .filter((text) => text !== '')
      .join('\n');
  const fields = fieldsOf(raw);
  if (fields === undefined) return '';
  const whole = wholes.map((key) => itemsText(fields[key])).find((text) => text !== '');
  return (
    whole ?? [fields['stdout'], fields['stderr']].filter((text) => typeof text === 'string' && text !== '').join('')
  );
}

function itemsText(value: unknown): string {
  return Array.isArray(value) ? rawText(value) : typeof value === 'string' ? value : '';
}

function itemText(item: unknown): string {
  if (typeof item === 'string') return item;
  const fields = fieldsOf(item);
  const text = fields?.['text'] ?? fields?.['result'] ?? fields?.['output'];
  return typeof text === 'string' ? text : '';
}

/** The exit code of a command, from the places agents report it. Null: a signal ended it. Undefined: not reported. */
export function exitCodeOf({ _meta: meta, rawOutput }: ToolCallUpdate): number | null | undefined {
  const exit = fieldsOf(fieldsOf(meta)?.['terminal_exit']);
  if (exit !== undefined) return codeIn(exit, ['exit_code', 'exitCode']) ?? null;
  const raw = fieldsOf(rawOutput);
  return codeIn(raw, ['exitCode', 'exit_code', 'exit']) ?? codeIn(fieldsOf(raw?.['metadata']), ['exit', 'exitCode']);
}

function codeIn(fields: { readonly [key: string]: unknown } | undefined, keys: readonly string[]): number | undefined {
  return keys.map((key) => fields?.[key]).find((value) => typeof value === 'number');
}
