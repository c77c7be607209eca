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
import { answerTooLong, fileFailure, lineTooFar, notRegular, notText } from './file-refusal.ts';
import type { LineRange } from './line-window.ts';
import { readLines } from './read-lines.ts';
import { requestedPath } from './requested-path.ts';

/** How {@link localFiles} behaves. */
export interface LocalFilesOptions {
  /** The longest content `fs/read_text_file` answers with, in bytes of UTF-8. Default 10 MiB. More is refused, never cut off. */
  readonly readLimit?: number | undefined;
  /** How far into a file lines are looked for, in bytes: to find one, all before it is read. Default 1 GiB. What begins later is refused. */
  readonly searchLimit?: number | undefined;
  /**
   * What a missing file reads as: an error of code -32002, or an empty text. For agents that take no error to mean that they may
   * create the file. Default `error`.
   */
  readonly missingFile?: 'error' | 'empty' | undefined;
}

const defaultReadLimit = 10 * 1024 * 1024;
const defaultSearchLimit = 1024 ** 3;

/**
 * The files of this machine for the agent (`fs/read_text_file`, `fs/write_text_file`), and of them only those in the folders of its session.
 *
 * Reading gives the lines from `line` (from 1; 0 is read as 1) on, at most `limit` of them (0 is none), each with its line ending, so that
 * ranges read one after another make up the file. Past the end there is nothing: the empty text. Byte order marks and `\r\n` stay.
 * A file is read only as far as needed and never held in memory beyond the answer. What is not UTF-8 is refused, and so are lines that
 * begin too far into a file.
 *
 * Writing makes the folders that are missing and replaces the file in one step: nobody sees half of it, and an error or a cancelled
 * request leaves what was there. Permissions stay, owner and group where the system allows. A symbolic link is written through, if it
 * leads inside; a hard link is broken. Files marked read-only are refused. Writes to the same path happen in the order they were asked for.
 *
 * A folder of the session is the one it was when the session began: when a link takes its place, what it leads to is refused. Refused
 * as well are the folders in which Turnwire keeps its own settings, keys and sessions, also where they are inside, as in the home folder.
 *
 * No path leads outside: not `..`, links, links to nothing, links put there at the very moment. On Linux the kernel's word on what was
 * opened decides. Elsewhere a path is checked before and after it is used; a process that keeps exchanging folders for links can hit
 * the moment between, and make an empty folder or an empty draft appear outside.
 * Named pipes, sockets and devices are never opened.
 *
 * Refusals are ProtocolErrors: -32602 for a path or a range that cannot be used, -32002 for a missing file, -32603 if the
 * system refuses (no permission, disk full), -32800 if the request was cancelled.
 */
export function localFiles(options: LocalFilesOptions = {}): Required<HostFiles> {
  return localFilesHeld(options);
}

/** {@link localFiles} with a way to hold on to things other than this machine's best. */
export function localFilesHeld(options: LocalFilesOptions, holding?: Holding): Required<HostFiles> {
  const turns = new PathTurns();
  return {
    realPath,
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
    await using place = await confinement.place(path);
    const old = await place.stats();
    if (old !== undefined && !old.isFile()) throw notRegular(path, old);
    await replaceHeldFile(place, { content, old, signal });
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
