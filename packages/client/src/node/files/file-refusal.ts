import type { StatsBase } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { errorCodes, invalidParams, ProtocolError, resourceNotFound } from '@turnwire/protocol';
import { codeOf, kindOf, MovedError, ownFoldersReason, systemReason } from '@turnwire/machine';

/** The operation that an agent requested. */
export type FileAction = 'read' | 'written';

/** The path leads outside the session's folders, or may do so. */
export function outsideRoots(path: string, roots: readonly string[]): ProtocolError {
  return invalidParams(
    `${path} is outside the folders of this session (${roots.join(', ')}), or cannot be shown to be inside. ` +
      'Use a path inside them, or ask the user to add that folder to the session.',
  );
}

/** The path leads into a folder of the product's own files. */
export function ownFile(path: string): ProtocolError {
  return invalidParams(`${path} is out of reach: ${ownFoldersReason}. Ask the user to do it.`);
}

/** A folder of the session is no longer the one the session began with. */
export function rootReplaced(path: string, [root, leadsTo]: readonly [root: string, leadsTo: string]): ProtocolError {
  return invalidParams(
    `${path} is not used: since the session began, its folder ${root} was replaced by a link that leads to ${leadsTo}. ` +
      'Put the folder back, or start a new session.',
  );
}

/** The error for a missing file at an allowed path. */
export function fileNotFound(path: string): ProtocolError {
  return resourceNotFound(`File not found: ${path}`, { uri: pathToFileURL(path).href });
}

/** The path leads to a folder, or to a special file that could block or have side effects. */
export function notRegular(path: string, stats: StatsBase<bigint>): ProtocolError {
  const hint = stats.isDirectory() ? 'Specify a file in it.' : 'Only regular files are opened.';
  return invalidParams(`${path} is ${kindOf(stats)}, not a file. ${hint}`);
}

function movedMeanwhile(path: string): ProtocolError {
  return invalidParams(
    `${path}: a folder on the way to it was moved or replaced in the meantime; nothing was done. Try again.`,
  );
}

/** The answer would be longer than the limit. */
export function answerTooLong(path: string, limit: number, size?: number): ProtocolError {
  const what = size === undefined ? `The requested part of ${path} is longer` : `${path} is ${size} bytes long, more`;
  return invalidParams(`${what} than the limit of ${limit} bytes per answer. Read it in parts, with line and limit.`);
}

/** Finding the line would take too long. */
export function lineTooFar(path: string, line: number, searchLimit: number): ProtocolError {
  return invalidParams(
    `Line ${line} of ${path} does not begin in its first ${searchLimit} bytes, and lines are not searched beyond that. ` +
      'Request an earlier line, or read the file with a command.',
  );
}

/** The file is not UTF-8 text; guessing would damage it when the agent writes it back. */
export function notText(path: string): ProtocolError {
  return invalidParams(`${path} is binary or not UTF-8 text, and cannot be read as text. Read it with another tool.`);
}

/**
 * Converts a file system error for the agent: -32602 when the path is unusable, -32603 when the path is fine and the system refuses. A
 * ProtocolError stays unchanged.
 */
export function fileFailure(error: unknown, path: string, action: FileAction): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof MovedError) return movedMeanwhile(path);
  const code = codeOf(error);
  if (misuses.has(code)) return invalidParams(`${path} cannot be ${action}: ${systemReason(code)}`);
  const unharmed = action === 'written' ? ' The old content is unchanged.' : '';
  return new ProtocolError(errorCodes.internalError, `${path} cannot be ${action}: ${systemReason(code)}${unharmed}`);
}

/** Errors of the path, not of the system. */
const misuses: ReadonlySet<string | undefined> = new Set(['EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENOENT']);
