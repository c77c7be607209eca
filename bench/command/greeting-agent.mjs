// node greeting-agent.mjs [FILE]: an agent that answers at once. It writes the time of its answer to session/new into FILE, in milliseconds since 1970.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'greeting', title: 'Greeting', version: '1.0.0' },
    agentCapabilities: { loadSession: true },
  }),
  'session/new': () => ({
    sessionId: 'only',
    modes: { currentModeId: 'first', availableModes: [{ id: 'first', name: 'Mode One' }] },
  }),
  'session/prompt': ({ sessionId }) => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'GREETING\n' } };
    write({ method: 'session/update', params: { sessionId, update } });
    return { stopReason: 'end_turn' };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  if (!answer) return write({ id, error: { code: -32601, message: 'Method not found' } });
  write({ id, result: answer(params) });
  if (file && method === 'session/new') writeFileSync(file, String(Date.now()));
});
