import { TurnwireError } from '@turnwire/protocol';
import type { AuthMethod, ClientCapabilities } from '@turnwire/protocol';
import type { Login } from './login.ts';

/** How users log in to an agent (protocol: Authentication). Throw `authenticationRequired` in `openSession` or `prompt` to request a login. */
export interface AgentAuth {
  /** The login methods. One of type `terminal` is offered only to clients that can open a terminal. */
  readonly methods: readonly AuthMethod[];
  /**
   * Whether a client with these capabilities can use a method: one that needs a page, for example, only a client with `elicitation.url`. Some
   * clients take the first method that is offered, and start no session if it fails. Default: all methods can be used.
   */
  readonly isUsable?: ((method: AuthMethod, capabilities: ClientCapabilities) => boolean) | undefined;
  /**
   * Logs the user in with one of `methods` that is not a terminal. Throw a ProtocolError when it fails. Absent: all methods are terminals.
   */
  readonly authenticate?: ((methodId: string, login: Login) => void | Promise<void>) | undefined;
  /** Logs the user out. Absent: the agent offers no logout. */
  readonly logout?: (() => void | Promise<void>) | undefined;
}

/** The login methods that this client supports. */
export function offeredMethods(
  auth: AgentAuth | undefined,
  capabilities: ClientCapabilities = {},
): readonly AuthMethod[] {
  const hasTerminal = capabilities.auth?.terminal === true;
  return (auth?.methods ?? []).filter(
    (method) => (hasTerminal || !isTerminal(method)) && (auth?.isUsable?.(method, capabilities) ?? true),
  );
}

/** @throws TurnwireError `invalid-input` if a method would be offered to clients without a handler for it */
export function checkAuth({ methods, authenticate }: AgentAuth): void {
  const unanswered = authenticate ? undefined : methods.find((method) => !isTerminal(method));
  if (unanswered !== undefined)
    throw new TurnwireError(
      'invalid-input',
      `auth.methods has ${JSON.stringify(unanswered.id)}, which is not of type "terminal": define auth.authenticate`,
    );
}

function isTerminal(method: AuthMethod): boolean {
  return 'type' in method && method.type === 'terminal';
}
