import type { Edition } from '@turnwire/protocol';
import { admitUpdates } from '../apps/admit-updates.ts';
import { type AcpConnection, App } from '../apps/app.ts';
import { AcpContext } from '../apps/context.ts';
import type { Connection } from '../connection/connection.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import type { Stream } from '../streams/stream.ts';
import type { Member } from './members.ts';

/** The methods of a program's `Agent` or `Client`, by name. */
type Implementation = { readonly [name: string]: unknown };
type Call = (this: Implementation, ...parameters: readonly unknown[]) => unknown;

interface Received {
  readonly method: string;
  readonly params: unknown;
}

/** The side that a class connects. */
export interface Side {
  readonly side: 'agent' | 'client';
  readonly edition: Edition;
  readonly requests: readonly Member[];
  readonly notifications: readonly Member[];
  /** The kinds of updates that a client receives. */
  readonly knownUpdates?: ReadonlySet<string>;
  /** Remove fields that the protocol does not have from parameters. */
  readonly strip?: boolean | undefined;
}

/** Options of the connection classes. */
export interface ClassConnectionOptions {
  /** Removes fields that the protocol does not have from the parameters of its methods, as the official package does. Default: they stay. */
  readonly strip?: boolean;
}

/** Opens a connection whose messages are handled by the methods of an object. Methods that it does not have are answered -32601. */
export function connectImplementation(object: object, stream: Stream, side: Side): AcpContext {
  const implementation = object as Implementation;
  let opened: Connection | undefined;
  const app = new App({
    ...side,
    peerField: 'client',
    makePeer: () => undefined,
    isGated: false,
    makeHandle: (connection): AcpConnection => (opened = connection),
    admitNotification: admitUpdates(side.knownUpdates, () => false),
  });
  for (const [kind, members] of [
    ['request', side.requests],
    ['notification', side.notifications],
  ] as const) {
    for (const [method, ...names] of members) {
      const name = names.find((each) => typeof implementation[each] === 'function');
      if (name === undefined) continue;
      // The object may get or replace its methods later, as a mock of a test does.
      const call = ({ params }: Received): unknown => (implementation[name] as Call).call(implementation, params);
      app.registrations.add(kind, method, [
        asItIs,
        kind === 'request' ? async (received: Received) => (await call(received)) ?? {} : call,
      ]);
    }
  }
  addExtensions(app, implementation, side);
  app.connect(stream);
  return new AcpContext(opened as Connection);
}

/** Methods that the interface does not have. */
function addExtensions(app: App, implementation: Implementation, { requests, notifications }: Side): void {
  const known = new Set([...requests, ...notifications].map(([method]) => method));
  const { extMethod, extNotification } = implementation;
  if (typeof extMethod === 'function')
    app.registrations.add('request', '*', [
      ({ method, params }: Received) => {
        if (known.has(method)) throw RequestError.methodNotFound(method);
        return (extMethod as Call).call(implementation, method, params);
      },
    ]);
  if (typeof extNotification === 'function')
    app.registrations.add('notification', '*', [
      ({ method, params }: Received) =>
        known.has(method) ? undefined : (extNotification as Call).call(implementation, method, params),
    ]);
}

function asItIs(params: unknown): unknown {
  return params;
}
