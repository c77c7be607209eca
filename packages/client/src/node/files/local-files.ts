import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '@turnwire/protocol';
import { errorCodes, invalidParams, ProtocolError, requestCancelled } from '@turnwire/protocol';
import { type Holding, PathTurns, realPath, replaceHeldFile } from '@turnwire/machine';
import type { HostContext, HostFiles } from '../../host/host.ts';
import { Confinement } from './confinement.ts';
import { refuseToFill } from './disk-reserve.ts';
import { answerTooLong, fileFailure, lineTooFar, notRegular, notText } from './file-refusal.ts';
import type { LineRange } from './line-window.ts';
import { readLines } from './read-lines.ts';
import { requestedPath } from './requested-path.ts';

/** Options of {@link localFiles}. */
export interface LocalFilesOptions {
  /**
   * The longest content that `fs/read_text_file` answers with, in bytes of UTF-8. Default 10 MiB. A longer one is refused, never truncated.
   */
  readonly readLimit?: number | undefined;
  /**
   * How far into a file lines are searched for, in bytes: all bytes before a line must be read. Default 1 GiB. Lines beyond are refused.
   */
  readonly searchLimit?: number | undefined;
  /**
   * How a missing file is answered: an error with code -32002, or an empty text. The latter is for agents that do not create a file after
   * an error. Default `error`.
   */
  readonly missingFile?: 'error' | 'empty' | undefined;
}

const defaultReadLimit = 10 * 1024 * 1024;
const defaultSearchLimit = 1024 ** 3;

/**
 * Files of this machine for the agent (`fs/read_text_file`, `fs/write_text_file`), confined to the folders of its session.
 *
 * Reading returns at most `limit` lines (0 is none) from `line` on (from 1; 0 is read as 1), each with its line ending, so that consecutive
 * ranges make up the file. Past the end the text is empty. Byte order marks and `\r\n` are preserved. A file is read only as far as needed,
 * and only the answer is held in memory. Content that is not UTF-8 is refused, and so are lines that begin too far into a file.
 *
 * Writing creates missing folders and replaces the file atomically: an error or a cancelled request leaves the old content. Permissions are
 * preserved, owner and group where the system allows. A symbolic link is written through, if it leads inside; a hard link is broken.
 * Read-only files are refused. Writes to the same path happen in the order of their requests. The last 64 MiB of a disk, of a small one the last
 * twentieth, are not filled: a write that would need them is refused.
 *
 * A folder of the session is the one it was when the session began: if it is replaced by a link, the target is refused. The folders of
 * Turnwire's own settings, keys and sessions are refused too, even inside the session's folders, such as the home folder.
 *
 * No path leads outside: not `..`, links, dangling links, or links created at that moment. On Linux the kernel reports what was opened.
 * Elsewhere a path is checked before and after it is used; a process that keeps swapping folders for links can hit the moment in between,
 * and cause an empty folder or an empty temporary file outside. Named pipes, sockets and devices are never opened.
 *
 * Refusals are ProtocolErrors: -32602 for a path or a range that cannot be used, -32002 for a missing file, -32603 if the system refuses
 * (no permission, disk full), -32800 if the request was cancelled.
 */
export function localFiles(options: LocalFilesOptions = {}): Required<HostFiles> {
  return localFilesHeld(options);
}

/** {@link localFiles} with a given way of keeping files and folders open. */
export function localFilesHeld(options: LocalFilesOptions, holding?: Holding): Required<HostFiles> {
  const turns = new PathTurns();
  return {
    realPath,
    admit: async (request, context) => {
      const path = requestedPath(request.path, context.roots);
      await (await Confinement.of(context, holding)).admit(path);
    },
    readTextFile: (request, context) => readTextFile(request, context, { options, holding }),
    writeTextFile: async (request, context) => {
      const path = requestedPath(request.path, context.roots);
      return turns.take(path, () => writeTextFile({ ...request, path }, context, holding));
    },
  };
}

interface Settings {
  readonly options: LocalFilesOptions;
  readonly holding: Holding | undefined;
}

async function readTextFile(
  request: ReadTextFileRequest,
  context: HostContext,
  { options, holding }: Settings,
): Promise<ReadTextFileResponse> {
  const path = requestedPath(request.path, context.roots);
  const range = rangeOf(request);
  try {
    const confinement = await Confinement.of(context, holding);
    const bytes = await readRange(confinement, path, {
      range,
      limit: options.readLimit ?? defaultReadLimit,
      searchLimit: options.searchLimit ?? defaultSearchLimit,
      signal: context.signal,
    });
    return { content: decoded(bytes, path) };
  } catch (error) {
    if (options.missingFile === 'empty' && isNotFound(error)) return { content: '' };
    throw context.signal.aborted ? requestCancelled() : fileFailure(error, path, 'read');
  }
}

interface Wanted {
  readonly range: LineRange;
  readonly limit: number;
  readonly searchLimit: number;
  readonly signal: AbortSignal;
}

async function readRange(confinement: Confinement, path: string, { range, ...bounds }: Wanted): Promise<Uint8Array> {
  await using held = await confinement.existing(path);
  if (!held.stats.isFile()) throw notRegular(path, held.stats);
  const all = range.first === 1 && range.count === Infinity;
  if (all && held.stats.size > bounds.limit) throw answerTooLong(path, bounds.limit, Number(held.stats.size));
  await using file = await held.open();
  const bytes = await readLines(file, range, bounds);
  if (bytes === 'too-long') throw answerTooLong(path, bounds.limit);
  if (bytes === 'too-far') throw lineTooFar(path, range.first, bounds.searchLimit);
  return bytes;
}

async function writeTextFile(
  { path, content }: WriteTextFileRequest,
  context: HostContext,
  holding: Holding | undefined,
): Promise<WriteTextFileResponse> {
  const { signal } = context;
  try {
    signal.throwIfAborted();
    const confinement = await Confinement.of(context, holding);
    await using location = await confinement.location(path);
    const old = await location.stats();
    if (old !== undefined && !old.isFile()) throw notRegular(path, old);
    await refuseToFill(location, { path, content });
    await replaceHeldFile(location, { content, old, signal });
    return {};
  } catch (error) {
    throw signal.aborted ? requestCancelled() : fileFailure(error, path, 'written');
  }
}

function rangeOf({ line, limit }: ReadTextFileRequest): LineRange {
  return { first: Math.max(1, count('line', line) ?? 1), count: count('limit', limit) ?? Infinity };
}

function count(field: 'line' | 'limit', value: number | null | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidParams(`${field}: expected a whole number, 0 or more. Lines are counted from 1.`);
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText(path);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.resourceNotFound;
}
