import type { AgentDefinition } from '../definition.ts';

/** A method of each capability of sessions that the stable types lack. */
const unstableMethods: ReadonlyMap<string, string> = new Map([
  ['fork', 'session/fork'],
  ['archive', 'session/archive'],
  ['status', 'session/status'],
  ['title', 'session/set_title'],
]);

/** The capabilities of the edition, which the stable types lack. */
export function unstableCapabilities<Memory>({ editionV2, capabilities }: AgentDefinition<Memory>): {
  readonly session?: object;
  readonly [name: string]: unknown;
} {
  if (editionV2 === undefined) return {};
  type Unstable = { readonly [name: string]: unknown };
  const { sessionCapabilities, auth, providers } = (capabilities ?? {}) as {
    readonly sessionCapabilities?: Unstable;
    readonly auth?: Unstable;
    readonly providers?: unknown;
  };
  const has = (method: string): boolean => Object.hasOwn(editionV2.methods, method);
  const session = Object.entries({ ...sessionCapabilities }).filter(([name]) => has(unstableMethods.get(name) ?? ''));
  return {
    session: Object.fromEntries(session),
    ...(auth?.['status'] !== undefined && has('auth/status') && { auth: { status: auth['status'] } }),
    ...(providers !== undefined && has('providers/list') && { providers }),
  };
}
