import type { ToolCallUpdate } from './generated/types.ts';

/** The fields of a tool call that an update changes. */
export type ToolCallChanges = { readonly [Field in keyof ToolCallUpdate]?: NonNullable<ToolCallUpdate[Field]> };

/**
 * What an update changes of a tool call, to be put over what is known of it (protocol: Tool Calls): a field that is absent or `null` stays
 * as it is, a list replaces the one before. Unknown fields count as all others.
 */
export function toolCallChanges(update: ToolCallUpdate): ToolCallChanges {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined && value !== null));
}
