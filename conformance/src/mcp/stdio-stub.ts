import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { assetPath } from '@turnwire/machine';
import { asMessage, type RawMessage } from '../wire/messages.ts';

/** An MCP server on stdio that records its starts and messages. */
export interface StdioStub {
  readonly name: string;
  /** The configuration of the server, as a client passes it to an agent. */
  readonly entry: RawMessage;
  /** The arguments in its configuration that it must receive one by one. */
  readonly args: readonly string[];
  /** The last start. Undefined if it was not started. */
  started(): Promise<StubStart | undefined>;
  /** The number of `initialize` requests that it received. */
  connections(): Promise<number>;
}

/** A start of an MCP server. */
interface StubStart {
  readonly args: unknown;
  /** The value of its environment variable. */
  readonly secret: unknown;
  /** Whether it has a PATH. */
  readonly hasPath: boolean;
  readonly pid: number;
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
  const args = [fails ? 'fail' : 'serve', 'two words', ''];
  // A program of its own: it starts and reports its arguments even if the agent joined all of them.
  const program = join(folder, `${name}-server`);
  const stub = pathToFileURL(assetPath('mcp-stub.mjs', import.meta.url)).href;
  const code = `process.argv.splice(2, 0, ${JSON.stringify(report)});\nimport(${JSON.stringify(stub)});\n`;
  writeFileSync(program, `#!${process.execPath}\n${code}`, { mode: 0o755 });
  // A script cannot name a program with a space in its path, or a long one.
  const needsProgram = process.platform === 'win32' || /\s/.test(process.execPath) || process.execPath.length > 120;
  return {
    name,
    args,
    entry: {
      name,
      command: needsProgram ? process.execPath : program,
      args: needsProgram ? [program, ...args] : args,
      env: [{ name: 'TURNWIRE_STUB_SECRET', value: secret }],
    },
    started: async () => {
      const start = (await linesOf(report)).findLast((line) => 'started' in line);
      if (start === undefined) return undefined;
      const { started: [, ...received] = [], secret: value, path, pid } = start as RawMessage & { started?: unknown[] };
      return { args: received, secret: value, hasPath: typeof path === 'string', pid: Number(pid) };
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
