import type { Fault } from '../../../verdict/observer.ts';
import type { Reply } from '../../../wire/messages.ts';

/** The fault of an answer that should be this error. */
export function failsWith({ error }: Reply, code: number, what: string): Fault {
  const answer = error === undefined ? 'a result' : `the error ${String(error.code)}`;
  return error?.code !== code && `${what} was answered with ${answer} instead of the error ${code}`;
}
