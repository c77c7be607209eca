import { describe } from '../validation/problem.ts';
import { repairAs } from '../validation/repair.ts';
import { unsent } from './call-errors.ts';
import type { OutgoingMethod } from './method-table.ts';
import type { Parts } from './parts.ts';
import type { Definition } from './rows.ts';

/** Throws unless the message may be sent, so that a mistake is an error on this side, not at the peer. */
export function admitOutgoing(outgoing: OutgoingMethod, params: unknown, parts: Parts): void {
  const { method, row } = outgoing;
  const { wire, handshake, checkOutgoing } = parts;
  if (wire.isClosed) throw unsent(method, 'connection-closed', 'the connection is closed');
  const wrong = misuse(outgoing, parts);
  if (wrong !== undefined) throw unsent(method, 'invalid-message', wrong);
  const tooEarly = handshake.refuseTiming(method);
  if (tooEarly !== undefined) throw unsent(method, 'not-initialized', tooEarly);
  if (row === undefined) return;
  if (checkOutgoing && !row.params.fits(params ?? {})) {
    throw unsent(method, 'invalid-message', whyInvalid(row.params, params ?? {}));
  }
  if (!handshake.advertises(row)) {
    throw unsent(method, 'not-advertised', `the ${row.side} did not advertise ${row.capabilities.join(' or ')}`);
  }
  const refusal = handshake.refuseParams(row.gate, params);
  if (refusal !== undefined) throw unsent(method, 'not-advertised', refusal);
}

/** Why this side never sends the method, or not in this way. */
function misuse({ method, kind, row, isRaw }: OutgoingMethod, { side, handshake }: Parts): string | undefined {
  if (row === undefined) {
    return isRaw || !handshake.isGated || method.startsWith('_')
      ? undefined
      : 'there is no such method; extensions start with "_", and peer.raw sends any';
  }
  if (row.kind !== kind) return `it is a ${row.kind}`;
  return row.side === side ? `only the ${side} handles it` : undefined;
}

/** The mistakes in a value before it is sent. Works on a copy, since repairing would change the caller's object. */
export function whyInvalid({ name, shapes }: Definition, value: unknown): string {
  try {
    return describe(repairAs(name, JSON.parse(JSON.stringify(value)), shapes).problems);
  } catch {
    return 'it cannot be written as JSON';
  }
}
