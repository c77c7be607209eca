import type { ConfinedRun, HostCall } from '@turnwire/protocol';

/**
 * Resolves if the call is allowed; otherwise rejects with the ProtocolError to answer with. A command that is only allowed in this form
 * resolves with a {@link ConfinedRun}, which terminals that can do so run in place of the command.
 */
export type HostGate = (call: HostCall) => Promise<ConfinedRun | void>;
