// node flood-agent.mjs LINES SECONDS: an agent that fills the transcript with LINES, then sends 10,000 updates a second for SECONDS.
import { createInterface } from 'node:readline';

const [lines, seconds] = process.argv.slice(2).map(Number);
const updatesPerTick = 100;
const tick = 10;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const drained = () => new Promise((resolve) => process.stdout.once('drain', resolve));
const say = (sessionId, text) =>
  write({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

/** Four updates are a line of prose, ten lines a paragraph; now and then a tool call reports. */
function send(sessionId, index) {
  if (index % 50 === 0) {
    const status = index % 100 === 0 ? 'in_progress' : 'completed';
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: `call-${Math.floor(index / 100)}`,
      title: 'Read a file',
      kind: 'read',
      status,
    };
    return write({ method: 'session/update', params: { sessionId, update } });
  }
  const end = index % 40 === 39 ? '\n\n' : index % 4 === 3 ? '\n' : ' ';
  return say(sessionId, `some more words${end}`);
}

async function flood(sessionId) {
  for (let line = 1; line <= lines; line++)
    if (!say(sessionId, `${line} is a line of the transcript there already is\n\n`)) await drained();
  say(sessionId, '\n\nMEASURE\n\n');
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor((performance.now() - start) / tick) * updatesPerTick;
    let isFull = false;
    while (sent < due && !isFull) isFull = !send(sessionId, sent++);
    await (isFull ? drained() : new Promise((resolve) => setTimeout(resolve, tick)));
  }
  say(sessionId, `\n\nSENT ${sent} END\n\n`);
  return { stopReason: 'end_turn' };
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'flood', version: '1.0.0' }, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 'only' }),
  'session/prompt': ({ sessionId }) => flood(sessionId),
};

const answer = async (id, method, params) => write({ id, result: await answers[method](params) });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method]) void answer(id, method, params);
});
