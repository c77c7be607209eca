/** The address of a remote agent, for checks of its transport. */
export interface RemoteEndpoint {
  /** `http:`, `https:`, `ws:` or `wss:`. */
  readonly url: string;
  /** Headers for every request, such as credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The remote transports. */
export type RemoteProfile = 'http' | 'websocket';

export function profileOf({ url }: RemoteEndpoint): RemoteProfile {
  return /^wss?:/i.test(url) ? 'websocket' : 'http';
}
