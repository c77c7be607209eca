import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assetPath } from '@turnwire/machine';
import { asMessage, type RawMessage } from '../wire/messages.ts';

/** An MCP server on stdio that records its starts and messages. */
export interface StdioStub {
  readonly name: string;
  /** The configuration of the server, as a client passes it to an agent. */
  readonly entry: RawMessage;
  /** The last start: its arguments, the value of its environment variable, and its process id. Undefined if it was not started. */
  started(): Promise<{ readonly args: unknown; readonly secret: unknown; readonly pid: number } | undefined>;
  /** The number of `initialize` requests that it received. */
  connections(): Promise<number>;
}

/**
 * Creates the configuration of an MCP server, which an agent may then start.
 * @param folder where the server writes its records
 * @param options `secret` is the value of an environment variable; `fails` makes the server exit with an error at its start
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
      return start && { args: start['started'], secret: start['secret'], pid: Number(start['pid']) };
    },
    connections: async () => (await linesOf(report)).filter(({ method }) => method === 'initialize').length,
  };
}

/** Waits until every server has received `initialize`. Resolves with false after the limit in milliseconds. */
export async function areConnected(stubs: readonly Pick<StdioStub, 'connections'>[], within: number): Promise<boolean> {
  const end = performance.now() + within;
  for (;;) {
    const counts = await Promise.all(stubs.map((stub) => stub.connections()));
    if (counts.every((count) => count > 0)) return true;
    if (performance.now() > end) return false;
    await delay(20);
  }
}

async function linesOf(report: string): Promise<readonly RawMessage[]> {
  const text = await readFile(report, 'utf8').catch(() => '');
  // The last line may be incomplete.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => asMessage(JSON.parse(line))).filter((line) => line !== undefined);
}
