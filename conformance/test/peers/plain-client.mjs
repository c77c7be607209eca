// A client of the fewest words: plain-client.mjs AGENT CWD PROMPT prints what the agent says, and what it has in its environment.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [agentPath, cwd, prompt] = process.argv.slice(2);
const agent = spawn(agentPath, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let lastId = 0;

function send(message) {
  agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(method, params) {
  send({ id: ++lastId, method, params });
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

createInterface({ input: agent.stdout }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'session/update') console.log(params.update.content.text);
  else if (method !== undefined && id !== undefined)
    send({ id, error: { code: -32601, message: `${method} is unknown` } });
  else waiting.get(id)?.(result);
});

await ask('initialize', {
  protocolVersion: 1,
  clientInfo: { name: 'plain-client', version: '2.0.0' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
});
const { sessionId } = await ask('session/new', { cwd, mcpServers: [] });
await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
console.log(JSON.stringify([process.env.HOME, process.env.XDG_STATE_HOME, process.env.A_SECRET]));
agent.stdin.end();
