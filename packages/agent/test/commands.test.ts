import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { isAlive, pidIn, untilEnded } from '../../transports/test/process-life.ts';
import { memoryStore } from '../src/index.ts';
import { runLocally } from '../src/node/index.ts';
import type { CommandRequest } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'commands-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const run = (command: string, more: Omit<CommandRequest, 'command' | 'cwd'> = {}) =>
  runLocally({ command, cwd: folder, signal: never, ...more });

test('a command that ignores SIGTERM is killed with its child processes', async () => {
  const outcome = run(`trap '' TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done' & wait; sleep 60`, {
    timeout: within(1_000),
  });
  const pid = await pidIn(join(folder, 'pid'));
  expect(await outcome).toEqual({ exitCode: null, signal: 'SIGKILL', output: '', truncated: false, timedOut: true });
  await untilEnded(pid);
});

test('a command may run without a time limit', async () => {
  expect(await run('sleep 0.1; echo done', { timeout: Infinity })).toMatchObject({ output: 'done\n', timedOut: false });
});

test('processes left in the group end with the command', async () => {
  expect(await run('sleep 60 & echo $! > pid')).toMatchObject({ exitCode: 0, timedOut: false });
  const pid = await pidIn(join(folder, 'pid'));
  await untilEnded(pid);
});

test('a daemon that keeps the output open does not delay the result, and ends with the command', async () => {
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'inherit' });
    require('node:fs').writeFileSync('pid', child.pid + '\\n');
    child.unref();
    console.log('left');`;
  expect(await run(process.execPath, { args: ['-e', program] })).toMatchObject({ exitCode: 0, output: 'left\n' });
  await untilEnded(await pidIn(join(folder, 'pid')));
});

test(
  '400 MB of output take little memory',
  async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    let length = 0;
    const outcome = await run('head -c 400000000 /dev/zero | tr "\\0" x; echo; echo end', {
      onOutput: (text) => {
        length += text.length;
        most = Math.max(most, process.memoryUsage().rss - before);
      },
    });
    expect([outcome.exitCode, outcome.output.length, outcome.output.endsWith('x\nend\n'), length]).toEqual([
      0,
      64 * 1024,
      true,
      400_000_005,
    ]);
    expect(most).toBeLessThan(200_000_000);
  },
  within(90_000),
);

test('a slow consumer of output slows the command down and loses nothing', async () => {
  const pieces: string[] = [];
  let taking = 0;
  let most = 0;
  await run('head -c 2000000 /dev/zero | tr "\\0" x', {
    onOutput: async (text) => {
      most = Math.max(most, ++taking);
      await delay(1);
      pieces.push(text);
      taking -= 1;
    },
  });
  expect([pieces.join('').length, most]).toEqual([2_000_000, 1]);
});

test('a command requested after the end of the turn is not started', async () => {
  const over = new AbortController();
  over.abort(new Error('over'));
  await expect(runLocally({ command: 'touch here', cwd: folder, signal: over.signal })).rejects.toThrow('over');
  await expect(readFile(join(folder, 'here'))).rejects.toThrow('ENOENT');
});

const program = `
  const { runLocally } = await import(process.argv[2]);
  const { signal } = new AbortController();
  const run = (command) => runLocally({ command, cwd: process.argv[3], signal });
  await run('true');
  await Promise.all([run('echo $$ > first; sleep 60'), run('trap "" TERM; echo $$ > second; while :; do sleep 1; done')]);
