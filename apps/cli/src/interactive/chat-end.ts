/** The end of a chat: an exit code, or the name of the agent to switch to. */
export type ChatEnd = number | { readonly agent: string };
