/** How a place is made: a linked worktree, a clone, or a copy with all files. */
export const placeKinds = ['worktree', 'clone', 'copy'] as const;

/** One of {@link placeKinds}. */
export type PlaceKind = (typeof placeKinds)[number];

/** A folder of its own in which sessions work, made from the folder of a project. */
export interface Place {
  /** Letters, digits, `-` and `_`. */
  readonly name: string;
  readonly kind: PlaceKind;
  /** The root of the working tree that it was made from; outside of a repository, the folder itself. */
  readonly origin: string;
  /** The folder of the place, which corresponds to the origin. */
  readonly folder: string;
  /** The folder in which its sessions work: the place itself, or a folder in it. */
  readonly cwd: string;
  /** Its branch. Absent outside of a repository. */
  readonly branch?: string | undefined;
  /** The commit at which the branch begins. Absent outside of a repository. */
  readonly base?: string | undefined;
  /** The tree of git with the files that the place began with. Absent until they are complete. */
  readonly from?: string | undefined;
  /** The tree that was applied to the origin last. */
  readonly applied?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Only a place that is `ready` has sessions. A process that was killed leaves the other states. */
  readonly state: 'making' | 'ready' | 'removing';
  /** The command that prepares it, until it has succeeded. */
  readonly setUp?: string | undefined;
}

/** Work in a place that its origin does not have. */
export interface OpenWork {
  /** The changed files that are not committed. */
  readonly uncommitted: number;
  /** The commits that no branch outside of the place contains. */
  readonly unmerged: number;
}

/** A place cannot be made, changed or removed. The message gives the reason and the solution. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
}

/** A number with its noun. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The open work in words, such as `2 changed files that are not committed`. Empty without open work. */
export function lostWork({ uncommitted, unmerged }: OpenWork): readonly string[] {
  return [
    ...(uncommitted > 0 ? [`${counted(uncommitted, 'changed file')} not committed`] : []),
    ...(unmerged > 0 ? [`${counted(unmerged, 'commit')} not merged`] : []),
  ];
}
