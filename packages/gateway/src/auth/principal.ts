/** On whose behalf a client is connected. The gateway alone decides that: a client's claims about itself have no effect. */
export interface Principal {
  /** The tenant whose sessions it sees. */
  readonly tenant: string;
  readonly scope: Scope;
  /** Limits it to one session of the tenant. Default: all. */
  readonly session?: string | undefined;
  /**
   * Marks the user who runs the gateway. Only the owner reaches beyond the sessions of a tenant: permission rules of the user and of projects, MCP
   * servers, the agent's own list of sessions, any `_meta` for the agent. Tokens from an issuer never belong to the owner. Default: not the owner.
   */
  readonly isOwner?: true | undefined;
}

/** The permissions of a principal: `observe` to watch; `control` to prompt, answer and change sessions too; `admin` to read its metrics as well. */
export type Scope = 'observe' | 'control' | 'admin';

const scopes: readonly string[] = ['observe', 'control', 'admin'] satisfies readonly Scope[];

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return scopes.includes(text);
}
