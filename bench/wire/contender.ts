import type { Readable, Writable } from 'node:stream';
import type { PromptResponse, SessionUpdate } from '@turnwire/protocol';

/** The compared implementations, in the order of the table. */
export const contenderNames = ['floor', 'official', 'turnwire'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** The packages with the interface of the official SDK, on which one program runs unchanged. */
export const sdkNames = ['@agentclientprotocol/sdk', '@turnwire/sdk-compat'] as const;
type SdkName = (typeof sdkNames)[number];

/** Both packages, and the minimum that JavaScript needs for the same messages. */
export type ComparedName = SdkName | 'floor';

/** Everything that can serve and connect. */
export type ProgramName = ContenderName | SdkName;

/** The streams of one end of a connection. */
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

/** One implementation of the protocol. Both ends do the same work with each: see script.ts. */
export interface Contender {
  /** Serves the scripted agent over this process's stdin and stdout. */
  serveStdio(): void;
  /** Serves the scripted agent over any pair of streams. */
  serve(bytes: ByteStreams): void;
  /** Connects a client whose handler of `session/update` is `onUpdate`. */
  connect(bytes: ByteStreams, onUpdate: (update: SessionUpdate) => void): BenchClient;
}
