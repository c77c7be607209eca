import { fileURLToPath } from 'node:url';
import { actionOf } from '@turnwire/client/permissions';
import type { CallFacts } from '../tools/tool.ts';

/**
 * What a call of somebody else's tool would touch, as far as its input says so under names that are usual: paths and one address.
 * For rules that deny or ask; no rule allows anything because of it.
 * @param cwd absolute: relative paths start there
 */
export function evidentFacts(input: unknown, cwd: string): CallFacts {
  const { paths, url } = actionOf({ sessionId: '', toolCall: { toolCallId: '', kind: 'other', rawInput: input } }, [
    cwd,
  ]);
  const file = url === undefined ? undefined : pathOf(url);
  return {
    paths: file === undefined ? paths : [...paths, file],
    ...(url !== undefined && file === undefined && { url }),
  };
}

function pathOf(url: string): string | undefined {
  if (!/^file:/i.test(url)) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
