import type { Server } from 'node:http';
import type { SessionUpdate } from '@turnwire/protocol';
import type { BenchClient } from '../wire/contender.ts';

/** The two remote transports of the protocol. */
export type Profile = 'websocket' | 'http';

/** One way to reach an agent over a network. Both ends do the same work for each contender: see wire/script.ts. */
export interface RemoteContender {
  /** Serves the scripted agent at `/acp` of a server, one for each client. */
  serve(server: Server, profile: Profile): void;
  /** Connects a client whose handler of `session/update` is `onUpdate`. */
  connect(port: number, profile: Profile, onUpdate: (update: SessionUpdate) => void): BenchClient;
}
