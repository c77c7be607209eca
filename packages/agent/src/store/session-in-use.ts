import { TurnwireError } from '@turnwire/protocol';

/** @param holder process id of who has it open */
export function sessionInUse(id: string, holder: number): TurnwireError {
  const who = holder === process.pid ? 'this process' : `process ${holder}`;
  return new TurnwireError('invalid-input', `Session ${id} is in use by ${who}: close it there first`);
}
