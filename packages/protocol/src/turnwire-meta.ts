import type { AgentCapabilities, AuthMethod, Implementation } from './generated/types.ts';
import type { QuestionView } from './question-view.ts';

type Meta = Readonly<Record<string, unknown>> | null | undefined;

/**
 * The fields of `_meta.turnwire`, by the message that carries them. `docs/guide/serve.md` explains them. All of them are optional on the
 * wire:
 * other clients and agents do not send any.
 */
export interface TurnwireMeta {
  /** The capabilities of a client. The default of `asks`, `services` and `decidesLimits` is true, of the others false. */
  readonly initialize: {
    /** The client reads `_turnwire/event`, `_turnwire/queue` and `_turnwire/state`. */
    readonly events?: boolean;
    /** The client reads updates and events as `_turnwire/events`. */
    readonly batches?: boolean;
    /** The client shows its own prompts when the log has them. */
    readonly ownPrompts?: boolean;
    /** The client has a user who answers permission requests. */
    readonly asks?: boolean;
    /** A turn that reaches a limit of its budgets asks the user by a form. False: the turn ends. */
    readonly decidesLimits?: boolean;
    /** The agent may use the files and terminals of the client. */
    readonly services?: boolean;
    /** The gateway answers before it starts an agent. */
    readonly startsLater?: boolean;
  };
  /** The capabilities of a gateway. */
  readonly 'initialize answer': {
    readonly cursors: true;
    readonly events: true;
    readonly batches: true;
    readonly history: true;
    readonly queue: true;
    readonly states: true;
    readonly roles: readonly ['control', 'observe'];
    /** The id of this client in the `by` of events. */
    readonly connection: string;
  };
  /** The capabilities of an agent. */
  readonly 'agent capabilities': {
    /** The agent applies `permissionLimits` of a prompt. */
    readonly permissionLimits?: true;
    /** The agent uses the record of a turn that `recordedTurn` of its prompt names, and makes none of its own. */
    readonly recordedTurn?: true;
  };
  /** The settings of forks that an agent or a gateway knows, in its fork capability. */
  readonly 'fork capability': { readonly [setting in keyof TurnwireMeta['session/fork']]?: true };
  /** A login method that a user runs in a terminal of the gateway's machine. */
  readonly 'login method': { readonly command: string };
  readonly 'session/new': {
    /** The agent's id of a session that the new one continues. */
    readonly agentSessionId?: string | undefined;
  };
  /** Used by `session/resume` and `session/load`. */
  readonly 'session/resume': {
    /** The cursor of the last event that the client has. */
    readonly after?: string | undefined;
    /** Default: `control`. */
    readonly role?: 'control' | 'observe' | undefined;
    /** The gateway starts the agent before it answers. */
    readonly wake?: boolean | undefined;
    /** `fail`: the gateway answers with an error if the agent has lost the session. Default: the agent begins a new one. */
    readonly ifLost?: string | undefined;
    /** The milliseconds that the session keeps its agent without clients and work. 0: unlimited. */
    readonly idle?: number | undefined;
  };
  /** Used by the answers to `session/new`, `session/load`, `session/resume` and `session/fork`. */
  readonly 'session/resume answer': {
    /** The cursor of the last event. */
    readonly cursor: string;
    readonly role: 'control' | 'observe';
    readonly state: AgentState;
    /** The gateway cannot send all events after the client's cursor; the client must load the session. */
    readonly gap?: 'trimmed' | 'unknown';
    /** For a fork: a report on the restored files, as Markdown. */
    readonly restored?: string;
  };
  /** Used by `session/fork` and `_turnwire/fork`. */
  readonly 'session/fork': {
    /** The number of prompts that the fork leaves out at the end. Default 0. */
    readonly withoutLast?: number | undefined;
    /** The agent restores the files that those prompts changed. Default: they stay as they are. */
    readonly restoreFiles?: boolean | undefined;
  };
  /** Used by `session/prompt` and `_turnwire/enqueue`. */
  readonly 'session/prompt': {
    /** Identifies the prompt: the gateway runs one turn for a key, however often a client sends it. Up to 200 characters. */
    readonly key?: string | undefined;
    /** The limits of the turn: its seconds, the cost of the session, and retries after a passing failure. */
    readonly limits?:
      | {
          readonly seconds?: number | undefined;
          readonly cost?: number | undefined;
          readonly retries?: number | undefined;
        }
      | undefined;
    /** The options of the permission rules of the turn. Needs the scope `admin`. */
    readonly rules?: unknown;
    /** `fail`: the gateway refuses the prompt if the agent has lost the session. */
    readonly ifLost?: string | undefined;
    /** Marks a prompt that does not come from the agent's owner. */
    readonly guest?: true;
    /** The limits of an agent, as `@turnwire/permissions` defines them. */
    readonly permissionLimits?: unknown;
    /** The id under which the client records what the turn changes in the folder. */
    readonly recordedTurn?: string | undefined;
  };
  readonly 'session/prompt answer': {
    readonly turnId: string;
    /** The cursor of the last event of the turn. */
    readonly cursor: string;
    /** The numbers of permissions that the agent asked for and got. */
    readonly decisions: { readonly asked: number; readonly allowed: number };
    /** The reason for which the gateway ended the turn. */
    readonly stopped?: { readonly reason: 'seconds' | 'budget' | 'rules'; readonly message: string };
  };
  readonly 'session/cancel': {
    /** The gateway cancels the running turn, whichever client sent it, and keeps the queue. */
    readonly keepWaiting?: boolean;
  };
  readonly 'session/update': {
    readonly cursor: string;
    /** The time of the event in milliseconds since 1970. */
    readonly at: number;
    readonly by?: EventAuthor;
    /** The turn that a prompt began. */
    readonly turnId?: string;
  };
  readonly 'session/request_permission': {
    /** The judged facts. Its choices have the order of the options. */
    readonly question: QuestionView;
  };
  /** An option of a permission request. The names of both fields are those of a proposal for the protocol. */
  readonly 'permission option': {
    /** The agent reads `feedback` of the outcome if the user chooses this option. */
    readonly allowFeedback?: true;
  };
  /** The outcome of a permission request. */
  readonly 'permission outcome': {
    /** The text of the user for the agent, such as the reason for a rejection. */
    readonly feedback?: string;
  };
  /** Used by `subagent_update`. */
  readonly 'child session': {
    /** The name of the kind of subagent, or of the agent that works in the session. Rules can name it. */
    readonly child?: string;
  };
  /** Used by each session in the answer to `session/list`. */
  readonly 'session/list answer': {
    /** The name of the agent. */
    readonly agent: string;
    /** The time in ISO 8601. */
    readonly closedAt?: string;
    readonly state?: 'working' | 'asking';
  };
}

