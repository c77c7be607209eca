import { isThisMachine } from '@turnwire/protocol';
import { unicodeHost } from './unicode-host.ts';

/** The facts that a user must see before a page of an agent opens (protocol: Elicitation, URL mode). */
export interface UrlConsent {
  /** False if it must not be opened at all; the warnings contain the reason. */
  readonly mayOpen: boolean;
  /** The complete address, as a browser would parse it. Show it as text, never as a link. */
  readonly url: string;
  /** The host, to be shown prominently. Empty if the address has none. */
  readonly host: string;
  /** Warnings, as sentences; empty if there are none. */
  readonly warnings: readonly string[];
}

/** Parses the address of a page to visit. Nothing is fetched or resolved. */
export function urlConsent(address: string): UrlConsent {
  if (!URL.canParse(address)) return refused(address, 'This is not an address that can be opened.');
  const url = new URL(address);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb) return refused(url.href, `This is not a web page: it begins with ${url.protocol}`);
  return { mayOpen: true, url: url.href, host: url.host, warnings: warningsOf(url) };
}

function refused(url: string, warning: string): UrlConsent {
  return { mayOpen: false, url, host: '', warnings: [warning] };
}

function warningsOf({ protocol, hostname, username, password, host }: URL): readonly string[] {
  const warnings: string[] = [];
  if (protocol === 'http:' && !isThisMachine(hostname)) {
    warnings.push('The connection is not encrypted (http): others may read or change what you see and type.');
  }
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push(`The host contains letters that can be mistaken for others: ${unicodeHost(hostname)}`);
  }
  if (username !== '' || password !== '') {
    warnings.push(`The name before the @ may look like the host, but the host is ${host}`);
  }
  return warnings;
}
