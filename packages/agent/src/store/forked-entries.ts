import { invalidParams } from '@turnwire/protocol';
import type { SessionEntry } from './session-store.ts';

/**
 * The entries that a fork of a session begins with: those of its turns that have ended.
 * @param withoutLast how many of the last prompts are left out, with everything since the start of the turn that took the first of them
 * @throws ProtocolError -32602 if there are fewer
 */
export function forkedEntries(entries: readonly SessionEntry[], withoutLast: number): readonly SessionEntry[] {
  const { prompts, open } = turnsOf(entries);
  if (withoutLast > prompts.length)
    throw invalidParams(`_meta.turnwire.withoutLast: the session has ${prompts.length} prompts`);
  return entries.slice(0, withoutLast === 0 ? open : prompts.at(-withoutLast));
}

interface Turns {
  /** The start of the turn that took each prompt, oldest first. A prompt without content is not shown and not counted. */
  readonly prompts: readonly number[];
  /** The start of the turn that has not ended. */
  readonly open: number | undefined;
}

function turnsOf(entries: readonly SessionEntry[]): Turns {
  const prompts: number[] = [];
  let open: number | undefined;
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'end') open = undefined;
    if (entry.type !== 'prompt') continue;
    open ??= index;
    if (entry.prompt.length > 0) prompts.push(open);
  }
  return { prompts, open };
}
