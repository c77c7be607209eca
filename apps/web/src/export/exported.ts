import type { TranscriptView } from '@turnwire/client/transcript';
import { markdownParts } from '@turnwire/client/view';
import { sessionTitle } from '../state/session-title.ts';

/** The longest time that an export blocks the page before it yields, in milliseconds. */
const longestTask = 20;

/** Writes a session to a file. The work is split into many short tasks so that the page stays responsive. */
export async function exported(session: ExportedSession, format: 'markdown' | 'json'): Promise<File> {
  const { view, agent, folder } = session;
  const title = sessionTitle(view);
  const name =
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60) || 'session';
  if (format === 'json') {
    const entries = await inTasks(view.entries, (entry) => JSON.stringify(entry));
    const text = `{\n"title": ${JSON.stringify(title)},\n"entries": [\n${entries.join(',\n')}\n]\n}\n`;
    return new File([text], `${name}.json`, { type: 'application/json' });
  }
  const parts = await inTasks(markdownParts({ title, facts: { agent, folder }, view }), (part) => part);
  return new File([...parts], `${name}.md`, { type: 'text/markdown' });
}

export interface ExportedSession {
  readonly view: TranscriptView;
  readonly agent: string;
  readonly folder: string;
}

/** @param items are read one by one, since each may take time to compute */
async function inTasks<Item>(items: Iterable<Item>, textOf: (item: Item) => string): Promise<readonly string[]> {
  const texts: string[] = [];
  let began = performance.now();
  for (const item of items) {
    texts.push(textOf(item));
    if (performance.now() - began < longestTask) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
  return texts;
}
