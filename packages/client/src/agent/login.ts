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
 * Runs a login in an interactive terminal: the agent's own program once more, as `terminalLoginCommand` of `@turnwire/client/node` says. Resolves with true
 * if it exited with status 0; with false if it failed or the user went away (protocol: Authentication).
 */
export type TerminalLogin = (method: AuthMethodTerminal) => Promise<boolean>;

/** How a login ended. */
export interface LoginResult {
  /** The agent learns of the login only when it is started anew: close it, start it again, then go on. So it is after one at a terminal. */
  readonly needsRestart: boolean;
}

/** True for a login that {@link TerminalLogin} runs, and that is never passed to `authenticate`. */
export function isTerminalMethod(method: AuthMethod): method is AuthMethod & { readonly type: 'terminal' } {
  return method.type === 'terminal';
}

/** The method of this id. Throws TurnwireError `not-advertised` with what there is. */
export function findMethod(methods: readonly AuthMethod[], id: string): AuthMethod {
  const method = methods.find((each) => each.id === id);
  if (method) return method;
  const known = methods.map((each) => each.id).join(', ') || 'none';
  throw new TurnwireError('not-advertised', `The agent has no way to log in called "${id}"; it has: ${known}`);
}

/** Runs a login at the user's terminal. */
export async function logInAtTerminal(
  method: AuthMethodTerminal,
  terminalLogin: TerminalLogin | undefined,
): Promise<LoginResult> {
  if (!terminalLogin) {
    const advice = "run the agent's program yourself to log in, then start the agent again";
    throw new TurnwireError(
      'not-advertised',
      `"${method.name}" is a login at a terminal, and there is none: ${advice}`,
    );
  }
  if (await terminalLogin(method)) return { needsRestart: true };
  throw new TurnwireError('cancelled', `The login "${method.name}" was not completed; try again`);
}

/** Logs in when the agent wants it. Calls that want it at the same time share one login. */
export class SharedLogin {
  readonly #logIn: () => Promise<LoginResult | undefined>;
  #underWay: Promise<LoginResult | undefined> | undefined;

  /** @param logIn resolves with nothing if nobody logs in */
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

/** True if the agent wants a login first. Dialects with another number for it have been translated. */
function wantsLogin(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

function restartNeeded(): ProtocolError {
  return authenticationRequired('You are logged in now; close the agent and start it again, so that it knows');
}
