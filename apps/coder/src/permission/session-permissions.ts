/** What one session may do: rules that allow, ask or deny, and the answers that were to hold for longer. */
export class SessionPermissions {}
