import type { CommandShell } from '@turnwire/machine';
import type {
  AskingChild,
  ConfinedRun,
  PermissionContext,
  PermissionOption,
  QuestionView,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallContent,
  ToolKind,
} from '@turnwire/protocol';

/** How much is allowed without asking. `plan` allows nothing at all; `bypassPermissions` allows everything. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';

/** The effect of a rule on matching actions. */
export type RuleEffect = 'allow' | 'ask' | 'deny';

/** The origin of a rule. */
export type RuleSource = 'command-line' | 'session' | 'project' | 'user';

/** A rule as its author writes it. */
export interface GivenRule {
  readonly effect: RuleEffect;
  /** The rule: `Bash(git *)`. Up to 2,000 characters, as the other texts. */
  readonly text: string;
  /** A text for the model, such as an alternative. Only for a rule that denies. */
  readonly message?: string;
  /**
   * Only for a rule that denies or asks: it applies to subagents of this name, with `*` for any text, and not to the session itself. Names come
   * from the agent, so no rule can allow by them. Absent: it applies to all.
   */
  readonly child?: string;
}

/** A rule: `Bash(git *)`, `Read`, `Edit(src/**)`, `WebFetch(domain:example.com)`. */
export interface PermissionRule extends GivenRule {
  readonly source: RuleSource;
  /** The file it is in; absent for the command line and the session. */
  readonly file?: string;
  /** False for a project rule that would allow something but has not been accepted: it does not apply. Absent for all others. */
  readonly isAccepted?: false;
  /**
   * True for a rule that forbids something and was removed from its file by other means than {@link Permissions.removeRule}: it stays in
   * force, since the agent may have removed it. Absent for all others.
   */
  readonly isHeld?: true;
}

/** A requested action, as far as it is known from facts, never from titles written by an agent. */
export interface Action {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly kind: ToolKind | (string & {});
  /** The tool's name, if the agent sends one. */
  readonly tool?: string;
  /** A command line for a shell. Only a shell's call has one. */
  readonly command?: string;
  /** How the shell parses the command line. Absent: unknown, so only constructs that all shells parse alike are certain. */
  readonly shell?: CommandShell['reads'];
  /**
   * Command lines in the input of a tool that is not a shell: rules that ask or deny see them, and rules that allow must allow them in
   * addition to the tool. Everything the tool does is allowed only by a rule that names it.
   */
  readonly namedCommands?: readonly string[];
  /**
   * The working directory of the command, and the base of relative paths; a rule allows it only in the folders of the session. Absent: the
   * first root.
   */
  readonly cwd?: string;
  /** Absolute paths it accesses. */
  readonly paths: readonly string[];
  /** SHA-256 in hex of the text a host call writes, with normalised line ends: identifies the text that was allowed. */
  readonly writes?: string;
  readonly url?: string;
  /**
   * Why its effect is unclear, if it is. Only a rule for the whole tool or the mode `bypassPermissions` allows it then, and a shell's call
   * without a command not even the rule `Bash`: it may be something else.
   */
  readonly unclear?: string;
  /** The call it belongs to. */
  readonly toolCallId?: string;
  /** The subagent that asks. Absent: the session itself. */
  readonly child?: AskingChild;
  /** `request`: the agent asked. `host`: the agent uses a service of the client (`fs/write_text_file`, `terminal/create`) directly. */
  readonly source: 'request' | 'host';
}

/** A decision with its reason. */
export interface Decision {
  readonly effect: RuleEffect;
  /** A sentence: `allowed by the rule Bash(git *) in ~/.config/turnwire/permissions.json`. */
  readonly reason: string;
  readonly rule?: PermissionRule;
  /** The mode allows a part of it. */
  readonly byMode?: true;
}

