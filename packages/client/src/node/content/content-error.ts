import { TurnwireError } from '@turnwire/protocol';

/** The error for a file that a prompt cannot contain. The message names the file and the reason. */
export function contentError(path: string, reason: string, cause?: unknown): TurnwireError {
  return new TurnwireError('invalid-input', `${path} cannot be attached: ${reason}`, { cause });
}

/** Explains a file system error to a user who attaches a file. */
export function unreadable(path: string, error: unknown): TurnwireError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return contentError(path, reasons[code] ?? `the system reports ${code}.`, error);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check its name, and the folder it is relative to.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  EACCES: 'you have no permission to read it.',
  EPERM: 'you have no permission to read it.',
  ELOOP: 'it is a symbolic link in a cycle.',
  ENAMETOOLONG: 'its name is too long.',
};
