/** Where an agent on another machine is reached, for what only its transport shows. */
export interface RemoteEndpoint {
  /** `http:`, `https:`, `ws:` or `wss:`. */
  readonly url: string;
  /** Headers of every request: what authorizes the kit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Which of the two remote transports an endpoint speaks. */
export type RemoteProfile = 'http' | 'websocket';

export function profileOf({ url }: RemoteEndpoint): RemoteProfile {
  return /^wss?:/i.test(url) ? 'websocket' : 'http';
}
