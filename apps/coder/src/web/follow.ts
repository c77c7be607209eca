import { ToolError } from '../tool-error.ts';
import { resolveHost } from './addresses.ts';
import { download } from './download.ts';
import type { Reply } from './download.ts';
import { isWeb } from './is-web.ts';

/** A document, or a redirect to another host. */
export type Found = { readonly elsewhere: URL } | (Exclude<Reply, { redirect: URL }> & { readonly url: URL });

/** How a document is fetched. */
export interface Search {
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly wants: (type: string) => boolean;
  /** Called if a host resolves to this machine or its network. Throws if it must not be visited. */
  readonly admitPrivate: (url: URL, address: string) => Promise<void>;
}

const mostRedirects = 8;

/**
 * Fetches a document, following redirects within its host. Each step is checked like the first. Another host is reported, not visited: rules
 * and users decide whether it may be.
 */
export async function follow(start: URL, search: Search): Promise<Found> {
  let url = start;
  for (let step = 0; step <= mostRedirects; step++) {
    const { addresses, privateAddress } = await resolveHost(url.hostname, search.signal);
    if (privateAddress !== undefined) await search.admitPrivate(url, privateAddress);
    const reply = await download({ ...search, url, addresses });
    if (!('redirect' in reply)) return { ...reply, url };
    if (!isSameHost(url, reply.redirect)) return { elsewhere: reply.redirect };
    url = withFragment(reply.redirect, url);
  }
  throw new ToolError(`${start.host} redirects in a circle.`);
}

/** Adding `www.` or encryption does not make another host. */
function isSameHost(from: URL, to: URL): boolean {
  if (!isWeb(to) || (from.protocol === 'https:' && to.protocol === 'http:')) return false;
  const bare = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
  return bare(from) === bare(to) && (from.port === to.port || (from.port === '' && to.port === ''));
}

function withFragment(to: URL, from: URL): URL {
  return to.hash === '' && from.hash !== '' ? Object.assign(new URL(to), { hash: from.hash }) : to;
}
