// An independent client without our packages: AGENT CWD PROMPT prints the messages of the agent and some environment variables. DEVIATION
// makes it misbehave.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [agentPath, cwd, prompt] = process.argv.slice(2);
const { DEVIATION: deviation = '' } = process.env;
const stdio = ['pipe', 'pipe', deviation === 'leaves stderr unread' ? 'pipe' : 'inherit'];
const agent =
  deviation === 'has a shell between'
    ? spawn(`"${agentPath}"; exit $?`, { stdio, shell: true })
    : spawn(agentPath, { stdio });
const print = deviation === 'prints nothing' ? () => undefined : console.log;
print('plain-client 2.0.0');
const waiting = new Map();
let lastId = 0;
let hasStopped = false;

function send(message) {
  agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(method, params) {
  send({ id: ++lastId, method, params });
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

function fail(reason) {
  if (deviation === 'always exits with 0') process.exit(0);
  print(`plain-client: ${reason}`);
  process.exit(1);
}

createInterface({ input: agent.stdout })
  .on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (hasStopped) return;
    hasStopped = deviation === 'stops reading' && params?.update.content?.text.startsWith('whole') === true;
    if (method === 'session/update') print(params.update.content?.text ?? '');
    else if (method !== undefined && id !== undefined)
      send({ id, error: { code: -32601, message: `${method} is unknown` } });
    else if (error !== undefined) fail(error.message);
    else waiting.get(id)?.(result);
  })
  .once('close', () => {
    if (!agent.stdin.writableEnded) fail('the agent is gone');
  });

await ask('initialize', {
  protocolVersion: 1,
  clientInfo: { name: 'plain-client', version: '2.0.0' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
});
const { sessionId } = await ask('session/new', { cwd, mcpServers: [] });
await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
print(JSON.stringify([process.env.HOME, process.env.XDG_STATE_HOME, process.env.A_SECRET]));
if (deviation === 'exits with 3') process.exitCode = 3;
if (deviation !== 'stays') {
  agent.stdin.end();
  agent.once('exit', () => process.exit());
  setTimeout(() => agent.kill(), 300);
}
