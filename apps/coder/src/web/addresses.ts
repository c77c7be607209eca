import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import type { IPv6 } from 'ipaddr.js';
import { unlessAborted } from '@turnwire/machine/waits';
import { ToolError } from '../tool-error.ts';

/** A host and its addresses, resolved once: connections go to these addresses and no others. */
export interface ResolvedHost {
  readonly addresses: readonly LookupAddress[];
  /** An address of this machine or its network, or one that cannot be visited. Undefined: all are public. */
  readonly privateAddress: string | undefined;
}

/** Names of this machine, and names that only a local network can resolve. */
const localName = /^(?:[^.]+|.*\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa))\.?$/i;

/** Whether a host is private, by its name or number alone, without resolving it. */
export function looksPrivate(hostname: string): boolean {
  const bare = withoutBrackets(hostname);
  return ipaddr.isValid(bare) ? !isPublicAddress(bare) : localName.test(bare);
}

/** Resolves a host. @throws ToolError if it does not resolve; the signal's reason if it aborts */
export async function resolveHost(hostname: string, signal: AbortSignal): Promise<ResolvedHost> {
  const addresses = await unlessAborted(lookUp(withoutBrackets(hostname)), signal);
  return { addresses, privateAddress: addresses.find(({ address }) => !isPublicAddress(address))?.address };
}

/** Whether an address is public. One that embeds another, for translation, is judged by the embedded one. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  if (address.match(ipaddr.parse('64:ff9b::'), 96))
    return isPublicAddress((address as IPv6).toByteArray().slice(-4).join('.'));
  return address.range() === 'unicast' && address.match(ipaddr.parse('2000::'), 3);
}

async function lookUp(hostname: string): Promise<readonly LookupAddress[]> {
  try {
    const found = await lookup(hostname, { all: true, verbatim: true });
    if (found.length > 0) return found;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ToolError(`There is no host ${hostname}, or its address cannot be found (${reason}).`);
  }
  throw new ToolError(`The host ${hostname} has no address.`);
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
