import type { TurnClient } from '@turnwire/agent';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** How changes are undone. */
export interface UndoContext {
  /** Asks the user about a change that no client asks about. Resolves with whether it may be made. Default: it may. */
  readonly ask?: ((change: PlannedChange) => Promise<boolean>) | undefined;
  /** The client through which texts are restored. Absent: on the disk. */
  readonly through?: {
    readonly files: SessionFiles;
    readonly client: TurnClient;
    readonly workspace: Workspace;
  };
}

/** One undone change. Paths are absolute. */
export type UndoneChange =
  | {
      readonly kind: 'restored' | 'removed';
      readonly path: string;
      /** Notes for the user, as whole sentences. */
      readonly note?: string;
    }
  | { readonly kind: 'moved back'; readonly path: string; readonly from: string };

/** A change that undoes another. */
export type PlannedChange = UndoneChange & {
  /** The text that the file then has: empty if it is removed. Absent if it is not a text. */
  readonly text?: string | undefined;
};

/** A change that was not undone, and why. */
export interface NotUndone {
  /** Absolute. */
  readonly path: string;
  readonly why: string;
}

/** The result of undoing a turn. */
export interface UndoReport {
  /** `none`: no turn is left to undo. */
  readonly turn: 'none' | 'undone';
  readonly undone: readonly UndoneChange[];
  /** Unchanged, since they were changed by others, or undoing failed. */
  readonly conflicts: readonly NotUndone[];
  /** The previous state is unknown, for example because it was too large. */
  readonly unkept: readonly NotUndone[];
  /** Where the previous content of the conflicts is, for a while. */
  readonly keptIn?: string | undefined;
}
