import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { SessionRules, SessionRulesParts } from '@turnwire/runtime';
import type { Permissions } from '@turnwire/permissions';
import { sessionRules } from '../sessions/session-rules.ts';
import type { GlobalOptions } from '../options.ts';

/** What the rules of a chat need besides the options. */
export interface ChatRulesParts {
  readonly differences: AgentDifferences | undefined;
  /** Shows the user a message. */
  readonly say: (message: string) => void;
}

/**
 * The rules by which the gateway of a chat judges: one set for all its sessions, one after the other, so that what the user changes stays
 * until the chat ends.
 */
export class ChatRules {
  readonly permissions: Permissions;
  /** Puts questions to the clients of the session that was opened last. */
  #ask: SessionRulesParts['ask'];

  constructor({ cwd, permission, verbose, agentName: agent }: GlobalOptions, { differences, say }: ChatRulesParts) {
    // What is wrong with the files at the start is in `warnings`: there is no chat yet.
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
