import type { Principal } from '../auth/principal.ts';
import { turnwireMeta } from './turnwire-meta.ts';

type Meta = Readonly<Record<string, unknown>>;

/** The keys of `_meta` that any client may send to an agent: those of a trace. Agents read settings and commands from other keys. */
const harmless: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** The part of a client's `_meta` that the agent receives: never our own key; all others from the owner. Undefined if it is empty. */
export function metaForAgent(meta: Meta | null | undefined, { isOwner }: Principal): Meta | undefined {
  const passed = Object.entries(meta ?? {}).filter(([key]) => key !== 'turnwire' && (isOwner || harmless.has(key)));
  return passed.length > 0 ? Object.fromEntries(passed) : undefined;
}

/** The `_meta` for an agent's fork request, with our own fork options. */
export function forkMeta(meta: Meta | null | undefined, principal: Principal): Meta | undefined {
  const { withoutLast, restoreFiles } = turnwireMeta<'session/fork'>(meta);
  const ours = {
    ...(withoutLast !== undefined && { withoutLast }),
    ...(restoreFiles !== undefined && { restoreFiles }),
  };
  const passed = metaForAgent(meta, principal);
  return Object.keys(ours).length > 0 ? { ...passed, turnwire: ours } : passed;
}
