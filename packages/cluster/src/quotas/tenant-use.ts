import { errorCodes, ProtocolError, type Transport, type UsageLimits } from '@turnwire/protocol';
import type { QuotaEnforcer } from '@turnwire/gateway';
import type { StoredUse } from '@turnwire/runtime';
import { MeteredTransport } from './metered-transport.ts';

/** The period in which prompts and bytes are counted, in milliseconds. */
const window = 60_000;
/** How long the figures of stored sessions are cached, in milliseconds. */
const storedFor = 10_000;

/** The names of quotas. `prompts` and `transferredBytes` count within a minute. */
export const quotaNames = ['sessions', 'storedBytes', 'agents', 'prompts', 'transferredBytes'] as const;

/** The name of a quota. */
export type QuotaName = (typeof quotaNames)[number];

/** Limits of the usage of a tenant. Its users cannot exceed them. */
export interface TenantBudgets {
  /** In one session. */
  readonly session?: UsageLimits | undefined;
  /** In all sessions together, in one day. */
  readonly day?: UsageLimits | undefined;
}

/** The limits of a tenant. An absent value means no limit. */
export interface TenantQuota {
  /** Stored sessions, including closed ones. */
  readonly sessions?: number | undefined;
  /** Bytes of the events of all its sessions. A running turn continues beyond the limit; the next one is refused. */
  readonly storedBytes?: number | undefined;
  /** Sessions with an agent at the same time. */
  readonly agents?: number | undefined;
  /** Prompts within a minute. */
  readonly prompts?: number | undefined;
  /** Bytes that its clients send and receive within a minute. */
  readonly transferredBytes?: number | undefined;
  /** Sessions are limited by them, not by {@link TenantUse}. */
  readonly budgets?: TenantBudgets | undefined;
}

/** A tenant's current use of gateways; `prompts` and `transferredBytes` within the current minute. */
export interface LiveUse {
  readonly agents: number;
  readonly prompts: number;
  readonly transferredBytes: number;
}

/** The quotas of tenants. */
export interface TenantQuotas {
  /** The quota of a tenant, which may change over time. */
  of(tenant: string): TenantQuota;
  /** A tenant's use of other gateways with the same store. Default: none. */
  elsewhere?(tenant: string): LiveUse;
}

/** A tenant that uses a gateway. */
export interface TenantFigures extends LiveUse {
  readonly tenant: string;
  readonly quota: TenantQuota;
  /** The stored sessions when they were last read; undefined before that, and if the store does not count. */
  readonly stored: StoredUse | undefined;
  /** The number of refusals by the quota that would have been exceeded. */
  readonly refusals: Readonly<Partial<Record<QuotaName, number>>>;
}

/** Options of {@link TenantUse}. */
export interface TenantUseOptions {
  readonly quotas: TenantQuotas;
  /** Reads the stored sessions of a tenant: `use` of the store. Undefined if the store does not count. */
  readonly stored: ((tenant: string) => Promise<StoredUse>) | undefined;
  /** The number of a tenant's agents on this gateway: its `agentsOf`. */
  readonly agents: (tenant: string) => number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
}

/** The counts of a tenant in this process. */
interface Counted {
  since: number;
  prompts: number;
  transferredBytes: number;
  /** Sessions that are being stored. */
  creating: number;
  stored: StoredUse | undefined;
  readAt: number;
  readonly refusals: Partial<Record<QuotaName, number>>;
}

/**
 * Counts and limits the tenants' use of a gateway: for `quotas` of its options. A request that would exceed a quota is refused with a ProtocolError
 * whose `data.turnwire` names the quota, with the code `quota-exceeded`.
 */
export class TenantUse implements QuotaEnforcer {
  readonly #options: TenantUseOptions;
  readonly #now: () => number;
  readonly #counted = new Map<string, Counted>();