/** The client that caused an event. */
export interface EventAuthor {
  /** The id of its connection: `connection` in the answer to its `initialize`. */
  readonly connection: string;
  /** The name of the client. */
  readonly client: string;
}

/** The state of the agent of a session. Times are milliseconds since 1970. */
export type AgentState =
  /** The agent is not running; the next prompt starts it. */
  (
    | { readonly name: 'parked' }
    | {
        readonly name: 'starting';
        readonly since: number;
        /** The start is delayed until then, for this reason. */
        readonly waiting?: { readonly until: number; readonly reason: string };
      }
    | { readonly name: 'ready' }
    /** `silentSince`: the agent has sent nothing since then, for longer than the limit. */
    | { readonly name: 'working'; readonly since: number; readonly silentSince?: number }
    /** `isOverdue`: the agent has not obeyed in time. */
    | { readonly name: 'cancelling'; readonly since: number; readonly isOverdue: boolean }
    | { readonly name: 'reconnecting'; readonly attempt: number; readonly until: number; readonly message: string }
    /** The agent ended, or could not be started. */
    | { readonly name: 'dead'; readonly message: string }
    | { readonly name: 'login-needed'; readonly message: string }
  ) & {
    /** The name and version of the agent, once they are known. */
    readonly agent?: Implementation;
    /** The capabilities of the agent while it runs. */
    readonly offers?: {
      readonly capabilities: AgentCapabilities;
      readonly authMethods: readonly AuthMethod[];
      /** The agent takes prompts into a running turn. */
      readonly steering?: true;
    };
  };

/**
 * Reads `_meta.turnwire`; an empty object if it is missing. The reader does not check the fields. A client trusts its gateway; a gateway or
 * an
 * agent must check each field that it uses.
 */
export function turnwireMeta<Place extends keyof TurnwireMeta>(meta: Meta): Partial<TurnwireMeta[Place]> {
  const found = meta?.['turnwire'];
  return typeof found === 'object' && found !== null ? found : {};
}
