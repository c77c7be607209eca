import type { TurnClient } from '@turnwire/agent';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Through what texts are put back. Absent: to the disk. */
export interface UndoSurroundings {
  readonly through?: {
    readonly files: SessionFiles;
    readonly client: TurnClient;
    readonly workspace: Workspace;
  };
}

/** One change that was taken back. Paths are absolute. */
export type UndoneChange =
  | {
      readonly kind: 'restored' | 'removed';
      readonly path: string;
      /** What the user has to know about it, as whole sentences. */
      readonly note?: string;
    }
  | { readonly kind: 'moved back'; readonly path: string; readonly from: string };

/** Something that was not taken back, and why. */
export interface NotUndone {
  /** Absolute. */
  readonly path: string;
  readonly why: string;
}

/** What came of taking a turn back. */
export interface UndoReport {
  /** `none`: there is no turn to take back. */
  readonly turn: 'none' | 'undone';
  readonly undone: readonly UndoneChange[];
  /** Left as they are, since somebody else changed them, or it failed. */
  readonly conflicts: readonly NotUndone[];
  /** What it was before is not known: it was too large, say. */
  readonly unkept: readonly NotUndone[];
  /** Where the earlier content of the conflicts is, for a while. */
  readonly keptIn?: string | undefined;
}
