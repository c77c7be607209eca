import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentDefinition } from '@turnwire/agent';
import { approveAll, denyAll, type PermissionPolicy } from '@turnwire/client';
import { launchAgent } from '@turnwire/client/node';
import type { SessionUpdate } from '@turnwire/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleProgram } from '../tools/bundle-program.mjs';
import { askForName, tryAgent } from './snippets.ts';

const run = promisify(execFile);

/** The command that runs an example from its sources, so that the test covers the text on the page and not an older build. */
const command = (name: string): readonly string[] => [process.execPath, bundleProgram(join(import.meta.dirname, name))];

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-example-')));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs one turn with an example agent and returns everything that a client receives, without random ids. */
async function turnWith(name: string, prompt: string, permission: PermissionPolicy): Promise<unknown> {
  await using agent = await launchAgent(command(name), { permission });
  const session = await agent.newSession({ cwd: folder });
  const turn = session.prompt(prompt);
  const updates: unknown[] = [];
  for await (const { messageId, toolCallId, ...update } of turn as AsyncIterable<Record<string, unknown>>)
    updates.push(update);
  return { agent: agent.info, updates, ...(await turn) };
}

const said = (text: string): object => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const shown = (text: string): object => ({ content: [{ type: 'content', content: { type: 'text', text } }] });

describe('examples', () => {
  test('01: the four-line agent repeats the prompt', async () => {
    expect(await turnWith('01-echo-agent.ts', 'hello', denyAll)).toEqual({
      agent: { name: 'echo', version: '1.0.0' },
      updates: [said('You said: hello')],
      stopReason: 'end_turn',
    });
  });

  test('02: the note taker writes the file when it is allowed', async () => {
    const call = { title: 'Note: buy milk', kind: 'edit', locations: [{ path: join(folder, 'notes.txt') }] };
    expect(await turnWith('02-agent-with-a-tool.ts', 'buy milk', approveAll)).toEqual({
      agent: { name: 'note-taker', version: '1.0.0' },
      updates: [
        { sessionUpdate: 'tool_call', status: 'pending', ...call },
        { sessionUpdate: 'tool_call_update', status: 'in_progress' },
        { sessionUpdate: 'tool_call_update', status: 'completed', ...shown('Written.') },
        said('Noted.'),
      ],
      stopReason: 'end_turn',
    });
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('buy milk\n');
  });

  test('02: the note taker does not write the file when it is refused', async () => {
    const call = { title: 'Note: buy milk', kind: 'edit', locations: [{ path: join(folder, 'notes.txt') }] };
    expect(await turnWith('02-agent-with-a-tool.ts', 'buy milk', denyAll)).toEqual({
      agent: { name: 'note-taker', version: '1.0.0' },
      updates: [
        { sessionUpdate: 'tool_call', status: 'pending', ...call },
        { sessionUpdate: 'tool_call_update', status: 'failed', ...shown('Not allowed.') },
        said('Then I will not write it down.'),
      ],
      stopReason: 'end_turn',
    });
    expect(existsSync(join(folder, 'notes.txt'))).toBe(false);
  });

  test('03: the four-line client prints the files that the built-in agent finds', async () => {
    writeFileSync(join(folder, 'only-file.txt'), '');
    const { stdout, stderr } = await runExample('03-drive-an-agent.ts', folder);
    expect({ stderr, found: stdout.includes('only-file.txt'), kinds: kindsIn(stdout) }).toEqual({
      stderr: '',
      found: true,
      kinds: [
        'available_commands_update',
        'session_info_update',
        'tool_call',
        'tool_call_update',
        'agent_message_chunk',
      ],
    });
  });

  test('04: two raw peers run a turn in one process', async () => {
    expect(await runExample('04-raw-peer.ts', folder)).toEqual({
      stdout: [
        'update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}',
        'raw stopped with end_turn',
        '',
      ].join('\n'),
      stderr: '',
    });
  });
});

describe('snippets of the guide', () => {
  const info = { name: 'test', version: '1.0.0' };
  const tried = async (agent: AgentDefinition): Promise<unknown> => {
    const updates: SessionUpdate[] = [];
    const end = await tryAgent(agent, updates);
    return { end, updates: (updates as readonly Record<string, unknown>[]).map(({ messageId, ...update }) => update) };
  };

  test('an agent can be tested in the process of its test', async () => {
    expect(await tried({ info, prompt: (turn) => turn.say(`You said: ${turn.text}`) })).toEqual({
      end: { stopReason: 'end_turn', broken: [] },
      updates: [said('You said: hello')],
    });
  });

  test('a client without forms receives the question as text, and the next prompt is the answer', async () => {
    const names: unknown[] = [];
    expect(await tried({ info, prompt: async (turn) => void names.push(await askForName(turn)) })).toEqual({
      end: { stopReason: 'end_turn', broken: [] },
      updates: [said('Who is it for?\n\n- Name\n\n')],
    });
    expect(names).toEqual([undefined]);
  });
});

const commands = join(import.meta.dirname, '../node_modules/.bin');

/** Runs an example with the commands of this repository on its path, like an installed `turnwire`. */
async function runExample(name: string, cwd: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const [node = '', ...rest] = command(name);
  const { stdout, stderr } = await run(node, rest, {
    cwd,
    env: {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'state'),
      PATH: `${commands}${delimiter}${process.env['PATH']}`,
    },
  });
  return { stdout, stderr };
}

/** The kinds of the printed updates, once each, in the order of their first appearance. */
function kindsIn(printed: string): readonly string[] {
  return [...new Set([...printed.matchAll(/sessionUpdate: '(\w+)'/g)].map(([, kind]) => kind ?? ''))];
}