`;

test.skipIf(process.platform === 'win32')('a process that is killed leaves no command behind', async () => {
  const path = join(folder, 'program.mjs');
  await writeFile(path, program);
  const source = bundleProgram(fileURLToPath(new URL('../src/node/index.ts', import.meta.url)));
  const child = spawn(process.execPath, [path, source, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  const pids = [await pidIn(join(folder, 'first')), await pidIn(join(folder, 'second'))];
  expect(pids.map(isAlive)).toEqual([true, true]);
  child.kill('SIGKILL');
  await exited;
  await untilEnded(...pids);
});

/** Runs a command in a turn whose client shows only texts, and returns the shown texts. */
async function shown(command: string, during: (texts: readonly string[]) => Promise<void> = async () => {}) {
  const texts: string[] = [];
  const { open, prompt } = await pair(
    async (turn) => {
      const tool = turn.tool({ title: 'Run' });
      await turn.commands.run(tool, { command, cwd: folder });
      await tool.complete();
    },
    {
      client: {
        'session/update': ({ update }) => {
          if (update.sessionUpdate !== 'tool_call_update') return;
          for (const { content } of (update.content ?? []) as readonly { readonly content?: { text: string } }[])
            if (content) texts.push(content.text);
        },
      },
    },
  );
  const answer = prompt(await open(), 'hello');
  await during(texts);
  await answer;
  return texts;
}

test('a client without terminals sees the end of the output while the command runs, and all kept output afterwards', async () => {
  const texts = await shown('seq 1 5000; while [ ! -e go ]; do sleep 0.05; done; echo end', async (soFar) => {
    while (!soFar.at(-1)?.endsWith('5000\n')) await delay(5);
    await writeFile(join(folder, 'go'), '');
  });
  const [last = '', ...before] = texts.toReversed();
  expect([before.every((text) => text.length <= 4096), before[0]?.endsWith('\n4999\n5000\n')]).toEqual([true, true]);
  expect([last.startsWith('1\n2\n'), last.endsWith('5000\nend\n')]).toEqual([true, true]);
});

test('output shown as text contains no control sequences', async () => {
  expect(await shown(`printf '\\033[31mred\\033[0m'`)).toEqual(['red']);
});

test('a display terminal gets the end of a flood of output, with a note', async () => {
  const data: string[] = [];
  const { open, prompt } = await pair(
    async (turn) => {
      const tool = turn.tool({ title: 'Run' });
      await turn.commands.run(tool, { command: 'yes | head -c 30000000; echo end', cwd: folder });
      await tool.complete();
    },
    {
      capabilities: { _meta: { terminal_output: true } },
      client: {
        'session/update': ({ update }) => {
          const meta = update._meta as { terminal_output?: { data: string } } | undefined;
          if (meta?.terminal_output) data.push(meta.terminal_output.data);
        },
      },
    },
  );
  await prompt(await open(), 'hello');
  const all = data.join('');
  const sent = all.replaceAll(/\r\n… \d+ characters omitted …\r\n/g, '');
  const skipped = [...all.matchAll(/… (\d+) characters/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect([data.every((text) => text.length < 70_000), sent.length + skipped, all.endsWith('y\nend\n')]).toEqual([
    true,
    30_000_004,
    true,
  ]);
  expect(skipped).toBeGreaterThan(0);
});

test.each([
  ['as text', {}],
  ['in a display terminal', { _meta: { terminal_output: true } }],
])('output of a command %s is stored before it ends', async (_, capabilities) => {
  const appended: string[] = [];
  const inner = memoryStore();
  const halfWay = gate();
  const { open, prompt, client } = await pair(
    {
      store: {
        ...inner,
        create: async (header) => {
          const journal = await inner.create(header);
          return {
            append: async (entry) => {
              await journal.append(entry);
              appended.push(JSON.stringify(numbered(entry)));
              if (JSON.stringify(entry).includes('half way')) halfWay.open();
            },
            close: () => journal.close(),
          };
        },
      },
      prompt: async (turn) => {
        const tool = turn.tool({ title: 'Run' });
        await turn.commands.run(tool, { command: 'echo half way; sleep 60', cwd: folder });
      },
    },
    { capabilities },
  );
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await halfWay.opened;
  expect(appended.at(-1)).toContain('"content":[{"type":"content","content":{"type":"text","text":"half way\\n"}}]');
  await client.notify('session/cancel', { sessionId });
  await answer;
});

test('a terminal whose output was never read is replaced by a text when the session is loaded', async () => {
  const { client, open, prompt, received } = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      await turn.tool({ title: 'Run', content: [{ type: 'terminal', terminalId: 't1' }] }).complete();
    },
  });
  const sessionId = await open();
  await prompt(sessionId, 'hello');
  received.length = 0;
  await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
  expect(received.at(-1)).toMatchObject({
    content: [{ type: 'content', content: { type: 'text', text: 'The output of the terminal was not stored.' } }],
  });
});
