/** What a scripted model wants done: with the tool that the agent has for it, else with a command. */
export type Action =
  | { readonly do: 'read'; readonly path: string }
  /** For a text as it is written. */
  | { readonly do: 'search'; readonly text: string }
  /** Paths that fit a glob. */
  | { readonly do: 'list'; readonly glob: string }
  | { readonly do: 'edit'; readonly path: string; readonly edits: readonly Replacement[] }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'delete'; readonly path: string }
  | { readonly do: 'run'; readonly command: string };

/** A text that occurs once in its file, and what comes in its place. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
}

/** A small task of a programmer, with the script of the model that does it. */
export interface Task {
  readonly name: string;
  readonly kind: 'edit' | 'refactor' | 'find' | 'fix' | 'several files';
  /** What is in the folder: path to text. */
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** One answer of the model after the other; what is in one is asked for at once. */
  readonly steps: readonly (readonly Action[])[];
  /** Found in what the tools said, for the model to answer with: its first group, or all of it. */
  readonly answer?: RegExp;
  readonly right: Right;
}

/** What has to be so when the task is done. */
interface Right {
  /** The text of files; null: there is none. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** The answer. */
  readonly answer?: string;
  /** A command that succeeds. */
  readonly command?: string;
}
