import type { Dialect } from '../dialects/dialect.ts';
import type { Journal } from '../log/journal.ts';
import type { Side } from '../side.ts';
import type { AnyOffer, Handshake } from './handshake.ts';
import type { Lanes } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { MethodTable } from './method-table.ts';
import type { ReadingFacts } from './reader.ts';
import type { SessionSetup } from './session-setup.ts';
import type { Wire } from './wire.ts';

/** The connection, as its halves need it. */
interface OwnConnection {
  /** Ends the connection from this side. */
  close(): Promise<void>;
  /** `initialize` was answered, with a result or an error: messages that came early are read now. */
  readEarly(): void;
}

/** The parts that the calling and the answering half of a peer share. */
export interface Parts {
  readonly side: Side;
  /** Of the edition that governs the connection, like the handlers and the dialect: `initialize` may choose another edition. */
  methods: MethodTable;
  /** By method, or an instance of a class with such methods. */
  handlers: Readonly<Record<string, unknown>>;
  readonly wire: Wire;
  readonly lanes: Lanes;
  readonly handshake: Handshake;
  readonly reading: ReadingFacts;
  readonly setup: SessionSetup;
  readonly journal: Journal;
  readonly limits: Limits;
  dialect: Dialect;
  readonly checkOutgoing: boolean;
  /** All editions that this side offers, oldest first, if there are several. */
  readonly offers: readonly AnyOffer[] | undefined;
  readonly connection: OwnConnection;
}
