import type { Principal } from '../auth/principal.ts';
import { turnwireMeta } from './turnwire-meta.ts';

type Meta = Readonly<Record<string, unknown>>;

/** What any client may say to an agent in `_meta`: where a request belongs in a trace. Agents read settings and programs to start from other keys. */
const harmless: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** What a client says to the agent in `_meta`, without what is ours: everything if it is the owner. Undefined if that is nothing. */
export function metaForAgent(meta: Meta | null | undefined, { isOwner }: Principal): Meta | undefined {
  const passed = Object.entries(meta ?? {}).filter(([key]) => key !== 'turnwire' && (isOwner || harmless.has(key)));
  return passed.length > 0 ? Object.fromEntries(passed) : undefined;
}

/** The same of a request for a fork, with what ours says about the fork. */
export function forkMeta(meta: Meta | null | undefined, principal: Principal): Meta | undefined {
  const { withoutLast, restoreFiles } = turnwireMeta(meta);
  const ours = {
    ...(withoutLast !== undefined && { withoutLast }),
    ...(restoreFiles !== undefined && { restoreFiles }),
  };
  const passed = metaForAgent(meta, principal);
  return Object.keys(ours).length > 0 ? { ...passed, turnwire: ours } : passed;
}
