import { notificationHead, requestMiddle } from '../json-rpc/frames.ts';
import { checks } from '../generated/checks.ts';
import { type ParamGate, paramGateOf } from './gates.ts';
import type { Reader, Reception } from './reception.ts';
import { type Row, rowOf } from './rows.ts';

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
  /** Checks its parameters. Absent for extensions. */
  readonly check: ((params: unknown) => boolean) | undefined;
  /** What its parameters need of the capabilities. Absent: nothing. */
  readonly gate: ParamGate | undefined;
  /** Reads its results. Absent for extensions and notifications. */
  readonly results: Reader | undefined;
}

/** The methods a peer has sent so far. */
export class OutgoingMethods {
  readonly #reception: Reception;
  readonly #requests = new Map<string, OutgoingMethod>();
  readonly #notifications = new Map<string, OutgoingMethod>();

  constructor(reception: Reception) {
    this.#reception = reception;
  }

  request(method: string): OutgoingMethod {
    return this.#requests.get(method) ?? this.#add(this.#requests, method, 'request');
  }

  notification(method: string): OutgoingMethod {
    return this.#notifications.get(method) ?? this.#add(this.#notifications, method, 'notification');
  }

  /** A method by its name alone. */
  raw(method: string, kind: Row['kind']): OutgoingMethod {
    const head = kind === 'request' ? requestMiddle(method) : notificationHead(method);
    return { method, kind, head, row: undefined, isRaw: true, check: undefined, gate: undefined, results: undefined };
  }

  #add(methods: Map<string, OutgoingMethod>, method: string, kind: Row['kind']): OutgoingMethod {
    const row = rowOf(method);
    const head = kind === 'request' ? requestMiddle(method) : notificationHead(method);
    const results = row?.result === undefined ? undefined : this.#reception.result({ ...row, result: row.result });
    const added = {
      method,
      kind,
      row,
      head,
      isRaw: false,
      check: row && checks[row.params],
      gate: paramGateOf(method),
      results,
    };
    methods.set(method, added);
    return added;
  }
}
