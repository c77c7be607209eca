import type { ConversationOptions } from '../conversation/conversation-options.ts';
import type { AgentDifferences } from './known-agent.ts';

/** What `openConversation` has to know of an agent: spread it into its options. Nothing for an agent without such differences. */
export function conversationOptionsFor({ loadsFromNextMinute, replaysLate }: AgentDifferences = {}): Pick<
  ConversationOptions,
  'loadNotBefore' | 'replaysLate'
> {
  return { ...(loadsFromNextMinute && { loadNotBefore: nextMinute }), ...(replaysLate && { replaysLate }) };
}

/** What `createPermissions` of `@turnwire/permissions` has to know of an agent: spread it into its options. Nothing for an agent without such differences. */
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

/** Minutes begin at the same moment in every time zone there is today. */
function nextMinute(time: number): number {
  return (Math.floor(time / minute) + 1) * minute;
}
