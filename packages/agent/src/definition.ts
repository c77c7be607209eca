import type {
  ExtensionHandler,
  ExtensionMethod,
  Implementation,
  PromptCapabilities,
  StopReason,
} from '@agentwire/protocol';
import type { Session, SessionSetup } from './session/session.ts';
import type { Turn } from './turn/turn.ts';

/**
 * What makes an agent yours; the protocol around it is the framework's. What is defined is what is advertised.
 * `Memory` is what the agent remembers of one session.
 */
export interface AgentDefinition<Memory = unknown> {
  /** Who the agent is, for logs and people. */
  readonly info: Implementation;
  /** Content besides text and links that prompts may hold. Default: none. */
  readonly promptCapabilities?: PromptCapabilities | undefined;
  /** True if sessions may have further folders beside their working directory. Default false. */
  readonly additionalDirectories?: boolean | undefined;
  /**
   * Begins a session: what it returns is `turn.session.memory` in all its turns.
   * Throw `invalidParams` when the session cannot be, and say why.
   */
  readonly openSession?: (setup: SessionSetup) => Memory | Promise<Memory>;
  /** Ends a session: the client closed it or is gone. No turn is running any more. */
  readonly closeSession?: (session: Session<Memory>) => void | Promise<void>;
  /**
   * Answers one prompt: what the turn says and does reaches the client at once. The turn ends when this returns, with
   * `end_turn` or the reason returned; after a cancel always with `cancelled`. Throw a ProtocolError to answer with an error;
   * of any other error the client learns only that there was one, and the log the rest.
   */
  readonly prompt: (turn: Turn<Memory>) => StopReason | void | Promise<StopReason | void>;
  /** Methods of your own. Their names start with an underscore. */
  readonly extensions?: Readonly<Record<ExtensionMethod, ExtensionHandler<'agent'>>>;
}

/** Defines an agent to serve later, or several times. Serving it is {@link serveAgent}'s. */
export function defineAgent<Memory = undefined>(definition: AgentDefinition<Memory>): AgentDefinition<Memory> {
  return definition;
}
