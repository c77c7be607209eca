// Started by load-generator.ts: many bare WebSocket clients, which get their orders over IPC.
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { updatesOf } from '../wire/updates.ts';
import { listening } from './listening.ts';
import { LoadClients } from './load-clients.ts';

export type Order =
  | { readonly do: 'check' }
  | { readonly do: 'connect'; readonly port: number; readonly count: number }
  | { readonly do: 'receive'; readonly count: number };

export type Answer = { readonly done: true } | { readonly failure: string };

const clients = new LoadClients(5_000);

process.on('message', (order: Order) => {
  obey(order).then(
    () => answer({ done: true }),
    (error: unknown) => answer({ failure: (error as Error).message }),
  );
});
process.once('disconnect', () => process.exit());

function answer(message: Answer): void {
  process.send?.(message);
}

async function obey(order: Order): Promise<void> {
  switch (order.do) {
    case 'check':
      await checkMyself();
      return;
    case 'connect':
      await clients.connect(order.port, order.count);
      return;
    case 'receive':
      await clients.untilReceived(order.count);
  }
}

/** Clients, updates for each, and the updates that a second of processor time must suffice for: twice the rate of a bench. */
const [some, each, enough] = [100, 1_000, 20_000];

/** A generator that miscounts, or is too slow, would make every server look the same. */
async function checkMyself(): Promise<void> {
  let fastest = 0;
  // Tries again, in case the machine was busy.
  for (let attempt = 0; attempt < 5 && fastest < enough; attempt++) {
    const { perSecond, failure } = await received((sequence) => sequence);
    if (failure !== undefined) throw new Error(`all updates came in order, and it says: ${failure}`);
    fastest = Math.max(fastest, perSecond);
  }
  if (fastest < enough)
    throw new Error(`it receives ${Math.round(fastest)} updates in a second of processor time, not ${enough}`);
  for (const [what, defect] of [
    ['an update that is missing', (sequence: number[]) => sequence.toSpliced(500, 1)],
    ['an update that came twice', (sequence: number[]) => sequence.toSpliced(500, 0, sequence[500]!)],
    ['two updates in the wrong order', (sequence: number[]) => sequence.with(500, 501).with(501, 500)],
  ] as const)
    if ((await received(defect)).failure === undefined) throw new Error(`it does not notice ${what}`);
}

/** The failure that clients report if a server in this process sends one of them these updates, and correct ones to all others. */
async function received(
  change: (sequence: number[]) => readonly number[],
): Promise<{ readonly perSecond: number; readonly failure: string | undefined }> {
  const { server, port } = await listening();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  let sessions = 0;
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { readonly id: number };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id === 0 ? {} : { sessionId: `${++sessions}` } }));
    });
  });
  const own = new LoadClients(500);
  await own.connect(port, some);
  const frames = updatesOf('small-update', 's').map((params) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }),
  );
  const straight = Array.from({ length: each }, (_, index) => index);
  const before = process.cpuUsage();
  for (const [at, socket] of [...sockets.clients].entries())
    for (const index of at === 7 ? change(straight) : straight) socket.send(frames[index % frames.length]!);
  const failure = await own.untilReceived(some * each).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  const { user, system } = process.cpuUsage(before);
  for (const socket of sockets.clients) socket.terminate();
  server.close();
  await once(server, 'close');
  return { perSecond: ((some * each) / (user + system)) * 1e6, failure };
}
