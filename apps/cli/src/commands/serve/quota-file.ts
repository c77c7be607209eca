import { isObject } from '../../is-object.ts';
import { stat } from 'node:fs/promises';
import { readOwnFile } from '@turnwire/machine';
import { type QuotaName, quotaNames, type TenantQuota } from '@turnwire/cluster';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';

/** How often the file is looked at, in milliseconds. */
const interval = 1_000;

/** Where quotas come from. */
export interface QuotaFileParts {
  /** Absolute. Undefined: there is no file. */
  readonly path: string | undefined;
  /** What a tenant has of which the file says nothing else. */
  readonly always: TenantQuota;
  /** Whether the store counts what tenants have in it. */
  readonly isStoreCounted: boolean;
}

interface Quotas {
  readonly default: TenantQuota;
  readonly tenants: ReadonlyMap<string, TenantQuota>;
}

const none: Quotas = { default: {}, tenants: new Map() };

/** The quotas of tenants, as a file has them: `{ "default": { "sessions": 100 }, "tenants": { "blue": { "sessions": 500 } } }`. It may change. */
export class QuotaFile {
  readonly #always: TenantQuota;
  readonly #names: readonly QuotaName[];
  #quotas: Quotas = none;
  /** Of the file when it was read. */
  #state = '';
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /** Throws CommandError for a file that holds no quotas. */
  constructor({ path, always, isStoreCounted }: QuotaFileParts) {
    this.#always = always;
    this.#names = isStoreCounted
      ? quotaNames
      : quotaNames.filter((name) => name !== 'sessions' && name !== 'storedBytes');
    if (path === undefined) return;
    this.#quotas = this.#read(path);
    this.#timer = setInterval(() => void this.#refresh(path), interval).unref();
  }

  of(tenant: string): TenantQuota {
    return { ...this.#always, ...this.#quotas.default, ...this.#quotas.tenants.get(tenant) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A file that cannot be read, or holds no quotas, changes nothing, and is reported once. */
  async #refresh(path: string): Promise<void> {
    const state = await stat(path, { bigint: true }).then(
      ({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`,
      () => 'gone',
    );
    if (state === this.#state) return;
    this.#state = state;
    try {
      this.#quotas = this.#read(path);
    } catch (error) {
      warn(`${(error as Error).message}; the quotas stay as they were`);
    }
  }

  #read(path: string): Quotas {
    const text = readOwnFile(path);
    if (text === undefined) throw invalid(`there is no file ${path}`);
    const { default: always = {}, tenants = {}, ...others } = objectIn(text, path);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw invalid(`${path}: ${unknown} is unknown; there are default and tenants`);
    if (!isObject(tenants)) throw invalid(`${path}: tenants has to be an object`);
    const quota = (of: string, value: unknown): TenantQuota => this.#quota(`${path}: ${of}`, value);
    const each = Object.entries(tenants).map(([name, value]) => [name, quota(`tenants.${name}`, value)] as const);
    return { default: quota('default', always), tenants: new Map(each) };
  }

  #quota(key: string, value: unknown): TenantQuota {
    if (!isObject(value)) throw invalid(`${key} has to be an object`);
    for (const [name, amount] of Object.entries(value)) {
      if (!this.#names.includes(name as QuotaName))
        throw invalid(
          (quotaNames as readonly string[]).includes(name)
            ? `${key}.${name} needs a database, which counts: give --store`
            : `${key}.${name} is unknown; there are ${quotaNames.join(', ')}`,
        );
      if (typeof amount !== 'number' || !(amount >= 0)) throw invalid(`${key}.${name} has to be a number from 0 on`);
    }
    return value;
  }
}

function objectIn(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw invalid(`${path} has to hold a JSON object`);
}

function invalid(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
