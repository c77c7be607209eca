/** On whose behalf a client is connected. It is decided on this side alone: what a client declares of itself has no effect. */
export interface Principal {
  /** Whose sessions it sees. */
  readonly tenant: string;
  readonly scope: Scope;
  /** The only session of them that it sees. Default: all. */
  readonly session?: string | undefined;
  /**
   * The user who runs the gateway, and who alone reaches beyond the sessions of a tenant: rules of the user and of projects, MCP servers,
   * the agent's own list of sessions, any `_meta` for the agent. An issuer's tokens are never the owner's. Default: somebody else.
   */
  readonly isOwner?: true | undefined;
}

/** What a principal may do: `observe` to watch, `control` to prompt, answer and change sessions too, `admin` to read its metrics as well. */
export type Scope = 'observe' | 'control' | 'admin';

const scopes: readonly string[] = ['observe', 'control', 'admin'] satisfies readonly Scope[];

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return scopes.includes(text);
}
