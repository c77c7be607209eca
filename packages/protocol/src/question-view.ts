import type { Diff, PermissionOptionKind } from './generated/types.ts';
import type { AskingChild } from './host-call.ts';

/** A file or folder an action accesses. */
export interface ShownPath {
  /** Absolute, as it was judged. */
  readonly path: string;
  /** The target of links, if it differs. */
  readonly leadsTo?: string | undefined;
  /** A reason for caution: `outside the folders of the session`. */
  readonly caution?: string | undefined;
}

/** One of the answers to a question. */
export interface QuestionChoice {
  /** Its meaning, in our words, such as `Allow once`. Always shown first. */
  readonly word: string;
  /** The agent's name for it, if it adds information. Must not be shown alone. */
  readonly agentName?: string | undefined;
  /** Where we remember the answer, as the proposed rule. */
  readonly remember?: 'session' | 'project' | undefined;
  /** The agent remembers the answer. */
  readonly isKeptByAgent?: true | undefined;
  /** A letter for it: `y` for the only way to allow once, `n` for the first way to reject. Answers for more than once have none. */
  readonly letter?: 'y' | 'n' | undefined;
  readonly kind: PermissionOptionKind | (string & {});
  /** Index of the option among those the agent offered. */
  readonly option: number;
}

/**
 * Everything to show of a permission question, derived from the judged action, so that users allow what they see. Plain JSON: a gateway
 * sends it in `_meta.turnwire.question` of `session/request_permission`. Nothing is shortened or cleaned: the program that shows it must
 * make invisible characters and terminal sequences visible.
 */
export interface QuestionView {
  readonly toolCallId: string;
  readonly kind: string;
  /** The requested action, in our words: `Run a command`, `Change 3 files`. */
  readonly heading: string;
  /** The heading with its object: `Run a command: npm test`; without facts, with the agent's title, marked as such. */
  readonly summary: string;
  /** The subagent that asks. Absent: the session itself. */
  readonly child?: AskingChild | undefined;
  /** The complete command line, exactly as it was judged and will be run. */
  readonly command?: string | undefined;
  /** The working directory of the command, if it is not the first folder of the session. */
  readonly folder?: string | undefined;
  /** Command lines in the input of a tool that is not a shell. */
  readonly namedCommands: readonly string[];
  /** The name of a tool whose kind is not specific, as sent by the agent and matched by rules. */
  readonly tool?: string | undefined;
  readonly url?: string | undefined;
  /** All paths it accesses: those with a caution first. */
  readonly paths: readonly ShownPath[];
  /** The changes. A different write through the client needs another permission. */
  readonly diffs: readonly Diff[];
  /** The tool's input as JSON, if the facts above do not cover it. */
  readonly input?: string | undefined;
  /** Further notes, in our words. */
  readonly notes: readonly string[];
  /** Why it is asked: the rule, the mode, or the doubt. */
  readonly reason: string;
  /** The rule an "always" of ours would create; absent if none would be safe. */
  readonly proposedRule?: string | undefined;
  /** The agent's own description. It is not part of the judged facts, and must not be shown alone. */
  readonly agentWords: { readonly title?: string | undefined; readonly texts: readonly string[] };
  /** The choices to allow, first once, then for longer; then to reject. */
  readonly choices: readonly QuestionChoice[];
}
