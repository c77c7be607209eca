import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { reachSessions } from '../wire/script.ts';
import { onSchedule, stamped } from './stamp.ts';

/** Sends `count` updates to every session in turn, with serials from `first`, in total `rate` a second. */
export interface SendOrder {
  readonly first: number;
  readonly count: number;
  readonly rate: number;
  /** Characters of an update; shorter stamps are padded. */
  readonly length: number;
}

type Order = { readonly do: 'facts' } | ({ readonly do: 'send' } & SendOrder);

/** Lets the parent process send updates to all sessions that are created after this call, and ask for the figures of this process. */
export function obeyOrders(facts: () => object): void {
  const sessions = reachSessions();
  const obey = async (order: Order): Promise<object> => {
    if (order.do === 'facts') return facts();
    const { first, count, rate, length } = order;
    const targets = [...sessions];
    await onSchedule({ rate, count: count * targets.length }, (index, dueAt) => {
      const [sessionId, sendUpdate] = targets[index % targets.length]!;
      const serial = first + Math.floor(index / targets.length);
      const text = stamped({ serial, dueAt, process: process.pid }, length);
      void sendUpdate({ sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } });
    });
    return {};
  };
  process.on('message', (order: Order) => void obey(order).then((answer) => process.send?.(answer)));
  process.once('disconnect', () => process.exit());
}

/** Has a process that obeys orders send updates; resolves when all are sent. */
export async function orderUpdates(child: ChildProcess, order: SendOrder): Promise<void> {
  await ask(child, { do: 'send', ...order });
}

/** The figures of a process that obeys orders. */
export async function factsOf<Facts>(child: ChildProcess): Promise<Facts> {
  return (await ask(child, { do: 'facts' })) as Facts;
}

async function ask(child: ChildProcess, order: Order): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(order);
  return ((await answer) as [unknown])[0];
}
