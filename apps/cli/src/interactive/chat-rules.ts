import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { SessionRules, SessionRulesParts } from '@turnwire/runtime';
import type { Permissions } from '@turnwire/permissions';
import { sessionRules } from '../sessions/session-rules.ts';
import type { GlobalOptions } from '../options.ts';

/** The parts of {@link ChatRules} in addition to the options. */
export interface ChatRulesParts {
  readonly differences: AgentDifferences | undefined;
  /** Shows the user a message. */
  readonly say: (message: string) => void;
}

/**
 * The permission rules of a chat's gateway. All sessions of the chat share one set, so changes of the user last until the chat ends.
 */
export class ChatRules {
  readonly permissions: Permissions;
  /** Asks the clients of the session that was opened last. */
  #ask: SessionRulesParts['ask'];

  constructor({ cwd, permission, verbose, agentName: agent }: GlobalOptions, { differences, say }: ChatRulesParts) {
    // Warnings about the files at the start are in `warnings`, because the chat does not exist yet.
    let onWarning: (message: string) => void = () => undefined;
    const make = sessionRules(permission, {
      differences: () => differences,
      ...(verbose && { warn: (message) => onWarning(message) }),
    });
    this.permissions = make(
      { cwd, agent },
      {
        ask: async (question) => this.#ask?.(question),
        onWarning: (message) => onWarning(message),
        made: [],
        stop: () => undefined,
      },
    );
    onWarning = say;
  }

  readonly ofSession: SessionRules = (_session, { ask }) => {
    this.#ask = ask;
    return this.permissions;
  };
}
