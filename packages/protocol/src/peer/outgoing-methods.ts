import { notificationHead, requestMiddle } from '../json-rpc/frames.ts';
import type { Parts } from './parts.ts';
import type { Reader } from './readers.ts';
import type { Row } from './rows.ts';

/** What sending a method takes; made once per method. */
export interface OutgoingMethod {
  readonly method: string;
  readonly kind: Row['kind'];
  /** Absent for extensions, and for what is sent raw. */
  readonly row: Row | undefined;
  /** Sent on purpose, whatever the table of methods says. */
  readonly isRaw: boolean;
  /** The constant text of its frames. */
  readonly head: string;
  /** Its answer waits behind the updates that came before it. */
  readonly answersLast: boolean;
  /** Reads its results. Absent for extensions and notifications. */
  readonly results: Reader | undefined;
}

/** The method that was sent raw last, by whichever connection: who relays updates to ten thousand clients sends one after the other. */
let lastRaw: { readonly sent: OutgoingMethod; readonly ordering: Parts['ordering'] } | undefined;

/** The methods a peer has sent so far. */
export class OutgoingMethods {
  readonly #parts: Pick<Parts, 'rows' | 'ordering' | 'readers'>;
  #requests: Map<string, OutgoingMethod> | undefined;
  readonly #notifications = new Map<string, OutgoingMethod>();

  constructor(parts: Pick<Parts, 'rows' | 'ordering' | 'readers'>) {
    this.#parts = parts;
  }

  request(method: string): OutgoingMethod {
    return this.#requests?.get(method) ?? this.#add((this.#requests ??= new Map()), method, 'request');
  }

  notification(method: string): OutgoingMethod {
    return this.#notifications.get(method) ?? this.#add(this.#notifications, method, 'notification');
  }

  /** A method by its name alone. */
  raw(method: string, kind: Row['kind']): OutgoingMethod {
    const { ordering } = this.#parts;
    const last = lastRaw?.ordering === ordering ? lastRaw.sent : undefined;
    if (last?.method === method && last.kind === kind) return last;
    const head = kind === 'request' ? requestMiddle(method) : notificationHead(method);
    const answersLast = ordering.answersLast.has(method);
    const sent = { method, kind, head, row: undefined, isRaw: true, answersLast, results: undefined };
    lastRaw = { sent, ordering };
    return sent;
  }

  #add(methods: Map<string, OutgoingMethod>, method: string, kind: Row['kind']): OutgoingMethod {
    const row = this.#parts.rows.get(method);
    const added = {
      ...this.raw(method, kind),
      row,
      isRaw: false,
      results: row?.result && this.#parts.readers.result(row, row.result),
    };
    methods.set(method, added);
    return added;
  }
}
