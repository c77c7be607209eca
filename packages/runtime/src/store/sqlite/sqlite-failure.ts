import { systemReason } from '@turnwire/machine';
import { fenced, idTaken, notFound } from '../log-rules.ts';
import { StoreError } from '../store-error.ts';

/** The fields of an error of the thread: an error loses its class between threads. */
export interface Failure {
  /** The reason of `sqlite-database.mjs`. */
  readonly reason?: string | undefined;
  /** The error code of Node. */
  readonly code?: string | undefined;
  /** The result code of SQLite. */
  readonly errcode?: number | undefined;
  readonly message?: string | undefined;
}

/** Makes an error with advice. */
export function storeErrorOf(failure: Failure, path: string): StoreError {
  const refusal = refusals[failure.reason ?? '']?.();
  if (refusal !== undefined) return refusal;
  const message = sentence(failure, path);
  return new StoreError('failed', message, { cause: Object.assign(new Error(failure.message), failure) });
}

const refusals: Readonly<Record<string, () => StoreError>> = {
  'not-found': notFound,
  fenced,
  taken: idTaken,
};

function sentence({ reason, code, errcode, message }: Failure, path: string): string {
  if (reason === 'foreign') return `${path} is a database of another program; choose another path for the sessions`;
  if (reason === 'other-version')
    return `${path} was written by another version of this program; use that one, or move the file away`;
  if (code === 'ERR_MODULE_NOT_FOUND')
    return 'sessions are stored with SQLite and its full-text search, which this Node lacks; use a newer Node, or install the package @photostructure/sqlite@1.2.1 beside this one';
  // The lower byte is the kind of the error, the others its details.
  const advice = errcode === undefined ? undefined : advices[errcode % 256];
  if (advice !== undefined) return advice.replace('PATH', () => path);
  if (code !== undefined && errcode === undefined) return `${path} cannot be opened: ${systemReason(code)}`;
  return `${path} cannot be used: ${message}`;
}

/** Advice by the result codes of SQLite. `PATH` stands for the database. */
const advices: Readonly<Record<number, string>> = {
  5: 'PATH is being written by another process for too long; end that process, or try again',
  8: 'PATH cannot be written; make the file and its folder writable, or choose another path',
  10: 'PATH cannot be read or written because of an error of the disk; check the disk, and restore the file from a backup if need be',
  11: 'PATH is damaged; restore it from a backup, or move it away to begin anew',
  13: 'the disk is full, so PATH cannot grow; free some space and try again',
  14: 'PATH cannot be opened; check that its folder can be written and that the file is a database',
  26: 'PATH is not a database; choose another path, or move it away to begin anew',
};
