import { checks } from '@turnwire/protocol';
import type { SessionEntry, SessionHeader } from './session-store.ts';

/**
 * The lines of a session's file: the header, then one entry per line. An invalid line was cut off by a crash or damaged later; it is
 * skipped, and the lines around it count.
 */
export interface SessionLines {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
}

const version = 1;

export function headerLine(header: SessionHeader): string {
  return `${JSON.stringify({ type: 'session', version, ...header })}\n`;
}

export function entryLine(entry: SessionEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Undefined if the text does not begin with a complete header: such a file never became a session. */
export function parseLines(text: string): SessionLines | undefined {
  const [first = '', ...lines] = text.split('\n');
  const header = parseHeader(first);
  return header && { header, entries: lines.flatMap((line) => parseEntry(line) ?? []) };
}

export function parseHeader(line: string): SessionHeader | undefined {
  const value = parseObject(line);
  if (value?.['type'] !== 'session' || value['version'] !== version) return undefined;
  const { id, cwd, additionalDirectories, createdAt, title } = value as Partial<Record<keyof SessionHeader, unknown>>;
  if (typeof id !== 'string' || typeof cwd !== 'string' || typeof createdAt !== 'string') return undefined;
  const folders = Array.isArray(additionalDirectories) ? additionalDirectories : [];
  return {
    id,
    cwd,
    additionalDirectories: folders.filter((folder) => typeof folder === 'string'),
    createdAt,
    ...(typeof title === 'string' && { title }),
  };
}

/** The title in a line; undefined if the line has none. */
export function titleIn(line: string): string | null | undefined {
  if (!/^\{"type":"(?:end|title)"/.test(line)) return undefined;
  const title = parseObject(line)?.['title'];
  return typeof title === 'string' || title === null ? title : undefined;
}

function parseEntry(line: string): SessionEntry | undefined {
  const value = parseObject(line);
  return value && isEntry(value) ? (value as SessionEntry) : undefined;
}

function isEntry(value: { readonly [key: string]: unknown }): boolean {
  switch (value['type'] as SessionEntry['type']) {
    case 'prompt':
      return typeof value['messageId'] === 'string' && isContent(value['prompt']);
    case 'update':
      return checks.SessionUpdate(value['update']);
    case 'child':
      return checks.SessionNotification(value);
    case 'title':
    case 'end':
      return typeof value['title'] === 'string' || value['title'] === null;
    case 'mode':
      return typeof value['modeId'] === 'string';
    case 'option':
      return typeof value['id'] === 'string' && ['string', 'boolean'].includes(typeof value['value']);
    case 'kept':
      return true;
    default:
      return false;
  }
}

function isContent(value: unknown): boolean {
  return Array.isArray(value) && value.every((block) => checks.ContentBlock(block));
}

function parseObject(line: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
