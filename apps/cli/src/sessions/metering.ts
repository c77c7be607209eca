import type { TenantBudgets } from '@turnwire/cluster';
import type { Metering, Spending } from '@turnwire/runtime';
import type { Config } from '../config/config.ts';
import { localTenant } from '../store/named-session.ts';

/** The limits of the configuration. */
export function spendingOf({ budgets }: Pick<Config, 'budgets'>): Spending {
  const { session, day, currency, prices } = budgets ?? {};
  return {
    budgets: [
      ...(session ? [{ ...session, per: 'session' as const }] : []),
      ...(day ? [{ ...day, per: 'day' as const }] : []),
    ],
    currency,
    prices,
  };
}

/** The limits of the configuration, and those that a server sets for a tenant. */
export function withTenantLimits(spending: Spending, { session, day }: TenantBudgets = {}): Spending {
  const fixed = [
    ...(session ? [{ ...session, per: 'session' as const, isFixed: true }] : []),
    ...(day ? [{ ...day, per: 'day' as const, isFixed: true }] : []),
  ];
  return { ...spending, budgets: [...fixed, ...(spending.budgets ?? [])] };
}

/** Counts and limits sessions of this user by the configuration. All of them are recorded together: they share the budget of a day. */
export function userMetering(spending: Spending): Metering {
  return { spending: () => spending, label: () => ({ tenant: localTenant }) };
}
