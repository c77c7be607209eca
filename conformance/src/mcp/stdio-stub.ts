import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assetPath } from '@turnwire/machine';
import { asMessage, type RawMessage } from '../wire/messages.ts';

/** An MCP server on stdio that reports who came. */
export interface StdioStub {
  readonly name: string;
  /** It, as a client describes it to an agent. */
  readonly entry: RawMessage;
  /** Its last start: the words behind its file, the value of the variable it was to get, its process. Undefined: it was not started. */
  started(): Promise<{ readonly words: unknown; readonly secret: unknown; readonly pid: number } | undefined>;
  /** How often it got `initialize`. */
  meetings(): Promise<number>;
}

/**
 * An MCP server that is started once somebody starts it by its entry.
 * @param folder where it writes its report
 * @param options the value of a variable of its environment; whether it says that it cannot start, and ends
 */
export function stdioStub(
  name: string,
  folder: string,
  { secret, fails = false }: { readonly secret: string; readonly fails?: boolean },
): StdioStub {
  const report = join(folder, `${name}.jsonl`);
  return {
    name,
    entry: {
      name,
      command: process.execPath,
      args: [assetPath('mcp-stub.mjs', import.meta.url), report, fails ? 'fail' : 'serve', 'two words', ''],
      env: [{ name: 'TURNWIRE_STUB_SECRET', value: secret }],
    },
    started: async () => {
      const start = (await linesOf(report)).findLast((line) => 'started' in line);
      return start && { words: start['started'], secret: start['secret'], pid: Number(start['pid']) };
    },
    meetings: async () => (await linesOf(report)).filter(({ method }) => method === 'initialize').length,
  };
}

/** Waits until all servers were met. Whether they were, within so many milliseconds. */
export async function areMet(stubs: readonly Pick<StdioStub, 'meetings'>[], within: number): Promise<boolean> {
  const end = performance.now() + within;
  for (;;) {
    const counts = await Promise.all(stubs.map((stub) => stub.meetings()));
    if (counts.every((count) => count > 0)) return true;
    if (performance.now() > end) return false;
    await delay(20);
  }
}

async function linesOf(report: string): Promise<readonly RawMessage[]> {
  const text = await readFile(report, 'utf8').catch(() => '');
  // The last line may be half written.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => asMessage(JSON.parse(line))).filter((line) => line !== undefined);
}
