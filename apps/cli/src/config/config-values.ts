// The words between which options and settings choose, in the order of the help page. The first one is the default.

export const permissionBases = ['ask', 'approve-reads', 'approve-all', 'deny-all'] as const;
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** The answers to a permission request without a user: refuse it, or end the turn. */
export const withoutUser = ['deny', 'fail'] as const;
/** The reactions to an agent that wants a login: continue without it, or end the turn. */
export const authPolicies = ['skip', 'fail'] as const;
/** How a turn is printed. */
export const formats = ['text', 'json', 'quiet'] as const;
