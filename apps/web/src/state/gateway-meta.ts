type Meta = Readonly<Record<string, unknown>> | null | undefined;

/** What a gateway says beside updates and answers: docs/guide/serve.md. All of it is absent with agents that have none. */
export interface GatewayMeta {
  readonly cursor?: string;
  readonly at?: number;
  readonly role?: 'control' | 'observe';
  readonly gap?: 'trimmed' | 'unknown';
  readonly events?: boolean;
  readonly history?: boolean;
  readonly agent?: string;
  readonly state?: 'working' | 'asking';
  /** Of a fork: what became of the files, where they were to be restored. */
  readonly restored?: string;
  /** Of a login: what to run in a terminal on the machine of the agent. */
  readonly command?: string;
}

/** The part of `_meta` that is the gateway's. */
export function gatewayMeta(meta: Meta): GatewayMeta {
  const found = meta?.['turnwire'];
  return typeof found === 'object' && found !== null ? found : {};
}
