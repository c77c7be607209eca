/** A JSON-RPC id. `0`, `"0"` and `null` are three different ids. */
export type RequestId = number | string | null;

/** An integer too long for a JavaScript number would be returned as another id. */
export function isRequestId(id: unknown): id is RequestId {
  if (typeof id === 'number') return Number.isSafeInteger(id) || (Number.isFinite(id) && !Number.isInteger(id));
  return typeof id === 'string' || id === null;
}
