import type { Readable, Writable } from 'node:stream';
import type { PromptResponse, SessionUpdate } from '@turnwire/protocol';

/** Those who are compared, in the order of the table. */
export const contenderNames = ['floor', 'official', 'turnwire'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** What one end of a connection reads and writes. */
export interface ByteStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The client's end, as far as the bench needs it. */
export interface BenchClient {
  initialize(): Promise<unknown>;
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
}

/** One way to speak the protocol. Both ends do the same work whoever speaks it: see script.ts. */
export interface Contender {
  /** Serves the scripted agent over this process's stdin and stdout. */
  serveStdio(): void;
  /** Serves the scripted agent over any pair of streams. */
  serve(bytes: ByteStreams): void;
  /** Connects a client whose handler of `session/update` is `onUpdate`. */
  connect(bytes: ByteStreams, onUpdate: (update: SessionUpdate) => void): BenchClient;
}
