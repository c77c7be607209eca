/** On whose behalf a client is connected. */
export interface Principal {
  /** Whose sessions it sees. */
  readonly tenant: string;
  /** What it may do. `admin` may what `control` may, and manage the gateway. */
  readonly scope: 'observe' | 'control' | 'admin';
}
