import { isObject } from '../../is-object.ts';
import { stat } from 'node:fs/promises';
import { readOwnFile } from '@turnwire/machine';
import { type QuotaName, quotaNames, type TenantQuota } from '@turnwire/cluster';
import { limitNames } from '@turnwire/protocol';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';

/** How often to check the file for changes, in milliseconds. */
const interval = 1_000;

/** The sources of quotas. */
export interface QuotaFileParts {
  /** The absolute path of the file, if there is one. */
  readonly path: string | undefined;
  /** The default quota of a tenant, which the file may override. */
  readonly always: TenantQuota;
  /** Whether the store counts the sessions and bytes of tenants. */
  readonly isStoreCounted: boolean;
}

interface Quotas {
  readonly default: TenantQuota;
  readonly tenants: ReadonlyMap<string, TenantQuota>;
}

const none: Quotas = { default: {}, tenants: new Map() };

/** The quotas of tenants in a file, which is read again when it changes: `{ "default": { "sessions": 100 }, "tenants": { "blue": { "sessions": 500 } } }`. */
export class QuotaFile {
  readonly #always: TenantQuota;
  readonly #names: readonly QuotaName[];
  #quotas: Quotas = none;
  /** The identity of the file when it was read: inode, size and modification time. */
  #state = '';
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /** Throws CommandError for an invalid file. */
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

  /** Reads the file again if it has changed. An invalid file is reported once, and the previous quotas stay in force. */
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
      warn(`${(error as Error).message}; the previous quotas stay in force`);
    }
  }

  #read(path: string): Quotas {
    const text = readOwnFile(path);
    if (text === undefined) throw invalid(`there is no file ${path}`);
    const { default: always = {}, tenants = {}, ...others } = objectIn(text, path);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw invalid(`${path}: ${unknown} is unknown; allowed are default and tenants`);
    if (!isObject(tenants)) throw invalid(`${path}: tenants must be an object`);
    const quota = (of: string, value: unknown): TenantQuota => this.#quota(`${path}: ${of}`, value);
    const each = Object.entries(tenants).map(([name, value]) => [name, quota(`tenants.${name}`, value)] as const);
    return { default: quota('default', always), tenants: new Map(each) };
  }

  #quota(key: string, value: unknown): TenantQuota {
    if (!isObject(value)) throw invalid(`${key} must be an object`);
    for (const [name, amount] of Object.entries(value)) {
      if (name === 'budgets') {
        checkBudgets(`${key}.budgets`, amount);
        continue;
      }
      if (!this.#names.includes(name as QuotaName))
        throw invalid(
          (quotaNames as readonly string[]).includes(name)
            ? `${key}.${name} needs a database: give --store`
            : `${key}.${name} is unknown; allowed are ${quotaNames.join(', ')}, budgets`,
        );
      if (typeof amount !== 'number' || !(amount >= 0)) throw invalid(`${key}.${name} must be a number of at least 0`);
    }
    return value;
  }
}

/** Throws CommandError unless a value has the form `{"session": {"cost": 5}, "day": {"cost": 20, "turns": 100}}`. */
function checkBudgets(key: string, budgets: unknown): void {
  if (!isObject(budgets)) throw invalid(`${key} must be an object`);
  for (const [per, limits] of Object.entries(budgets)) {
    if (per !== 'session' && per !== 'day') throw invalid(`${key}.${per} is unknown; allowed are session and day`);
    if (!isObject(limits)) throw invalid(`${key}.${per} must be an object`);
    for (const [name, most] of Object.entries(limits)) {
      if (!(limitNames as readonly string[]).includes(name))
        throw invalid(`${key}.${per}.${name} is unknown; allowed are ${limitNames.join(', ')}`);
      if (typeof most !== 'number' || !(most >= 0))
        throw invalid(`${key}.${per}.${name} must be a number of at least 0`);
    }
  }
}

function objectIn(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw invalid(`${path} must contain a JSON object`);
}

function invalid(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
