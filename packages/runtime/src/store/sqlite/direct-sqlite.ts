import { isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { assetPath } from '@turnwire/machine';
import { StoreError } from '../store-error.ts';
import { type Failure, storeErrorOf } from './sqlite-failure.ts';
import { failureIn, type SqliteCalls, type SqlitePlace } from './sqlite-thread.ts';

/** The exports of `sqlite-database.mjs`. */
interface DatabaseModule {
  readonly SqliteDatabase: { open(place: SqlitePlace): Promise<Database> };
  readonly described: (error: unknown) => Failure;
}

interface Database {
  answersTo(calls: readonly unknown[]): readonly unknown[];
  close(): void;
}

/** Whether SQLite can work without a thread: Node's own engine would print a warning that users do not need. */
export const worksDirectly: boolean = !isBuiltin('node:sqlite');

/** SQLite in this thread: for one short command, because the start of another thread takes longer than the work. */
export class DirectSqlite implements SqliteCalls {
  readonly #place: SqlitePlace;
  #opening: Promise<Database> | undefined;
  #isClosed = false;

  constructor(place: SqlitePlace) {
    this.#place = place;
  }

  async call<Value>(name: string, parameters: object): Promise<Value> {
    if (this.#isClosed) throw new StoreError('failed', 'the store is closed');
    const database = await (this.#opening ??= this.#open());
    const [answer] = database.answersTo([name, parameters]);
    const failure = failureIn(answer);
    if (failure) throw storeErrorOf(failure, this.#place.path);
    return answer as Value;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const database = await this.#opening?.catch(() => undefined);
    database?.close();
  }

  async #open(): Promise<Database> {
    const module = pathToFileURL(assetPath('sqlite-database.mjs', import.meta.url)).href;
    const { SqliteDatabase, described } = (await import(module)) as DatabaseModule;
    try {
      return await SqliteDatabase.open(this.#place);
    } catch (error) {
      throw storeErrorOf(described(error), this.#place.path);
    }
  }
}
