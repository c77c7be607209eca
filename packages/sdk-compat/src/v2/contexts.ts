import { AgentContext, ClientContext } from '../apps/context.ts';
import type { Wire } from '../apps/wire.ts';

interface InitializeTypes {
  readonly InitializeRequest: object;
  readonly InitializeResponse: object;
}

/** The introductions of both sides in `initialize`. */
export type InitializationSnapshotOf<D extends InitializeTypes> = Readonly<{
  request: D['InitializeRequest'];
  response: D['InitializeResponse'];
}>;

/** Calls a client of version 2. */
export class V2AgentContextOf<W extends Wire, D extends InitializeTypes> extends AgentContext<W> {
  /** Resolves when `initialize` was answered; rejects if the connection ends before. */
  get initialized(): Promise<InitializationSnapshotOf<D>> {
    return this.connection.initialization.done as Promise<InitializationSnapshotOf<D>>;
  }
}

/** Calls an agent of version 2. */
export class V2ClientContextOf<W extends Wire, D extends InitializeTypes> extends ClientContext<W> {
  /** Resolves when `initialize` was answered; rejects if the connection ends before. */
  get initialized(): Promise<InitializationSnapshotOf<D>> {
    return this.connection.initialization.done as Promise<InitializationSnapshotOf<D>>;
  }
}
