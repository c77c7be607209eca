/** How a chat ended: with an exit code, or to go on with another agent, by its name. */
export type LeftChat = number | { readonly agent: string };
