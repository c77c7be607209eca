// The words between which options and settings choose, in the order of the help page. The first one is the default.

export const permissionBases = ['ask', 'approve-reads', 'approve-all', 'deny-all'] as const;
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** What to do about a permission request if there is no user to ask. */
export const withoutUser = ['deny', 'fail'] as const;
/** What to do if the agent wants a login. */
export const authPolicies = ['skip', 'fail'] as const;
/** How a turn is printed. */
export const formats = ['text', 'json', 'quiet'] as const;
