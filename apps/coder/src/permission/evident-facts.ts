import { actionOf } from '@turnwire/permissions';
import type { CallFacts } from '../tools/tool.ts';

/**
 * The paths, address and command lines that a call of a third-party tool would use, as far as its input has common field names. For rules
 * that deny or ask; it never makes a rule allow a call.
 * @param cwd absolute: relative paths start there
 */
export function evidentFacts(input: unknown, cwd: string): CallFacts {
  const toolCall = { toolCallId: '', kind: 'other', rawInput: input } as const;
  const { paths, url, namedCommands } = actionOf({ sessionId: '', toolCall }, [cwd]);
  return { paths, ...(url !== undefined && { url }), ...(namedCommands && { namedCommands, cwd }) };
}
