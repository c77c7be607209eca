import type { ToolCallUpdate } from './generated/types.ts';

/** The fields of a tool call that an update changes. */
export type ToolCallChanges = { readonly [Field in keyof ToolCallUpdate]?: NonNullable<ToolCallUpdate[Field]> };

/**
 * The fields of a tool call that an update changes, to merge into the known ones (protocol: Tool Calls): an absent or `null` field keeps
 * its value, and a list replaces the earlier one. Unknown fields are treated the same.
 */
export function toolCallChanges(update: ToolCallUpdate): ToolCallChanges {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined && value !== null));
}
