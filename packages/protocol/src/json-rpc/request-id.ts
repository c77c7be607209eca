/** A JSON-RPC id. `0`, `"0"` and `null` are three different ids. */
export type RequestId = number | string | null;

/** Integers too long for a JavaScript number would come back as another id. */
export function isRequestId(id: unknown): id is RequestId {
  if (typeof id === 'number') return Number.isSafeInteger(id) || (Number.isFinite(id) && !Number.isInteger(id));
  return typeof id === 'string' || id === null;
}
