import type { Diff, PermissionOptionKind } from '@turnwire/protocol';

/** A file or folder an action touches. */
export interface ShownPath {
  /** Absolute, as it was judged. */
  readonly path: string;
  /** Where links lead it, if that is not where its name says. */
  readonly leadsTo?: string | undefined;
  /** Why it deserves a second look: `outside the folders of the session`. */
  readonly caution?: string | undefined;
}

/** One of the answers to a question. */
export interface QuestionChoice {
  /** What it means, in our words, such as `Allow once`. Comes first wherever it is shown. */
  readonly word: string;
  /** What the agent calls it, where that says something else. Never to be shown alone. */
  readonly agentName?: string | undefined;
  /** Where we remember the answer, as the proposed rule. */
  readonly remember?: 'session' | 'project' | undefined;
  /** The agent remembers the answer, for what only the agent knows. */
  readonly isKeptByAgent?: true | undefined;
  /** A letter that may stand for it: for the only way to say yes once, or no once. */
  readonly letter?: 'y' | 'n' | undefined;
  readonly kind: PermissionOptionKind | (string & {});
  /** The place of the option among those the agent offered. */
  readonly option: number;
}

/**
 * All there is to show of a question, made from the action as it was judged, so that what is allowed is what was seen. Plain JSON: it may be
 * shown by another process. Nothing is cut or cleaned: whoever shows it must make visible what would steer a terminal or cannot be seen.
 */
export interface QuestionView {
  readonly toolCallId: string;
  readonly kind: string;
  /** What is asked for, in our words: `Run a command`, `Change 3 files`. */
  readonly heading: string;
  /** The same with what it is about: `Run a command: npm test`; where nothing says that, with what the agent says, marked as such. */
  readonly summary: string;
  /** The command line, with all its arguments, exactly as it was judged and will be run. */
  readonly command?: string | undefined;
  /** The folder the command runs in, where that is not the first folder of the session. */
  readonly folder?: string | undefined;
  /** Command lines in the input of a tool that is no shell. */
  readonly namedCommands: readonly string[];
  /** The name of a tool whose kind says too little, as the agent gives it and as rules find it. */
  readonly tool?: string | undefined;
  readonly url?: string | undefined;
  /** All it touches: first what deserves a second look. */
  readonly paths: readonly ShownPath[];
  /** What would change. A write through the client that differs from it is asked about again. */
  readonly diffs: readonly Diff[];
  /** The input of the tool as JSON, where the facts above do not say all of it. */
  readonly input?: string | undefined;
  /** What else there is to know, in our words. */
  readonly notes: readonly string[];
  /** Why it is asked: which rule, which mode, which doubt. */
  readonly reason: string;
  /** The rule an "always" of ours would make; absent if none would be safe. */
  readonly proposedRule?: string | undefined;
  /** What the agent says about it. Says nothing about what is judged, and is never to be shown alone. */
  readonly agentWords: { readonly title?: string | undefined; readonly texts: readonly string[] };
  /** To allow, first once, then for longer; then to reject. */
  readonly choices: readonly QuestionChoice[];
}
