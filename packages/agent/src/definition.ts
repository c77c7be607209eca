import type {
  AvailableCommand,
  Extensions,
  Implementation,
  McpCapabilities,
  PromptCapabilities,
  PromptResponse,
  SessionConfigOption,
  SessionMode,
  StopReason,
} from '@turnwire/protocol';
import type { AgentAuth } from './agent-auth.ts';
import type { Session, SessionSetup } from './session/session.ts';
import type { SessionStore } from './store/session-store.ts';
import type { Turn } from './turn/turn.ts';

/**
 * What makes an agent yours; the protocol around it is the framework's. What is defined is what is advertised: a part that is
 * absent is a method the agent does not have. `Memory` is what the agent remembers of one session.
 */
export interface AgentDefinition<Memory = unknown> {
  /** Who the agent is, for logs and people. */
  readonly info: Implementation;
  /** Content besides text and links that prompts may hold. Default: none. */
  readonly promptCapabilities?: PromptCapabilities | undefined;
  /** How MCP servers are reached besides standard input and output. Default: not at all. */
  readonly mcpCapabilities?: McpCapabilities | undefined;
  /** `_meta` of the capabilities: what the agent understands beside the protocol, for clients that know it. Default: nothing. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>> | undefined;
  /** True if sessions may have further folders beside their working directory. Default false. */
  readonly additionalDirectories?: boolean | undefined;
  /**
   * Where sessions are kept. With a store the agent loads, lists, resumes and deletes sessions; without one they live as long as
   * the connection. Whatever a session's client was told is stored by itself; see {@link Session.keep} for the rest.
   */
  readonly store?: SessionStore | undefined;
  /** How users log in (protocol: Authentication). Default: they need not. */
  readonly auth?: AgentAuth | undefined;
  /** The modes of a session; it begins in the first. Clients are shown them as a configuration option too. Default: no modes. */
  readonly modes?: readonly SessionMode[] | undefined;
  /**
   * The configuration options of a session, most important first, with the values they begin with; or how to know them, which is
   * asked whenever they are shown, so that options may depend on each other. What was chosen is filled in afterwards. With modes, one of
   * id or category `mode` is left out: the modes are shown in its place.
   * Options of type `boolean` are shown only to clients that know them, so the agent must do without them being set.
   */
  readonly configOptions?:
    | readonly SessionConfigOption[]
    | ((session: Session<Memory>) => readonly SessionConfigOption[])
    | undefined;
  /** The slash commands of a session, or how to find them out; the client learns them after its session is set up. Default: none. */
  readonly commands?:
    | readonly AvailableCommand[]
    | ((session: Session<Memory>) => readonly AvailableCommand[] | Promise<readonly AvailableCommand[]>)
    | undefined;
  /**
   * Begins a session, or continues with a stored one (`setup.restored`): what it returns is `turn.session.memory` in all its turns.
   * Throw `invalidParams` when the session cannot be, and `authenticationRequired` when somebody has to log in first.
   *
   * It is what tells TypeScript what `Memory` is: write it before the parts that use the memory, or name the type, as in
   * `defineAgent<Memory>`.
   * @param signal aborts when the client gives the session up or is gone; pass it on to whatever takes time
   */
  readonly openSession?: (setup: SessionSetup, signal: AbortSignal) => Memory | Promise<Memory>;
  /** Ends a session: the client closed it or is gone. No turn is running any more. */
  readonly closeSession?: (session: Session<Memory>) => void | Promise<void>;
  /** The client put the session into another mode, which is `session.modeId` already. Throw to stay in the old one. */
  readonly modeChanged?: (session: Session<Memory>) => void | Promise<void>;
  /** The client set a configuration option, which `session.option(id)` tells already. Throw to keep the old value. */
  readonly optionChanged?: (session: Session<Memory>, id: string) => void | Promise<void>;
  /**
   * Answers one prompt: what the turn says and does reaches the client at once. The turn ends when this returns, with
   * `end_turn` or the reason returned; after a cancel always with `cancelled`. Throw a ProtocolError to answer with an error;
   * of any other error the client learns only that there was one, and the log the rest.
   *
   * TypeScript takes the only reason an `async` handler returns for any text: write `return 'refusal' as const` there. To put something
   * into `_meta` of the answer, return `{ stopReason, _meta }`.
   */
  readonly prompt: (turn: Turn<Memory>) => PromptEnd | Promise<PromptEnd>;
  /**
   * Methods beside those of the protocol: your own, whose names start with an underscore, and by `*` every other that nothing here
   * handles, such as one of a draft; `context.method` tells which.
   */
  readonly extensions?: Extensions<'agent'> | undefined;
  /**
   * Chooses the id of a new session: any text that is not empty, and that no other session has. Default: a random UUID.
   * @param setup what the client asked for
   */
  readonly sessionId?: ((setup: Omit<SessionSetup, 'id'>) => string | Promise<string>) | undefined;
  /** `_meta` of the answer to `initialize`. Default: none. */
  readonly initializeMeta?: Meta | undefined;
  /** `_meta` of the answer that sets a session up: to `session/new`, `session/load` and `session/resume`. Default: none. */
  readonly sessionMeta?: ((session: Session<Memory>) => Meta | undefined) | undefined;
}

/** How a turn ends: with `end_turn`, a reason, or an answer with `_meta` in it. */
export type PromptEnd = StopReason | PromptResponse | void;

/** What goes into `_meta`: anything JSON can hold, under keys others may not know. */
export type Meta = Readonly<Record<string, unknown>>;

/** Defines an agent to serve later, or several times. Serving it is {@link serveAgent}'s. */
export function defineAgent<Memory = undefined>(definition: AgentDefinition<Memory>): AgentDefinition<Memory> {
  return definition;
}
