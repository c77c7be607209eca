import { goReference, lenient, pharo, strict, SeveralValues } from '../../src/dialects/index.ts';
import type { DialectContext, Dialect, Reading } from '../../src/dialects/index.ts';
import type { WireError } from '../../src/json-rpc/wire-error.ts';
import { checks } from '../../src/generated/checks.ts';
import { methods } from '../../src/methods.ts';

export const dialects: readonly Dialect[] = [strict, lenient, goReference, pharo];

export function dialectNamed(name: string): Dialect {
  const dialect = dialects.find((each) => each.name === name);
  if (dialect === undefined) throw new Error(`no dialect is named ${name}`);
  return dialect;
}

/** Which part of which method's messages a value is. */
export type Place = { readonly params: string } | { readonly result: string } | { readonly error: string };

/** What the reader of a value knows besides it. */
export interface Given {
  readonly request?: unknown;
  readonly remote?: unknown;
  readonly directories?: Readonly<Record<string, string>>;
  readonly configOptions?: Readonly<Record<string, readonly unknown[]>>;
}

export function context({ request, remote, directories = {}, configOptions = {} }: Given = {}): DialectContext {
  let count = 0;
  return {
    request,
    remote,
    freshId: (prefix) => `${prefix}${++count}`,
    lookup: { cwd: (id) => directories[id], configOptions: (id) => configOptions[id] },
  };
}

export function reading(dialect: Dialect, place: Place): Reading | undefined {
  if ('params' in place) return dialect.params[place.params];
  return 'result' in place ? dialect.results[place.result] : undefined;
}

/** True if the value has the official form. */
export function isOfficial(place: Place, value: unknown): boolean {
  if ('error' in place) return checks['Error'](value);
  const method = methods[('params' in place ? place.params : place.result) as 'session/new'];
  return checks['params' in place ? method.params : method.result](value);
}

/**
 * What a connection makes of a received value: it is rewritten only if it fails the schema or is suspected, so a
 * deviation that nobody notices shows up here. Null stands for an empty result, as it does for a connection.
 */
export function received(
  dialect: Dialect,
  message: { place: Place; value: unknown; given?: Given },
): readonly unknown[] {
  const { place, value, given } = message;
  if ('error' in place) return [dialect.error?.(value as WireError, place.error, given?.request) ?? value];
  const found = reading(dialect, place);
  const noticed = !isOfficial(place, value) || found?.suspects?.(value) === true;
  const read = noticed && found !== undefined ? found.rewrite(value, context(given)) : value;
  if (read instanceof SeveralValues) return read.values;
  return [read === null && 'result' in place && isOfficial(place, {}) ? {} : read];
}
