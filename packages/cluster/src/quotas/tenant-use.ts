import { errorCodes, ProtocolError, type Transport } from '@turnwire/protocol';
import type { QuotaEnforcer } from '@turnwire/gateway';
import type { StoredUse } from '@turnwire/runtime';
import { MeteredTransport } from './metered-transport.ts';

/** For how long prompts and bytes are counted together, in milliseconds. */
const window = 60_000;
/** After which time what a tenant has stored is asked for again, in milliseconds. */
const storedFor = 10_000;

/** What is counted of a tenant. `prompts` and `transferredBytes`: within a minute. */
export const quotaNames = ['sessions', 'storedBytes', 'agents', 'prompts', 'transferredBytes'] as const;

/** The name of a quota. */
export type QuotaName = (typeof quotaNames)[number];

/** What a tenant may use. What is absent has no limit. */
export interface TenantQuota {
  /** Sessions that are stored, those that were closed too. */
  readonly sessions?: number | undefined;
  /** Bytes of the events of all its sessions. A turn that runs goes on when they are too many; the next one is refused. */
  readonly storedBytes?: number | undefined;
  /** Sessions that have an agent at the same time. */
  readonly agents?: number | undefined;
  /** Prompts within a minute. */
  readonly prompts?: number | undefined;
  /** Bytes that its clients send and are sent within a minute. */
  readonly transferredBytes?: number | undefined;
}

/** What a tenant uses of running gateways; `prompts` and `transferredBytes` within the last minute that has begun. */
export interface LiveUse {
  readonly agents: number;
  readonly prompts: number;
  readonly transferredBytes: number;
}

/** What tenants may use. */
export interface TenantQuotas {
  /** It may be another one each time. */
  of(tenant: string): TenantQuota;
  /** What a tenant uses of other gateways with the same store. Default: there are none. */
  elsewhere?(tenant: string): LiveUse;
}

/** A tenant that uses a gateway. */
export interface TenantFigures extends LiveUse {
  readonly tenant: string;
  readonly quota: TenantQuota;
  /** As it was when it was last asked for; undefined until then, and where the store does not count. */
  readonly stored: StoredUse | undefined;
  /** How often something was refused, by the quota that it would have exceeded. */
  readonly refusals: Readonly<Partial<Record<QuotaName, number>>>;
}

/** What the use of tenants is counted with. */
export interface TenantUseParts {
  readonly quotas: TenantQuotas;
  /** Asks for what a tenant has stored: `use` of the store. Undefined: the store does not count. */
  readonly stored: ((tenant: string) => Promise<StoredUse>) | undefined;
  /** How many agents a tenant has here: `agentsOf` of the gateway. */
  readonly agents: (tenant: string) => number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
}

/** What this process knows of a tenant. */
interface Counted {
  since: number;
  prompts: number;
  transferredBytes: number;
  /** Sessions that are being stored. */
  beginning: number;
  stored: StoredUse | undefined;
  askedAt: number;
  readonly refusals: Partial<Record<QuotaName, number>>;
}

/**
 * What tenants use of a gateway: for `quotas` of its options. Whatever would exceed a quota is refused with a ProtocolError whose
 * `data.turnwire` names it, with the code `quota-exceeded`.
 */
export class TenantUse implements QuotaEnforcer {
  readonly #parts: TenantUseParts;
  readonly #now: () => number;
  readonly #counted = new Map<string, Counted>();

  constructor(parts: TenantUseParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** A transport whose frames are counted. */
  metered(transport: Transport, tenant: string): Transport {
    return new MeteredTransport(transport, (bytes) => (this.#of(tenant).transferredBytes += bytes));
  }

  /** Does what stores a new session, unless the tenant may have no more of them. */
  async beginning<Result>(tenant: string, store: () => Promise<Result>): Promise<Result> {
    const counted = this.#of(tenant);
    const before = counted.beginning++;
    try {
      const { sessions: most, storedBytes } = this.#parts.quotas.of(tenant);
      if ((most ?? storedBytes) !== undefined) await this.#ask(tenant, counted);
      const { sessions = 0 } = counted.stored ?? {};
      this.#refuse(tenant, { name: 'sessions', used: sessions + before });
      this.#refuseStored(tenant, counted);
      this.admitTransfer(tenant);
      return await store();
    } finally {
      counted.beginning--;
    }
  }

  /** Finds out what the tenant has stored, which its prompts are refused by. Rejects if it may have nothing sent at the moment. */
  async opening(tenant: string): Promise<void> {
    this.admitTransfer(tenant);
    const counted = this.#of(tenant);
    if (counted.stored === undefined && this.#parts.quotas.of(tenant).storedBytes !== undefined)
      await this.#ask(tenant, counted);
  }

  /** Counts a prompt. Throws if it is one too many. */
  admitPrompt(tenant: string): void {
    const counted = this.#of(tenant);
    this.admitTransfer(tenant);
    this.#refuseStored(tenant, counted);
    const { prompts = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'prompts', used: counted.prompts + prompts });
    counted.prompts++;
    // For the next one.
    if (this.#now() - counted.askedAt > storedFor && this.#parts.quotas.of(tenant).storedBytes !== undefined)
      this.#ask(tenant, counted).catch(() => undefined);
  }

  /** Throws if the tenant may have no further agent. */
  admitAgent(tenant: string): void {
    const { agents = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'agents', used: this.#parts.agents(tenant) + agents });
  }

  /** Throws if its clients have sent and been sent too much. */
  admitTransfer(tenant: string): void {
    const { transferredBytes = 0 } = this.#elsewhere(tenant);
    this.#refuse(tenant, { name: 'transferredBytes', used: this.#of(tenant).transferredBytes + transferredBytes });
  }

  /** The tenants that have used something of this gateway within a minute, or been refused something. */
  get figures(): readonly TenantFigures[] {
    return [...this.#counted.keys()].flatMap((tenant) => {
      const { prompts, transferredBytes, beginning, stored, refusals } = this.#of(tenant);
      const agents = this.#parts.agents(tenant);
      if (prompts + transferredBytes + beginning + agents === 0 && Object.keys(refusals).length === 0) {
        this.#counted.delete(tenant);
        return [];
      }
      const quota = this.#parts.quotas.of(tenant);
      return [{ tenant, quota, stored, agents, prompts, transferredBytes, refusals: { ...refusals } }];
    });
  }

  #of(tenant: string): Counted {
    const since = this.#now();
    const known = this.#counted.get(tenant);
    if (known && since - known.since >= window) Object.assign(known, { since, prompts: 0, transferredBytes: 0 });
    if (known) return known;
    const counts = { prompts: 0, transferredBytes: 0, beginning: 0 };
    const counted = { since, ...counts, stored: undefined, askedAt: -Infinity, refusals: {} };
    this.#counted.set(tenant, counted);
    return counted;
  }

  #elsewhere(tenant: string): Partial<LiveUse> {
    return this.#parts.quotas.elsewhere?.(tenant) ?? {};
  }

  async #ask(tenant: string, counted: Counted): Promise<void> {
    counted.askedAt = this.#now();
    counted.stored = await this.#parts.stored?.(tenant);
  }

  #refuseStored(tenant: string, { stored }: Counted): void {
    this.#refuse(tenant, { name: 'storedBytes', used: stored?.storedBytes ?? 0 });
  }

  #refuse(tenant: string, { name, used }: { readonly name: QuotaName; readonly used: number }): void {
    const limit = this.#parts.quotas.of(tenant)[name];
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
