import type { CommandShell } from '@turnwire/machine';
import type {
  PermissionOption,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallContent,
  ToolKind,
} from '@turnwire/protocol';
import type { QuestionView } from './question-view.ts';

/** How much is allowed without asking. `plan` allows nothing at all; `bypassPermissions` allows everything. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';

/** What a rule does with what it matches. */
export type RuleEffect = 'allow' | 'ask' | 'deny';

/** Where a rule comes from. */
export type RuleSource = 'command-line' | 'session' | 'project' | 'user';

/** A rule: `Bash(git *)`, `Read`, `Edit(src/**)`, `WebFetch(domain:example.com)`. */
export interface PermissionRule {
  /** The rule as it is written. */
  readonly text: string;
  readonly effect: RuleEffect;
  readonly source: RuleSource;
  /** The file it is in; absent for the command line and the session. */
  readonly file?: string;
  /** False for a rule of a project that would allow something and that nobody has accepted: it does not count. Absent for all others. */
  readonly isAccepted?: false;
}

/** What somebody wants to do, as far as it can be told from facts, never from titles an agent wrote. */
export interface Action {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly kind: ToolKind | (string & {});
  /** The tool's name, where the agent gives one as a name. */
  readonly tool?: string;
  /** A command line a shell is to run. Only a shell's call has one. */
  readonly command?: string;
  /** How the shell that runs the command line reads it. Absent: not known, so only what all shells read alike is certain. */
  readonly shell?: CommandShell['reads'];
  /**
   * Command lines in the input of a tool that is no shell: rules that ask or deny find them, and rules that allow have to allow them
   * beside what the tool does. That it may do all it does takes a rule about the tool by its name.
   */
  readonly namedCommands?: readonly string[];
  /** The folder the command runs in, and relative paths start from; a rule allows it only in the folders of the session. Absent: the first root. */
  readonly cwd?: string;
  /** Absolute paths it touches. */
  readonly paths: readonly string[];
  /**
   * SHA-256 in hex of the text a call of a host service writes, line ends evened out: says whether it is the text that was allowed.
   */
  readonly writes?: string;
  readonly url?: string;
  /**
   * Why it cannot be told what it does, if it cannot. Nothing but a whole tool's rule or the mode `bypassPermissions` allows it then,
   * and a call of a shell that names no command not even the rule `Bash`: it may be something else.
   */
  readonly unclear?: string;
  /** The call it belongs to. */
  readonly toolCallId?: string;
  /** `request`: the agent asked. `host`: the agent uses a service of ours (`fs/write_text_file`, `terminal/create`) directly. */
  readonly source: 'request' | 'host';
}

/** What is known of a permission request besides the request. */
export interface RequestContext {
  /** Aborts when the answer no longer matters: the turn was cancelled, or the agent cancelled the request. */
  readonly signal: AbortSignal;
  /** The folders of the session, its working directory first. Absent: unknown. */
  readonly roots?: readonly string[] | undefined;
  /** Called with why it is decided so, as a sentence: `allowed by the rule Bash(git *) in ~/.config/turnwire/permissions.json`. */
  readonly explain?: ((reason: string) => void) | undefined;
}

/** A decision that explains itself. */
export interface Decision {
  readonly effect: RuleEffect;
  /** A sentence: `allowed by the rule Bash(git *) in ~/.config/turnwire/permissions.json`. */
  readonly reason: string;
  readonly rule?: PermissionRule;
}

/** A question only a user can answer. */
export interface Question {
  readonly id: string;
  readonly action: Action;
  /** As the agent sent it; made by the client for a host call. */
  readonly request: RequestPermissionRequest;
  /** Why it is asked. */
  readonly reason: string;
  /** What to show of it, and the answers to offer: all of it is made from `action`. */
  readonly view: QuestionView;
  /** The rule an "always" answer would make; absent if none would be safe. */
  readonly proposedRule?: string | undefined;
  /** Aborts when the answer no longer matters, also because a new rule has answered it. */
  readonly signal: AbortSignal;
}

/**
 * A user's answer: an offered option, and whether we remember it as the proposed rule. Undefined answers `cancelled`. The option is the
 * object from the question's request; a copy of it, such as one that came over a socket, is no answer.
 */
export type Answer =
  | { readonly option: PermissionOption; readonly remember?: 'session' | 'project' | 'user' }
  | undefined;

/** Finds out what a call would do, as the content of a tool call. */
export type HostPreview = () => Promise<readonly ToolCallContent[]>;

/** Asks a user. */
export type Asker = (question: Question) => Promise<Answer>;

/** What was decided, for the log and the view. */
export interface DecisionRecord {
  readonly at: number;
  readonly action: Action;
  readonly allowed: boolean;
  /** Who decided: the rules and the mode, a user, or nobody because the question was withdrawn. */
  readonly by: 'rules' | 'user' | 'nobody';
  /** The option that was sent; absent for a host call, and for `cancelled`. */
  readonly option?: PermissionOption;
  readonly reason: string;
}

