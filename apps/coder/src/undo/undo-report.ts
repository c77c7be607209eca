import type { TurnClient } from '@turnwire/agent';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { NotRestored } from '../conversation/recorded-files.ts';

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

/** One undone change. */
export interface UndoneChange {
  readonly kind: 'restored' | 'removed';
  /** Absolute. */
  readonly path: string;
  /** Notes for the user, as whole sentences. */
  readonly note?: string;
}

/** A change that undoes another. */
export interface PlannedChange extends UndoneChange {
  /** The text that the file then has: empty if it is removed. Absent if it is not a text. */
  readonly text?: string | undefined;
}

/** The result of undoing a turn. */
export interface UndoReport {
  readonly undone: readonly UndoneChange[];
  /** Unchanged, since a later change would be lost, or undoing failed. */
  readonly conflicts: readonly NotRestored[];
  /** The previous state is unknown, for example because it was too large. */
  readonly unkept: readonly NotRestored[];
}