/** A question that only a user can answer. */
export interface Question {
  readonly id: string;
  readonly action: Action;
  /** The agent's request; created by the client for a host call. */
  readonly request: RequestPermissionRequest;
  /** Why it is asked. */
  readonly reason: string;
  /** The facts to show and the answers to offer, all derived from `action`. */
  readonly view: QuestionView;
  /** The rule an "always" answer would create; absent if none would be safe. */
  readonly proposedRule?: string | undefined;
  /** Aborts when the answer no longer matters, for example because a new rule has answered it. */
  readonly signal: AbortSignal;
}

/**
 * A user's answer: an offered option, and whether to remember it as the proposed rule. Undefined answers `cancelled`. The option must be
 * the object from the question's request; a copy of it, such as one sent over a socket, is not accepted.
 */
export type Answer =
  | {
      readonly option: PermissionOption;
      readonly remember?: 'session' | 'project' | 'user';
      /** A text for the model, such as the reason for a rejection or an alternative. */
      readonly feedback?: string | undefined;
    }
  | undefined;

/** Describes what a call would do, as the content of a tool call. */
export type HostPreview = () => Promise<readonly ToolCallContent[]>;

/** Asks a user. */
export type Asker = (question: Question) => Promise<Answer>;

/** A decision, for the log and the view. */
export interface DecisionRecord {
  readonly at: number;
  readonly action: Action;
  readonly allowed: boolean;
  /** Who decided: the rules and the mode, a user, or `nobody` because the question was withdrawn. */
  readonly by: 'rules' | 'user' | 'nobody';
  /** The option that was sent; absent for a host call, and for `cancelled`. */
  readonly option?: PermissionOption;
  readonly reason: string;
}

/** The permissions of a client: one mode, rules from several sources, pending questions, and decisions. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Changes the mode and judges everything pending again. */
  setMode(mode: PermissionMode): void;
  readonly rules: readonly PermissionRule[];
  /**
   * Adds a rule, which accepts it too, and judges everything pending again. If the source contains the same rule, a message replaces that
   * rule's message. Rejects with `invalid-input` if the rule or its file is invalid, or the file would become too large, and if the file
   * cannot be written.
   */
  addRule(
    effect: RuleEffect,
    rule: string | Pick<GivenRule, 'text' | 'message' | 'child'>,
    source: RuleSource,
  ): Promise<PermissionRule>;
  /**
   * Accepts a project rule that has `isAccepted: false`, and judges everything pending again. Only for decisions of a user. Resolves with
   * the rule in force; other rules are in force already. Rejects with `invalid-input` if `files.accepted` is invalid.
   */
  acceptRule(rule: PermissionRule): Promise<PermissionRule>;
  /** Removes a rule and its acceptance, and judges everything pending again. */
  removeRule(rule: PermissionRule): Promise<void>;
  /**
   * Evaluates the rules and the mode, without asking anyone.
   * @param otherwise the effect if no rule applies. Default: that of the options, else the mode's
   */
  judge(action: Action, otherwise?: RuleEffect): Decision;
  /** The narrowest rule worth remembering that would allow an action; undefined if none is safe. A {@link Question} proposes it. */
  proposedRule(action: Action): string | undefined;
  /** The limits for an agent that decides by itself: see `limitsMeta`. Undefined if only files forbid anything. */
  readonly limits: PermissionLimits | undefined;
  /** Answers `session/request_permission`. For `AgentOptions.permission`. */
  readonly policy: (
    request: RequestPermissionRequest,
    context: PermissionContext,
  ) => Promise<PermissionOption | undefined>;
  /**
   * Decides about a host service the agent uses directly. Resolves if it is allowed; otherwise rejects with the ProtocolError to send. A
   * write that a user allowed earlier in the turn is allowed only if it writes the text they saw.
   * @param preview computes what a user sees of it, such as a diff, and whether a write is the one they saw before; not called if neither
   * is needed. Without it, or if it rejects, users see only the action, and only a write of a whole text that was shown as new is
   * recognised
   * @returns how to run a command that the mode `acceptEdits` allows, in place of starting a shell; undefined for everything else
   */
  allowHostCall(action: Action, signal: AbortSignal, preview?: HostPreview): Promise<ConfinedRun | undefined>;
  /** Questions that wait for a user, oldest first. */
  readonly pending: readonly Question[];
  /**
   * Warnings for the user about rule files, each with the file, the line and advice, and about project rules that have not been accepted.
   */
  readonly warnings: readonly string[];
  /** Notifies of every decision. Returns a function that removes the listener. */
  onDecision(listener: (record: DecisionRecord) => void): () => void;
  /**
   * Processes an update, except in replays. Returns a text for the user if a tool that should have asked ran without asking, once per call.
   */
  observe(sessionId: string, update: SessionUpdate): UnaskedCall | undefined;
  /**
   * Ends a turn, a session or, without an id, everything: pending questions are answered with `cancelled`, and permissions for the turn are
   * forgotten.
   */
  endTurn(sessionId?: string): void;
}

