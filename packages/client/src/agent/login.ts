import {
  TurnwireError,
  authenticationRequired,
  type AuthMethod,
  type AuthMethodTerminal,
  errorCodes,
  ProtocolError,
} from '@turnwire/protocol';
import type { LoginRetry } from '../session/connection.ts';

/**
 * Runs a login in an interactive terminal: the agent's own program, with the command of `terminalLoginCommand` of `@turnwire/client/node`.
 * Resolves with true if it exited with status 0; with false if it failed or the user cancelled it (protocol: Authentication).
 */
export type TerminalLogin = (method: AuthMethodTerminal) => Promise<boolean>;

/** The result of a login. */
export interface LoginResult {
  /** Whether the agent must be closed and restarted to pick up the login, as after one in a terminal. */
  readonly needsRestart: boolean;
}

/** True for a login that {@link TerminalLogin} runs, and that is never passed to `authenticate`. */
export function isTerminalMethod(method: AuthMethod): method is AuthMethod & { readonly type: 'terminal' } {
  return method.type === 'terminal';
}

/** The method with this id. Throws TurnwireError `not-advertised` that lists the existing ones. */
export function findMethod(methods: readonly AuthMethod[], id: string): AuthMethod {
  const method = methods.find((each) => each.id === id);
  if (method) return method;
  const known = methods.map((each) => each.id).join(', ') || 'none';
  throw new TurnwireError('not-advertised', `The agent has no login method "${id}"; it has: ${known}`);
}

/** Runs a login in the user's terminal. */
export async function logInAtTerminal(
  method: AuthMethodTerminal,
  terminalLogin: TerminalLogin | undefined,
): Promise<LoginResult> {
  if (!terminalLogin) {
    const advice = "run the agent's program yourself to log in, then start the agent again";
    throw new TurnwireError(
      'not-advertised',
      `The login "${method.name}" needs a terminal, and this client has none: ${advice}`,
    );
  }
  if (await terminalLogin(method)) return { needsRestart: true };
  throw new TurnwireError('cancelled', `The login "${method.name}" was not completed; try again`);
}

/** Logs in when the agent requires it. Concurrent calls share one login. */
export class SharedLogin {
  readonly #logIn: () => Promise<LoginResult | undefined>;
  #underWay: Promise<LoginResult | undefined> | undefined;

  /** @param logIn resolves with undefined if no login took place */
  constructor(logIn: () => Promise<LoginResult | undefined>) {
    this.#logIn = logIn;
  }

  readonly retrying: LoginRetry = async (attempt, mayRetry = () => true) => {
    try {
      return await attempt();
    } catch (error) {
      if (!wantsLogin(error) || !mayRetry()) throw error;
      const login = await this.#share();
      if (!login || !mayRetry()) throw error;
      if (login.needsRestart) throw restartNeeded();
      return attempt();
    }
  };

  async #share(): Promise<LoginResult | undefined> {
    this.#underWay ??= this.#logIn();
    try {
      return await this.#underWay;
    } finally {
      this.#underWay = undefined;
    }
  }
}

/** Whether the agent requires a login. Dialects with another code for it have been translated. */
function wantsLogin(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

function restartNeeded(): ProtocolError {
  return authenticationRequired('You are logged in now; close the agent and start it again to use the login');
}
