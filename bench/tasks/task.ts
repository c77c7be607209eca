/** An action of the scripted model, done with the agent's tool for it, else with a command. */
export type Action =
  | { readonly do: 'read'; readonly path: string }
  /** Searches for a literal text. */
  | { readonly do: 'search'; readonly text: string }
  /** Searches for paths that match a glob. */
  | { readonly do: 'list'; readonly glob: string }
  | { readonly do: 'edit'; readonly path: string; readonly edits: readonly Replacement[] }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'delete'; readonly path: string }
  | { readonly do: 'run'; readonly command: string };

/** A text that occurs once in its file, and its replacement. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
}

/** A small task of a programmer, with the script of the model that does it. */
export interface Task {
  readonly name: string;
  readonly kind: 'edit' | 'refactor' | 'find' | 'fix' | 'several files';
  /** The files in the folder: path to text. */
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** The answers of the model in order; the actions of one answer are requested together. */
  readonly steps: readonly (readonly Action[])[];
  /** The pattern of the answer in the output of the tools: its first group, or the whole match. */
  readonly answer?: RegExp;
  readonly right: Right;
}

/** The conditions for a correct result. */
interface Right {
  /** The text of files; null if a file must not exist. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** The pattern of the answer. */
  readonly answer?: string;
  /** A command that must succeed. */
  readonly command?: string;
}
