import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry, ScenarioResult, Subject } from '@agentwire/conformance';
import { redactText, type TraceHeader, traceVersion } from '@agentwire/transports/trace';

/** Writes each connection of a scenario to a file of its own, `folder/scenario-1.jsonl`, in the format of traces. */
export async function writeTraces(
  folder: string,
  { scenario, journals }: ScenarioResult,
  kind: Subject,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const name = scenario.replaceAll(/[^\w-]+/g, '-');
  await Promise.all(
    journals.map((journal, place) =>
      writeFile(join(folder, `${name}-${place + 1}.jsonl`), traceText(journal, { scenario, kind }), { mode: 0o600 }),
    ),
  );
}

function traceText(
  journal: readonly JournalEntry[],
  { scenario, kind }: { readonly scenario: string; readonly kind: Subject },
): string {
  const header: TraceHeader = {
    agentwireTrace: traceVersion,
    id: randomUUID(),
    part: 0,
    startedAt: new Date().toISOString(),
    side: kind === 'agent' ? 'client' : 'agent',
    scenario,
  };
  const lines = journal.map(({ at, from, text }) => ({
    at: Math.round(at * 1000) / 1000,
    direction: from === kind ? 'in' : 'out',
    frame: parsed(redactText(text, [])),
  }));
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