  constructor(options: TenantUseOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Wraps a transport to count its frames. */
  metered(transport: Transport, tenant: string): Transport {
    return new MeteredTransport(transport, (bytes) => (this.#of(tenant).transferredBytes += bytes));
  }

  /** Stores a new session, unless the tenant's quota is used up. */
  async beginning<Result>(tenant: string, store: () => Promise<Result>): Promise<Result> {
    const counted = this.#of(tenant);
    const before = counted.creating++;
    try {
      const { sessions: most, storedBytes } = this.#options.quotas.of(tenant);
      if ((most ?? storedBytes) !== undefined) await this.#readStored(tenant, counted);
      const { sessions = 0 } = counted.stored ?? {};
      this.#refuse(tenant, { name: 'sessions', used: sessions + before });
      this.#refuseStored(tenant, counted);
      this.admitTransfer(tenant);
      return await store();
    } finally {
      counted.creating--;
    }
  }

  /** Reads the stored sessions of the tenant, on which later prompts depend. Rejects if the tenant has used up its transfer quota. */
  async opening(tenant: string): Promise<void> {
    this.admitTransfer(tenant);
    const counted = this.#of(tenant);
    if (counted.stored === undefined && this.#options.quotas.of(tenant).storedBytes !== undefined)
      await this.#readStored(tenant, counted);
  }

  /** Counts a prompt. Throws if it exceeds a quota. */
  admitPrompt(tenant: string): void {
    const counted = this.#of(tenant);
    this.admitTransfer(tenant);
    this.#refuseStored(tenant, counted);
    const { prompts = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'prompts', used: counted.prompts + prompts });
    counted.prompts++;
    // For the next prompt.
    if (this.#now() - counted.readAt > storedFor && this.#options.quotas.of(tenant).storedBytes !== undefined)
      this.#readStored(tenant, counted).catch(() => undefined);
  }

  /** Throws if the tenant may have no further agent. */
  admitAgent(tenant: string): void {
    const { agents = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'agents', used: this.#options.agents(tenant) + agents });
  }

  /** Throws if the tenant's clients have sent and received too much. */
  admitTransfer(tenant: string): void {
    const { transferredBytes = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'transferredBytes', used: this.#of(tenant).transferredBytes + transferredBytes });
  }

  /** The tenants that used this gateway within the current minute, or were refused. */
  get figures(): readonly TenantFigures[] {
    return [...this.#counted.keys()].flatMap((tenant) => {
      const { prompts, transferredBytes, creating, stored, refusals } = this.#of(tenant);
      const agents = this.#options.agents(tenant);
      if (prompts + transferredBytes + creating + agents === 0 && Object.keys(refusals).length === 0) {
        this.#counted.delete(tenant);
        return [];
      }
      const quota = this.#options.quotas.of(tenant);
      return [{ tenant, quota, stored, agents, prompts, transferredBytes, refusals: { ...refusals } }];
    });
  }

  #of(tenant: string): Counted {
    const since = this.#now();
    const known = this.#counted.get(tenant);
    if (known && since - known.since >= window) Object.assign(known, { since, prompts: 0, transferredBytes: 0 });
    if (known) return known;
    const counts = { prompts: 0, transferredBytes: 0, creating: 0 };
    const counted = { since, ...counts, stored: undefined, readAt: -Infinity, refusals: {} };
    this.#counted.set(tenant, counted);
    return counted;
  }

  #elsewhere(tenant: string): Partial<LiveUse> {
    return this.#options.quotas.elsewhere?.(tenant) ?? {};
  }

  async #readStored(tenant: string, counted: Counted): Promise<void> {
    counted.readAt = this.#now();
    counted.stored = await this.#options.stored?.(tenant);
  }

  #refuseStored(tenant: string, { stored }: Counted): void {
    this.#refuse(tenant, { name: 'storedBytes', used: stored?.storedBytes ?? 0 });
  }

  #refuse(tenant: string, { name, used }: { readonly name: QuotaName; readonly used: number }): void {
    const limit = this.#options.quotas.of(tenant)[name];
    if (limit === undefined || used < limit) return;
    const { refusals, since } = this.#of(tenant);
    refusals[name] = (refusals[name] ?? 0) + 1;
    const isRate = name === 'prompts' || name === 'transferredBytes';
    const retryAfter = isRate ? Math.max(1, Math.ceil((since + window - this.#now()) / 1_000)) : undefined;
    throw exceeded({ name, limit, retryAfter });
  }
}

interface Exceeded {
  readonly name: QuotaName;
  readonly limit: number;
  /** In seconds. */
  readonly retryAfter: number | undefined;
}

function exceeded({ name, limit, retryAfter }: Exceeded): ProtocolError {
  const advice = retryAfter === undefined ? advices[name] : `try again in ${retryAfter} s`;
  return new ProtocolError(errorCodes.invalidRequest, `The quota of ${limit} ${nouns[name]} is used up: ${advice}`, {
    turnwire: { code: 'quota-exceeded', quota: name, limit, ...(retryAfter !== undefined && { retryAfter }) },
  });
}

const nouns: Readonly<Record<QuotaName, string>> = {
  sessions: 'sessions',
  storedBytes: 'bytes of stored sessions',
  agents: 'sessions that have an agent',
  prompts: 'prompts a minute',
  transferredBytes: 'bytes a minute to and from clients',
};

const advices: Readonly<Partial<Record<QuotaName, string>>> = {
  sessions: 'delete one',
  storedBytes: 'delete sessions',
  agents: 'close one, or wait until one is idle',
};
