import type { TranscriptView } from '@turnwire/client/transcript';

/** The title of a session, or else the first words of its first prompt. */
export function sessionTitle({ title, entries }: TranscriptView): string {
  const first = entries.at(0);
  const block = first?.type === 'user' ? first.content[0] : undefined;
  const words = block?.type === 'text' ? block.text.trim().split('\n', 1)[0]?.slice(0, 80) : undefined;
  return title ?? words ?? 'New session';
}
