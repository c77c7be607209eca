import { unicodeHost } from './unicode-host.ts';

/** What a user must see before a page is opened at an agent's wish (protocol: Elicitation, URL mode). */
export interface UrlConsent {
  /** False if it must not be opened at all; the warnings say why. */
  readonly mayOpen: boolean;
  /** The full address, in the form a browser would read it. Show it as text, never as a link. */
  readonly url: string;
  /** The host it leads to, to be made prominent. Empty if there is none. */
  readonly host: string;
  /** What to beware of, as plain sentences; empty if nothing. */
  readonly warnings: readonly string[];
}

/** Reads an address an agent wants the user to visit. Nothing is fetched or looked up. */
export function urlConsent(address: string): UrlConsent {
  if (!URL.canParse(address)) return refused(address, 'This is not an address that can be opened.');
  const url = new URL(address);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb) return refused(url.href, `This is no web page: it begins with ${url.protocol}`);
  return { mayOpen: true, url: url.href, host: url.host, warnings: warningsOf(url) };
}

function refused(url: string, warning: string): UrlConsent {
  return { mayOpen: false, url, host: '', warnings: [warning] };
}

function warningsOf({ protocol, hostname, username, password, host }: URL): readonly string[] {
  const warnings: string[] = [];
  if (protocol === 'http:' && !isLoopback(hostname)) {
    warnings.push('The connection is not encrypted (http): others may read or change what you see and type.');
  }
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push(`The host is written with letters that can be mistaken for others: ${unicodeHost(hostname)}`);
  }
  if (username !== '' || password !== '') {
    warnings.push(`A name before the @ may look like the host, which is ${host}`);
  }
  return warnings;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}
