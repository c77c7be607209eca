import type { WantedPlace } from '../option-values.ts';

/** The end of a chat: an exit code, or the name of the agent or the place to switch to. */
export type ChatEnd = number | { readonly agent: string } | { readonly place: WantedPlace };
