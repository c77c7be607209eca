import { StoreError } from '@turnwire/runtime';

/** The fields of an error of the driver. */
interface DriverError {
  /** Five characters of PostgreSQL, or a code of Node. */
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Temporary failures: the server is unavailable, restarts or has too many connections, or two transactions conflicted. */
const temporary = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EAI_AGAIN',
  '40001',
  '40P01',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** Whether a statement may succeed if it is sent again. Class 08 is about connections. */
export function isTemporary(error: unknown): boolean {
  const { code, message } = error as DriverError;
  if (typeof code === 'string') return temporary.has(code) || code.startsWith('08');
  return typeof message === 'string' && /connection (?:terminated|ended)|timeout/i.test(message);
}

/** The error of a call, with advice. `location` names the server and the database, without a password. */
export function storeErrorOf(error: unknown, location: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as DriverError;
  const advice = typeof code === 'string' ? advices[code] : undefined;
  if (code === '22021')
    return new StoreError('invalid-input', 'a text with a NUL character cannot be stored', { cause: error });
  const reason =
    advice ??
    (isTemporary(error)
      ? 'cannot be reached; check that it runs, and its address'
      : `cannot be used: ${String(message)}`);
  return new StoreError('failed', `the database at ${location} ${reason}`, { cause: error });
}

const advices: Readonly<Record<string, string>> = {
  '28P01': 'refused the password',
  '28000': 'refused this user; check its name and the rules of the server for logins',
  '3D000': 'does not exist; create it with: createdb',
  '42501': 'does not let this user make or use the tables; grant it the right to create tables in the schema',
  '53100': 'has no space left on its disk; free some, and try again',
};
