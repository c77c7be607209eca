// node use-acp.mjs TURN: one turn with the hook, in a React component. A server in this process passes messages on to the agent's stdin
// and stdout, one a message, as its users' servers do.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createElement, useEffect } from 'react';
import TestRenderer from 'react-test-renderer';
import { useAcpClient } from 'use-acp';
import { WebSocketServer } from 'ws';

const { agent: command, work, prompt, policy, isCancelled, load } = JSON.parse(process.argv[2]);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await new Promise((resolve) => server.once('listening', resolve));
let child;
server.on('connection', (socket) => {
  child = spawn(command[0], command.slice(1), { cwd: work, stdio: ['pipe', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => socket.send(line));
  socket.on('message', (data) => child.stdin.write(data));
  socket.on('close', () => child.stdin.end());
});

const wsUrl = `ws://127.0.0.1:${server.address().port}`;
let connected;
const agentReady = new Promise((resolve) => (connected = resolve));
let firstText;
const textArrived = new Promise((resolve) => (firstText = resolve));

function Client() {
  const clientOptions = {
    onSessionNotification: ({ update }) => update.sessionUpdate === 'agent_message_chunk' && firstText(),
  };
  const { agent, pendingPermission, resolvePermission } = useAcpClient({ wsUrl, clientOptions });
  useEffect(() => {
    if (agent) connected(agent);
  }, [agent]);
  useEffect(() => {
    if (!pendingPermission) return;
    const kind = policy === 'allow' ? 'allow_once' : 'reject_once';
    const { optionId } = pendingPermission.options.find((each) => each.kind === kind);
    resolvePermission({ outcome: { outcome: 'selected', optionId } });
  }, [pendingPermission]);
  return null;
}

const root = TestRenderer.create(createElement(Client));
const agent = await agentReady;
await agent.initialize({ protocolVersion: 1, clientCapabilities: {} });
const session = { cwd: work, mcpServers: [] };
const sessionId = load ?? (await agent.newSession(session)).sessionId;
if (load) await agent.loadSession({ ...session, sessionId });
const answer = agent.prompt({ sessionId, prompt: [{ type: 'text', text: prompt }] });
if (isCancelled) {
  await textArrived;
  await agent.cancel({ sessionId });
}
console.log(JSON.stringify(await answer));
root.unmount();
server.close();
await new Promise((resolve) => child.once('close', resolve));
process.exit();
