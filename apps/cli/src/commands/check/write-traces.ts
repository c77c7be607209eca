import { join, resolve } from 'node:path';
import type { ScenarioResult, Subject } from '@turnwire/conformance';
import { makeFolder } from '@turnwire/machine';
import { writeTrace } from '@turnwire/trace/node';

/** Writes each connection of a scenario to a file of its own, `folder/scenario-1.jsonl`, as our side saw it. */
export async function writeTraces(
  folder: string,
  { scenario, journals }: ScenarioResult,
  judged: Subject,
): Promise<void> {
  await makeFolder(resolve(folder));
  const name = scenario.replaceAll(/[^\w-]+/g, '-');
  const header = { side: judged === 'agent' ? 'client' : 'agent', scenario } as const;
  await Promise.all(
    journals.map((journal, place) => {
      // Without the parsed message: redaction works on the text.
      const frames = journal.map(({ at, from, text, flaw }) => ({
        ...{ at, text, direction: from === judged ? ('in' as const) : ('out' as const) },
        ...(flaw !== undefined && { flaw }),
      }));
      return writeTrace(frames, { path: join(folder, `${name}-${place + 1}.jsonl`), header });
    }),
  );
}
