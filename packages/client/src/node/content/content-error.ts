import { TurnwireError } from '@turnwire/protocol';

/** A file cannot be put into a prompt. The message says which and why. */
export function contentError(path: string, reason: string, cause?: unknown): TurnwireError {
  return new TurnwireError('invalid-input', `${path} cannot be attached: ${reason}`, { cause });
}

/** What an error of the system means for somebody who attaches a file. */
export function unreadable(path: string, error: unknown): TurnwireError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return contentError(path, reasons[code] ?? `the system says ${code}.`, error);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check its name, and the folder it is relative to.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  EACCES: 'you have no permission to read it.',
  EPERM: 'you have no permission to read it.',
  ELOOP: 'it is a symbolic link that leads in a circle.',
  ENAMETOOLONG: 'its name is too long.',
};
