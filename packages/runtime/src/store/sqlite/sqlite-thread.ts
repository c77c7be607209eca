import { Worker } from 'node:worker_threads';
import { assetPath } from '@turnwire/machine';
import { StoreError } from '../store-error.ts';
import { type Failure, storeErrorOf } from './sqlite-failure.ts';

/** The number of calls that may share a transaction. */
const mostCalls = 1_000;
/** The number of reads among them: each may return a mebibyte, and appends wait for them. */
const mostReads = 8;

/** The file of a database, and its durability. */
export interface SqlitePlace {
  readonly path: string;
  readonly durability: 'process' | 'disk';
}

/** Makes the calls of `sqlite-database.mjs`. */
export interface SqliteCalls {
  /** Resolves once the result is stored. Calls run in order. */
  call<Value>(name: string, parameters: object): Promise<Value>;
  /** Resolves when every call is answered and the files are closed. */
  close(): Promise<void>;
}

/** A call that waits for its answer. */
interface Call {
  readonly name: string;
  readonly parameters: object;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The answer to a failed call. Any other answer is the value itself. */
interface Refused {
  readonly failure: Failure;
}

/** Returns the failure in an answer of the database; undefined if the answer is a value. */
export function failureIn(answer: unknown): Failure | undefined {
  return typeof answer === 'object' && answer !== null && 'failure' in answer ? (answer as Refused).failure : undefined;
}

/** The thread in which SQLite works. It starts with the first call, and keeps the process alive only while a call is under way. */
export class SqliteThread implements SqliteCalls {
  readonly #options: SqlitePlace;
  #worker: Worker | undefined;
  #exited: Promise<unknown> | undefined;
  /** The calls that were not posted. */
  #queue: Call[] = [];
  /** The calls of the running transaction. */
  #posted: readonly Call[] = [];
  /** The thread opens the database or runs a transaction, or receives one in the next microtask. */
  #isBusy = false;
  /** The reason why every further call fails. */
  #failure: Failure | undefined;
  #whenIdle: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SqlitePlace) {
    this.#options = options;
  }

  call<Value>(name: string, parameters: object): Promise<Value> {
    // Only one promise per call: events arrive one by one.
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw new StoreError('failed', 'the store is closed');
      this.#add({ name, parameters, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  async close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  #add(call: Call): void {
    this.#queue.push(call);
    if (this.#failure !== undefined) return this.#fail(this.#failure);
    if (this.#worker === undefined) this.#start();
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Calls of the same moment share a transaction.
    queueMicrotask(() => this.#post());
  }

  #start(): void {
    const worker = new Worker(assetPath('sqlite-worker.mjs', import.meta.url), {
      workerData: this.#options,
      // Users do not need Node's warning that the interface of its engine may change.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#worker = worker;
    this.#isBusy = true;
    worker.on('message', (message: readonly unknown[] | Partial<Refused>) => this.#receive(message));
    worker.on('error', ({ message }) => this.#fail({ message }));
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.on('exit', () => this.#fail({ message: 'its thread has ended' }));
  }

  #receive(message: readonly unknown[] | Partial<Refused>): void {
    if (!Array.isArray(message)) {
      const { failure } = message as Partial<Refused>;
      return failure === undefined ? this.#post() : this.#fail(failure);
    }
    const calls = this.#posted;
    this.#posted = [];
    for (let index = 0; index < calls.length; index++) this.#settle(calls[index] as Call, message[index]);
    this.#post();
  }

  /** Posts the waiting calls as one flat list, because each object that goes to another thread costs more than its content. */
  #post(): void {
    const count = countTogether(this.#queue);
    this.#isBusy = count > 0;
    if (count === 0) return this.#rest();
    this.#posted = this.#queue.splice(0, count);
    const list: unknown[] = [];
    for (const { name, parameters } of this.#posted) list.push(name, parameters);
    this.#worker?.ref();
    this.#worker?.postMessage(list);
  }

  #settle({ resolve, reject }: Call, answer: unknown): void {
    const failure = failureIn(answer);
    if (failure) reject(storeErrorOf(failure, this.#options.path));
    else resolve(answer);
  }

  #rest(): void {
    this.#worker?.unref();
    this.#whenIdle?.();
  }

  #fail(failure: Failure): void {
    this.#failure ??= failure;
    this.#whenIdle?.();
    const calls = [...this.#posted, ...this.#queue];
    this.#posted = [];
    this.#queue = [];
    for (const call of calls) this.#settle(call, { failure: this.#failure });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    if (this.#failure === undefined && this.#isBusy) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    // After a failure the thread ends by itself.
    if (this.#failure === undefined) worker.postMessage('close');
    await this.#exited;
  }
}

/** The number of waiting calls for the next transaction. */
function countTogether(queue: readonly Call[]): number {
  let reads = 0;
  const end = queue.findIndex(({ name }, index) => index === mostCalls || (name === 'read' && ++reads > mostReads));
  return end === -1 ? queue.length : end;
}
