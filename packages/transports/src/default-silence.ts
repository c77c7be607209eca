/** How long nothing may arrive on a connection that is kept alive before it is given up, in milliseconds, unless an option says otherwise. */
export const defaultSilence = 45_000;