/** The permissions of a client: one mode, rules from several places, what is pending, and what was decided. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Changes the mode and judges everything pending again. */
  setMode(mode: PermissionMode): void;
  readonly rules: readonly PermissionRule[];
  /** Adds a rule, which accepts it too, and judges everything pending again. Rejects if it cannot be read or the file cannot be written. */
  addRule(effect: RuleEffect, text: string, source: RuleSource): Promise<PermissionRule>;
  /**
   * Accepts a rule of the project that has `isAccepted: false`, and judges everything pending again. Only for what a user decided.
   * Resolves with the rule as it counts; any other rule counts already. Rejects with `invalid-input` if `files.accepted` is broken.
   */
  acceptRule(rule: PermissionRule): Promise<PermissionRule>;
  /** Removes a rule, which takes back that it was accepted, and judges everything pending again. */
  removeRule(rule: PermissionRule): Promise<void>;
  /**
   * What a rule or the mode says, without asking anyone.
   * @param otherwise what to do about what no rule is about. Default: what the options say, else the mode
   */
  judge(action: Action, otherwise?: RuleEffect): Decision;
  /** The narrowest rule worth remembering that would allow an action; undefined if none is safe. What a {@link Question} proposes. */
  proposedRule(action: Action): string | undefined;
  /** What limits an agent that decides by itself: see `limitsMeta`. Undefined: nothing is forbidden but what files forbid. */
  readonly limits: PermissionLimits | undefined;
  /** Answers `session/request_permission`. For `AgentOptions.permission`. */
  readonly policy: (
    request: RequestPermissionRequest,
    context: RequestContext,
  ) => Promise<PermissionOption | undefined>;
  /**
   * Decides about a service the agent uses directly. Resolves when it may go on; rejects with the ProtocolError to send when not.
   * A write continues with what a user allowed earlier in the turn only if it writes the text they saw.
   * @param preview finds out what a user who is asked is to see of it, such as a diff, and whether a write is what they saw before;
   * not called where neither is needed. Without it, or if it rejects, they see only what the action says, and only a write of a text
   * that was shown whole, as new, is recognised
   */
  allowHostCall(action: Action, signal: AbortSignal, preview?: HostPreview): Promise<void>;
  /** Questions that wait for a user, oldest first. */
  readonly pending: readonly Question[];
  /**
   * What the user has to be told about rule files: each says which file, which line, and what to do; also that a project has rules
   * nobody has accepted. Empty if all is well.
   */
  readonly warnings: readonly string[];
  /** Hears of every decision. Returns how to stop hearing. */
  onDecision(listener: (record: DecisionRecord) => void): () => void;
  /** Takes note of an update; not for updates that replay the past. Returns what to tell the user if a tool has run that should have asked, once per call. */
  observe(sessionId: string, update: SessionUpdate): UnaskedCall | undefined;
  /**
   * A turn is over, or the session or, without an id, everything: what waits is answered with `cancelled`, and what was allowed
   * for the turn is forgotten.
   */
  endTurn(sessionId?: string): void;
}

/** A tool that ran though it should have asked first. */
export interface UnaskedCall {
  readonly toolCallId: string;
  /** A sentence for the user. */
  readonly explanation: string;
}

/** A rule that is no file's: from the command line or a policy. */
export interface GivenRule {
  readonly effect: RuleEffect;
  readonly text: string;
}

/**
 * What may allow something. `all`: rules from everywhere, and the mode. `given-and-mode`: rules that are given or made in the session,
 * and the mode; no file. `given`: those rules alone. Rules that deny or ask always count, from files too.
 */
export type Allowing = 'all' | 'given-and-mode' | 'given';

/**
 * What an agent that decides some things by itself must not go beyond in a turn, as JSON: what was said on the command line or in the
 * session. It asks about whatever this does not allow, and whoever gave the limits answers.
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
  /** The folders of a session. Default: those the request comes with, else the project's. */
  readonly rootsOf?: ((sessionId: string) => readonly string[] | undefined) | undefined;
  /** Default: `default`, which asks. */
  readonly mode?: PermissionMode | undefined;
  /** Rules from the command line. */
  readonly rules?: readonly GivenRule[] | undefined;
  /** What to do about what no rule is about, instead of what the mode says. `plan` still denies. */
  readonly otherwise?: RuleEffect | undefined;
  /** What may allow something. Default: `all`. */
  readonly allowing?: Allowing | undefined;
  /**
   * Where rules are kept: `.turnwire/permissions.json` of the project, `turnwire/permissions.json` in the user's folder for settings.
   * What the project's file asks about or denies always counts. What it allows counts once the user has accepted it, since whoever
   * wrote a project must not give themselves permissions: by an answer that is remembered for the project, `addRule` or `acceptRule`.
   * That is kept in `accepted`, by the path of the project's file and the text of the rule: a JSON file outside the project, the same
   * for all projects. Default: it is kept as long as these permissions live, so at first nothing a project's file allows counts.
   */
  readonly files?:
    | {
        readonly project?: string | undefined;
        readonly user?: string | undefined;
        readonly accepted?: string | undefined;
      }
    | undefined;
  /** Asks a user: one question at a time, oldest first. Absent: nobody can be asked. */
  readonly ask?: Asker | undefined;
  /** The answer if nobody can be asked: reject, or `cancelled`. Default: deny. */
  readonly unasked?: 'deny' | 'cancel' | undefined;
  /**
   * Of calls of the kind `execute` whose id begins with this, and that come without input, the title is the command, whole and
   * nothing else. Only for an agent of which that is certain. Default: no title counts, since agents write what they like there.
   */
  readonly commandInTitleOf?: string | undefined;
  /** The agent is known to ask nobody: the user is told so once, by whoever starts it, and `observe` is silent. Default: false. */
  readonly asksNobody?: boolean | undefined;
  /** Hears of every new warning with a rule file, or with remembering a rule. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** What `~` stands for in rules. Default: the user's home folder. */
  readonly home?: string | undefined;
}
