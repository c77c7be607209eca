/** A session in the sidebar. */
export interface ListedSession {
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly state: 'working' | 'asking' | undefined;
}
