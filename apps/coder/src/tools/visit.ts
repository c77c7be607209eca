import type { ToolContext } from './tool.ts';

/** A prepared call with its address. */
export interface Visit {
  readonly url: URL;
  readonly offset: number;
  readonly context: ToolContext;
  /** Private hosts that the user allowed. */
  readonly admitted: Set<string>;
}

/** An address as a title names it. */
export function shownAddress({ href }: URL): string {
  return href.length > 200 ? `${href.slice(0, 199)}…` : href;
}

/** Whether addresses of this machine and its network are visited without a question. */
export function allowsPrivate({ settings }: ToolContext): boolean {
  return settings?.fetch?.allowPrivate === true;
}
