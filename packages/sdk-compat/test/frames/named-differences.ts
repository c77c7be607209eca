import { isDeepStrictEqual } from 'node:util';
import { v1Unstable } from '@turnwire/protocol/unstable';
import type { Observed } from './watched-program.ts';

interface Frame {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The differences between both packages. Each name is a row of the README of the package. */
const names = {
  envelope: 'an answer to a message that is not valid JSON-RPC has its id, if it can be read',
  largeId: 'an id that JavaScript cannot represent exactly is refused',
  noId: 'a message with the method of a request and no id is dropped',
  cancel: 'handlers for all notifications do not receive `$/cancel_request`',
  error: 'an error object that is not valid keeps its code, or gets -32603',
  textId: 'an answer whose id is the text of a number settles the request with that number',
  nullResult: 'a result that is null is `{}` where the protocol expects an object',
  invalid: 'parameters that do not fit the protocol may be repaired or refused where the other package does not',
  variant: 'handlers receive variants that the version does not name',
  parameters: 'handlers receive unknown fields, no defaults of absent ones, and `{}` without parameters',
} as const;

/** The name of the difference between what both saw of a frame. `none`: they are equal. `undefined`: an unknown difference. */
export function difference(text: string, theirs: Observed, ours: Observed): string | undefined {
  if (isDeepStrictEqual(theirs, ours)) return 'none';
  // Nothing that comes from the other side may end our connection.
  if (ours.isClosed) return undefined;
  const frame = parsed(text);
  if (frame === undefined || !isValid(frame)) return names.envelope;
  const { id, method, error } = frame;
  if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)) return names.largeId;
  if (error !== undefined && !isErrorObject(error)) return names.error;
  if (method === '$/cancel_request') return names.cancel;
  if (typeof method === 'string' && id === undefined && ours.calls.length === 0) return names.noId;
  if (method === undefined && typeof id === 'string' && theirs.settled === undefined) return names.textId;
  if (method === undefined && frame.result === null) return names.nullResult;
  const row = Object.entries(v1Unstable.methods).find(([each]) => each === method)?.[1];
  if (row !== undefined && v1Unstable.checks[row.params]?.(frame.params) !== true) return names.invalid;
  if (row !== undefined && theirs.calls.length === 0 && ours.calls.length > 0) return names.variant;
  if (!isDeepStrictEqual({ ...theirs, calls: [] }, { ...ours, calls: [] })) return undefined;
  if (theirs.calls.length !== ours.calls.length) return undefined;
  const areAlike = (isLeftOut: (item: unknown) => boolean): boolean =>
    theirs.calls.every(([called, params], index) => {
      const [oursCalled, oursParams] = ours.calls[index] ?? [];
      return called === oursCalled && isPart(params, oursParams, isLeftOut);
    });
  if (areAlike(() => false)) return names.parameters;
  return areAlike(isVariant) ? names.variant : undefined;
}

/** The official package leaves items of lists out whose type it does not know. */
function isVariant(item: unknown): boolean {
  return isObject(item) && typeof item['type'] === 'string';
}

function parsed(text: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A request, a notification or a response, as JSON-RPC 2.0 defines them. */
function isValid(frame: Frame): boolean {
  const { jsonrpc, id, method, params } = frame;
  const isId = id === undefined || id === null || typeof id === 'string' || Number.isFinite(id);
  if (jsonrpc !== '2.0' || !isId) return false;
  if (typeof method === 'string') return params === undefined || (typeof params === 'object' && params !== null);
  return !('method' in frame) && id !== undefined && 'result' in frame !== 'error' in frame;
}

function isErrorObject(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return Number.isInteger(code) && typeof message === 'string';
}

/**
 * Whether the official parameters are ours without unknown fields, or with defaults of absent ones.
 * @param isLeftOut whether the official list may lack an item of ours
 */
function isPart(theirs: unknown, ours: unknown, isLeftOut: (item: unknown) => boolean): boolean {
  if (theirs === undefined) return isDeepStrictEqual(ours, {});
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const left: unknown[] = [...theirs];
    const fits = (item: unknown): boolean => left.length > 0 && isPart(left[0], item, isLeftOut);
    return ours.every((item) => (fits(item) ? (left.shift(), true) : isLeftOut(item))) && left.length === 0;
  }
  if (!isObject(theirs) || !isObject(ours) || Array.isArray(theirs) !== Array.isArray(ours))
    return isDeepStrictEqual(theirs, ours);
  return Object.entries(theirs).every(([key, value]) =>
    key in ours ? isPart(value, ours[key], isLeftOut) : isDefault(value),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isDefault(value: unknown): boolean {
  return value === false || value === null || (isObject(value) && Object.values(value).every(isDefault));
}
