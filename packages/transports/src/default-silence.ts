/** The default time without incoming data after which a connection counts as dead, in milliseconds. */
export const defaultSilence = 45_000;