/** A tool that ran although it should have asked first. */
export interface UnaskedCall {
  readonly toolCallId: string;
  /** A sentence for the user. */
  readonly explanation: string;
}

/**
 * Which rules and modes may allow something. `all`: rules from everywhere, and the mode. `given-and-mode`: rules that are given or created
 * in the session, and the mode; no file. `given`: those rules alone. Rules that deny or ask always apply, from files too.
 */
export type Allowing = 'all' | 'given-and-mode' | 'given';

/**
 * The limits of a turn for an agent that makes some decisions itself, as JSON: from the command line or the session. The agent asks about
 * anything they do not allow, and the client that set them answers.
 */
export interface PermissionLimits {
  readonly mode: PermissionMode;
  readonly rules: readonly GivenRule[];
  readonly otherwise?: RuleEffect;
  /** Default: `all`. */
  readonly allowing?: Allowing;
}

/** How permissions are set up. Everything but the project has a default. */
export interface PermissionsOptions {
  /** The project's folder: an absolute path. Relative paths in rules start there. */
  readonly project: string;
  /** The folders of a session. Default: those in the request's context, else the project's. */
  readonly rootsOf?: ((sessionId: string) => readonly string[] | undefined) | undefined;
  /** Default: `default`, which asks. */
  readonly mode?: PermissionMode | undefined;
  /** Rules from the command line. */
  readonly rules?: readonly GivenRule[] | undefined;
  /** The effect for actions without a rule, which replaces the mode's. `plan` still denies. */
  readonly otherwise?: RuleEffect | undefined;
  /** Which rules and modes may allow something. Default: `all`. */
  readonly allowing?: Allowing | undefined;
  /**
   * Rule files: `.turnwire/permissions.json` of the project, `turnwire/permissions.json` in the user's folder for settings. Ask and deny
   * rules of the project's file always apply. Its allow rules apply once the user has accepted them, since the author of a project must not
   * give themselves permissions: by an answer remembered for the project, `addRule` or `acceptRule`. Accepted rules are stored in
   * `accepted`, by the path of the project's file and the text of the rule: a JSON file outside the project, shared by all projects.
   * Default: in memory, so that initially no allow rule of a project's file applies.
   */
  readonly files?:
    | {
        readonly project?: string | undefined;
        readonly user?: string | undefined;
        readonly accepted?: string | undefined;
      }
    | undefined;
  /** Asks a user: one question at a time, oldest first. Absent: no user can be asked. */
  readonly ask?: Asker | undefined;
  /** The answer if no user can be asked: reject, or `cancelled`. Default: deny. */
  readonly unasked?: 'deny' | 'cancel' | undefined;
  /**
   * Id prefix of `execute` calls without input whose title is exactly the command. Only for an agent known to behave so. Default: titles
   * are ignored, since agents may write anything there.
   */
  readonly commandInTitleOf?: string | undefined;
  /** The agent is known to never ask for permission: its launcher warns the user once, and `observe` is silent. Default: false. */
  readonly asksNobody?: boolean | undefined;
  /** Receives every new warning about a rule file, or about storing a rule. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** The value of `~` in rules. Default: the user's home folder. */
  readonly home?: string | undefined;
}
