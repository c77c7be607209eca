import type {
  AddedHandlers,
  AvailableCommand,
  DefinitionOf,
  Edition,
  EditionTypes,
  Implementation,
  McpCapabilities,
  PromptCapabilities,
  SessionConfigOption,
  SessionMode,
  V1,
} from '@turnwire/protocol';
import type { AgentAuth } from './agent-auth.ts';
import type { Session, SessionSetup } from './session/session.ts';
import type { SessionStore } from './store/session-store.ts';
import type { PromptEnd, Turn } from './turn/turn.ts';

/**
 * The definition of an agent; the framework implements the rest of the protocol. Defined parts are advertised; the methods of absent parts
 * do not exist. `Memory` is the agent's state of one session, `E` the type of its edition.
 */
export interface AgentDefinition<Memory = unknown, E extends EditionTypes = V1> {
  /** Name and version of the agent, for logs and users. */
  readonly info: Implementation;
  /** Content besides text and links that prompts may contain. Default: none. */
  readonly promptCapabilities?: PromptCapabilities | undefined;
  /** Transports for MCP servers besides standard input and output. Default: none. */
  readonly mcpCapabilities?: McpCapabilities | undefined;
  /**
   * The methods and updates of the connection. Default: the stable ones of version 1. With `v1Unstable` of `@turnwire/protocol/unstable`
   * the agent can serve unstable methods ({@link extensions}), advertise them ({@link capabilities}), and send unstable updates.
   */
  readonly edition?: Edition<E> | undefined;
  /**
   * The same for connections of version 2. With `v2Unstable` of `@turnwire/protocol/v2/unstable` the methods of that edition are served by the
   * same {@link extensions} and {@link sessionForked}; the parameters are those of version 2. Default: the stable methods.
   */
  readonly editionV2?: Edition | undefined;
  /**
   * Capabilities besides those that follow from the definition, such as `{ sessionCapabilities: { fork: {} } }`; each is advertised
   * unchanged. In version 2, those that {@link editionV2} has are advertised where that version has them. Default: none.
   */
  readonly capabilities?: DefinitionOf<'AgentCapabilities', NoInfer<E>> | undefined;
  /** `_meta` of the capabilities: extensions of the protocol, for clients that know them. Default: none. */
  readonly capabilitiesMeta?: Readonly<Record<string, unknown>> | undefined;
  /** True if sessions may have further folders besides their working directory. Default false. */
  readonly additionalDirectories?: boolean | undefined;
  /**
   * Where sessions are stored. With a store the agent loads, lists, resumes and deletes sessions; without one they live as long as the
   * connection. Everything sent to a session's client is stored automatically; see {@link Session.keep} for the rest.
   */
  readonly store?: SessionStore | undefined;
  /** How users log in (protocol: Authentication). Default: no login is needed. */
  readonly auth?: AgentAuth | undefined;
  /** The modes of a session; it starts in the first. Clients see them as a configuration option too. Default: no modes. */
  readonly modes?: readonly SessionMode[] | undefined;
  /**
   * The configuration options of a session with their initial values, most important first; or a function that returns them, which is
   * called whenever they are shown, so that options may depend on each other. The values chosen by the user are filled in afterwards. With
   * modes, an option with id or category `mode` is left out: the modes are shown in its place.
   * Options of type `boolean` are shown only to clients that support them, so the agent must work without them being set.
   */
  readonly configOptions?:
    | readonly SessionConfigOption[]
    | ((session: Session<Memory>) => readonly SessionConfigOption[])
    | undefined;
  /**
   * The slash commands of a session, or a function that returns them; they are sent to the client after its session is set up. Default:
   * none.
   */
  readonly commands?:
    | readonly AvailableCommand[]
    | ((session: Session<Memory>) => readonly AvailableCommand[] | Promise<readonly AvailableCommand[]>)
    | undefined;
  /**
   * Starts a session, or continues a stored one (`setup.restored`). The returned value is `turn.session.memory` in all its turns. Throw
   * `invalidParams` when the session cannot be opened, and `authenticationRequired` when the user has to log in first.
   *
   * TypeScript infers `Memory` from it: write it before the parts that use the memory, or name the type, as in `defineAgent<Memory>`.
   * @param signal aborts when the client cancels the request or disconnects; pass it on to anything that takes time
   */
  readonly openSession?: (setup: SessionSetup, signal: AbortSignal) => Memory | Promise<Memory>;
  /** Ends a session: the client closed it or disconnected. No turn is running any more. */
  readonly closeSession?: (session: Session<Memory>) => void | Promise<void>;
  /**
   * A client forked a session (`session/fork`, unstable): this one began with the history of another, and is open now. The return value is
   * merged with {@link sessionMeta} into `_meta` of the answer. Absent: sessions cannot be forked; nor can they without an {@link edition}
   * that has the method, such as `v1Unstable` of `@turnwire/protocol/unstable`, and a store that can {@link SessionStore.read}.
   */
  readonly sessionForked?:
    | ((session: Session<Memory>, fork: SessionFork<Memory>) => Meta | undefined | Promise<Meta | undefined>)
    | undefined;
  /** The client set another mode, which is `session.modeId` already. Throw to stay in the old one. */
  readonly modeChanged?: (session: Session<Memory>) => void | Promise<void>;
  /** The client set a configuration option; `session.option(id)` returns the new value already. Throw to keep the old one. */
  readonly optionChanged?: (session: Session<Memory>, id: string) => void | Promise<void>;
  /**
   * Answers one prompt; everything the turn sends reaches the client at once. The turn ends when this returns, with `end_turn` or the
   * returned reason; after a cancel always with `cancelled`. Throw a ProtocolError to answer with an error; for any other error the client
   * receives a generic message, and the log the details.
   *
   * TypeScript widens a string literal returned from an `async` handler to `string`: write `return 'refusal' as const` there. To put
   * something into `_meta` of the answer, return `{ stopReason, _meta }`.
   */
  readonly prompt: (turn: Turn<Memory, NoInfer<E>>) => PromptEnd | Promise<PromptEnd>;
  /**
   * Further methods: those of the {@link edition}, your own, whose names start with an underscore, and under `*` a handler for all others,
   * such as those of a draft; `context.method` has the name.
   */
  readonly extensions?: AddedHandlers<'agent', NoInfer<E>> | undefined;
  /**
   * Chooses the id of a new session: any text that is not empty and not in use. Default: a random UUID.
   * @param setup the client's request
   */
  readonly sessionId?: ((setup: Omit<SessionSetup, 'id'>) => string | Promise<string>) | undefined;
  /**
   * True if turns take prompts in with {@link Turn.takeWaiting}. The agent then serves and advertises `_session/steering`, an extension of
   * several agents by which a client sends a prompt into the running turn and learns whether it got there. Default false.
   */
  readonly steering?: boolean | undefined;
  /** `_meta` of the answer to `initialize`. Default: none. */
  readonly initializeMeta?: Meta | undefined;
  /** `_meta` of the answer to `session/new`, `session/load` and `session/resume`. Default: none. */
  readonly sessionMeta?: ((session: Session<Memory>) => Meta | undefined) | undefined;
}

/** How a session was forked. */
export interface SessionFork<Memory = unknown> {
  /** The source session, which continues. Undefined unless it is open on this connection. */
  readonly source: Session<Memory> | undefined;
  /** `_meta` of the request. */
  readonly meta: Meta | undefined;
}

/** Content of `_meta`: any JSON, under keys that other implementations may not know. */
export type Meta = Readonly<Record<string, unknown>>;

/** Defines an agent to serve later, or several times, with {@link serveAgent}. */
export function defineAgent<Memory = undefined, E extends EditionTypes = V1>(
  definition: AgentDefinition<Memory, E>,
): AgentDefinition<Memory, E> {
  return definition;
}
