/** The command that makes this program a session host. Internal, so no help page lists it. */
export const hostCommand = 'host-session';
