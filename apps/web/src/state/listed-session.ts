/** A session in the sidebar. */
export interface ListedSession {
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Whether it has changed since the user looked at it in this browser. */
  readonly hasNews: boolean;
  readonly state: 'working' | 'asking' | undefined;
}
