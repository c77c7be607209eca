import type { TurnClient } from '@turnwire/agent';
import { errorCodes, ProtocolError } from '@turnwire/protocol';
import { ToolError } from '../tool-error.ts';
import type { WorkspacePath } from './workspace.ts';

/** The file methods of a client. */
export type ClientFiles = Pick<TurnClient, 'readTextFile' | 'writeTextFile'>;

/** How long to wait for a client, in milliseconds. */
export interface ClientTimeouts {
  /** For reading a text. Default half a minute. */
  readonly reading: number;
  /** For writing a text: the user may review it first. Default ten minutes. */
  readonly writing: number;
}

export const defaultClientTimeouts: ClientTimeouts = { reading: 30_000, writing: 600_000 };

/** A text as the client returns it. */
export interface ClientText {
  /** Without byte order mark. */
  readonly text: string;
  /** Whether the client returns the byte order mark as a part of the text. */
  readonly mark: boolean;
}

/** The state of a file on the disk: missing, text, or text in an encoding other than UTF-8. */
export type OnDisk = 'missing' | 'text' | 'foreign';

/**
 * Reads a text through the client.
 * @param onDisk for a missing file, the client's error about a missing file counts as such; for one in another encoding, its error about
 * the encoding
 * @returns undefined if the client does not support it, lacks the file, or reads only UTF-8
 * @throws ToolError if it refuses or does not answer
 */
export async function readThroughClient(
  { real, shown }: WorkspacePath,
  { readTextFile }: ClientFiles,
  { timeouts: { reading }, onDisk }: { readonly timeouts: ClientTimeouts; readonly onDisk: OnDisk },
): Promise<ClientText | undefined> {
  if (!readTextFile) return undefined;
  try {
    const text = await within(reading, readTextFile(real));
    return text.startsWith('\uFEFF') ? { text: text.slice(1), mark: true } : { text, mark: false };
  } catch (error) {
    if (error instanceof ProtocolError && error.code === errorCodes.resourceNotFound) return undefined;
    if (believed[onDisk]?.test(reasonOf(error))) return undefined;
    throw new ToolError(`The client could not read ${shown}: ${reasonOf(error)}`);
  }
}

/** Writes a text through the client. @throws ToolError if it refuses or does not answer */
export async function writeThroughClient(
  { real, shown }: WorkspacePath,
  write: NonNullable<ClientFiles['writeTextFile']>,
  { text, mark, timeouts }: ClientText & { readonly timeouts: ClientTimeouts },
): Promise<void> {
  try {
    await within(timeouts.writing, write(real, mark ? `\uFEFF${text}` : text));
  } catch (error) {
    throw new ToolError(`The client could not write ${shown}: ${reasonOf(error)} Read the file to see what it holds.`);
  }
}

async function within<Answer>(limit: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${limit / 1000} seconds`)), limit);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Many clients answer an error of their file system, or of their decoder, as an internal error. */
const believed: Readonly<Partial<Record<OnDisk, RegExp>>> = {
  missing: /\bENOENT\b|no such file|file not found|does not exist/iu,
  foreign: /\bUTF-?8\b|\bencod(?:ed|ing)\b|\bdecod(?:e|ing)\b/iu,
};

/** Clients put the real reason into the data of an error, as `details`, with "Internal error" as the message. */
function reasonOf(error: unknown): string {
  const { details } = (error instanceof ProtocolError ? (error.data ?? {}) : {}) as { readonly details?: unknown };
  const own = error instanceof Error ? error.message : String(error);
  const message = typeof details === 'string' && details.trim() !== '' ? details.trim() : own;
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}
