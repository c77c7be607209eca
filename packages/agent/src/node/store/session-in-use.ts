import { hostname } from 'node:os';
import { TurnwireError } from '@turnwire/protocol';

/** @param holder the process that has it open */
export function sessionInUse(
  id: string,
  { pid, host }: { readonly pid: number; readonly host: string },
): TurnwireError {
  const isHere = host === hostname();
  const who = isHere && pid === process.pid ? 'this process' : `process ${pid}${isHere ? '' : ` on ${host}`}`;
  return new TurnwireError('invalid-input', `Session ${id} is in use by ${who}: close it there first`);
}
