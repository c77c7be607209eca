import type { ClientRun } from '../../src/client/drive/client-run.ts';
import type { ClientSubject } from '../../src/client/drive/client-subject.ts';
import type { CheckedVersion, RequirementId } from '../../src/requirements/requirement.ts';
import type { Exit } from '../../src/wire/line.ts';
import { asMessage, type RawMessage } from '../../src/wire/messages.ts';
import type { Quirk, WireDefect } from '../peers/built-in-client.ts';
import { type Defect, mutantLine, type Tampering } from './mutant-line.ts';

/** The actions of a client mutant. */
interface ClientTampering extends Tampering {
  /** Crashes the client, like an uncaught exception. */
  readonly crash: () => void;
}

/** A client with one defect, and the requirement that it breaks. */
export interface ClientMutant {
  /** The fault, as the end of a sentence. */
  readonly name: string;
  /** The scenario that must find it. */
  readonly scenario: string;
  /** The requirement that it breaks. */
  readonly breaks: RequirementId;
  /** The version of the protocol in which it is judged. Default 1. */
  readonly version?: CheckedVersion;
  /** How it must reach its agent to show the fault. Default: in memory. */
  readonly needs?: 'process' | 'http' | 'websocket';
  /** Faults in its HTTP requests or its WebSocket. */
  readonly wire?: WireDefect;
  readonly defect?: (tampering: ClientTampering) => ReturnType<Defect>;
  readonly quirk?: Quirk;
  /** Whether the fault takes longer to show. */
  readonly isSlow?: boolean;
  /** How the client ends: only when interrupted, or not even then. */
  readonly ends?: 'when interrupted' | 'never';
}

/** A client with a defect. */
export function mutantClient(subject: ClientSubject, { defect, ends }: ClientMutant): ClientSubject {
  let crash: () => void = () => undefined;
  const crashed = new Promise<Exit>((resolve) => (crash = () => resolve({ code: null, signal: 'SIGSEGV' })));
  return {
    ...subject,
    start: async (order) => ended({ ...methodsOf(await subject.start(order)) }, { crashed, ends }),
    ...(defect !== undefined && {
      tampered: (line) => mutantLine(line, (tampering) => defect({ ...tampering, crash })),
    }),
  };
}

function methodsOf(run: ClientRun): ClientRun {
  return {
    exited: run.exited,
    pids: () => run.pids(),
    stdout: () => run.stdout(),
    stderr: () => run.stderr(),
    cancel: () => run.cancel(),
    interrupt: () => run.interrupt(),
    kill: () => run.kill(),
  };
}

function ended(run: ClientRun, { crashed, ends }: { crashed: Promise<Exit>; ends: ClientMutant['ends'] }): ClientRun {
  if (ends === undefined) return { ...run, exited: Promise.race([run.exited, crashed]) };
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const exited = stopped.then(() => run.exited);
  return {
    ...run,
    exited,
    interrupt: () => {
      if (ends === 'never') return;
      stop();
      run.interrupt();
    },
    kill: async () => {
      stop();
      await run.kill();
    },
  };
}

/** Crashes on the first line after it called a method. */
export function crashesAfter(method: string): NonNullable<ClientMutant['defect']> {
  return ({ crash }) => {
    let hasCalled = false;
    return {
      says: (message, text) => {
        hasCalled ||= message['method'] === method;
        return [text];
      },
      hears: (_message, text) => {
        if (!hasCalled) return [text];
        crash();
        return [];
      },
    };
  };
}

/** Crashes on a line that contains a text. */
export function crashesAt(part: string): NonNullable<ClientMutant['defect']> {
  return ({ crash }) => ({
    hears: (_message, text) => {
      if (!text.includes(part)) return [text];
      crash();
      return [];
    },
  });
}

/** Makes the client believe that its agent has more capabilities. */
export function believes(capabilities: RawMessage): NonNullable<ClientMutant['defect']> {
  return () => ({
    hears: (message) => {
      const result = asMessage(message['result']);
      return result?.['protocolVersion'] === undefined
        ? [message]
        : [{ ...message, result: { ...result, agentCapabilities: capabilities } }];
    },
  });
}

/** Changes the parameters of a method. */
export function sends(method: string, change: (params: RawMessage) => RawMessage): NonNullable<ClientMutant['defect']> {
  return () => ({
    says: (message) =>
      message['method'] === method ? [{ ...message, params: change(asMessage(message['params']) ?? {}) }] : [message],
  });
}

/** Sends more messages after it called a method. */
export function adds(method: string, more: RawMessage): NonNullable<ClientMutant['defect']> {
  return () => ({
    says: (message) => (message['method'] === method ? [message, { jsonrpc: '2.0', ...more }] : [message]),
  });
}

/** Changes its answers. */
export function answers(change: (message: RawMessage) => RawMessage): NonNullable<ClientMutant['defect']> {
  return () => ({ says: (message) => [message['method'] === undefined ? change(message) : message] });
}

/** Offers a capability, and shows nothing after a line that contains a text. */
export function deafTo(part: string, offers: RawMessage = {}): NonNullable<ClientMutant['defect']> {
  return () => {
    let isDeaf = false;
    return {
      says: (message) => [message['method'] === 'initialize' ? withOffers(message, offers) : message],
      hears: (message, text) => {
        isDeaf ||= text.includes(part);
        return isDeaf && message['method'] !== undefined ? [] : [message];
      },
    };
  };
}

function withOffers(message: RawMessage, offers: RawMessage): RawMessage {
  const params = asMessage(message['params']);
  const clientCapabilities = { ...asMessage(params?.['clientCapabilities']), ...offers };
  return { ...message, params: { ...params, clientCapabilities } };
}
