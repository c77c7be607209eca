import type { AgentDifferences } from './known-agent.ts';

/** Options of the sessions of `@turnwire/runtime` for an agent's differences. Empty for an agent without such differences. */
export function startOptionsFor({ loadsFromNextMinute, replaysLate }: AgentDifferences = {}): {
  /** Returns the earliest time for `session/load`, given the time the session was last created or loaded. */
  readonly loadNotBefore?: (setUpAt: number) => number;
  readonly replaysLate?: boolean;
} {
  return { ...(loadsFromNextMinute && { loadNotBefore: nextMinute }), ...(replaysLate && { replaysLate }) };
}

/**
 * Options of `createPermissions` of `@turnwire/permissions` for an agent's differences: spread them into the others. Empty for an agent
 * without such differences.
 */
export function permissionsOptionsFor({ commandInTitleOf, asking }: AgentDifferences = {}): {
  readonly commandInTitleOf?: string;
  readonly asksNobody?: boolean;
} {
  return {
    ...(commandInTitleOf !== undefined && { commandInTitleOf }),
    ...(asking?.by === 'nothing' && { asksNobody: true }),
  };
}

const minute = 60_000;

/** The next full minute, which is the same in all current time zones. */
function nextMinute(time: number): number {
  return (Math.floor(time / minute) + 1) * minute;
}
