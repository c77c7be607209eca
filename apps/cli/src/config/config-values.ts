// The allowed values of options and settings, in the order of the help page. The first value is the default.

export const permissionBases = ['ask', 'approve-reads', 'approve-all', 'deny-all'] as const;
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** Where new sessions work. */
export const places = ['here', 'worktree', 'clone', 'copy'] as const;
/** The versions of the protocol. */
export const protocols = [1, 2] as const;
/** Handling of a permission request without a user: refuse it, or end the turn. */
export const withoutUser = ['deny', 'fail'] as const;
/** Handling of an agent that requires a login: continue without it, or end the turn. */
export const authPolicies = ['skip', 'fail'] as const;
/** Output formats of a turn. */
export const formats = ['text', 'json', 'quiet'] as const;
