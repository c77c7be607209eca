import type { Permissions, PermissionsOptions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-store.ts';

/** Makes the rules that decide what the agent of a session may do; `ask` puts a question to the clients in control. */
export type SessionRules = (
  session: SessionRecord,
  parts: Pick<PermissionsOptions, 'ask' | 'onWarning'>,
) => Permissions;
