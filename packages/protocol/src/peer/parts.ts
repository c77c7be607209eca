import type { Dialect } from '../dialects/dialect.ts';
import type { Journal } from '../log/journal.ts';
import type { Side } from '../side.ts';
import type { Ordering } from '../edition.ts';
import type { Handshake } from './handshake.ts';
import type { Lanes } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { Readers } from './readers.ts';
import type { Row } from './rows.ts';
import type { SessionSetup } from './session-setup.ts';
import type { Wire } from './wire.ts';

/** What the calling and the answering half of a peer share. */
export interface Parts {
  readonly side: Side;
  /** The method table of the edition. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly ordering: Ordering;
  readonly wire: Wire;
  readonly lanes: Lanes;
  readonly handshake: Handshake;
  readonly readers: Readers;
  readonly setup: SessionSetup;
  readonly journal: Journal;
  readonly limits: Limits;
  readonly dialect: Dialect;
  readonly checkOutgoing: boolean;
  /** Ends the connection from this side. */
  readonly close: () => Promise<void>;
}
