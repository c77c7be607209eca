// An agent that writes its frames itself: `node raw-agent.mjs VERSIONS`, with VERSIONS such as "1,2". It answers nothing but initialize.
import { createInterface } from 'node:readline';

/** The answer to `initialize`, by the rules of the versions that the agent speaks. */
export function answerOf({ id, params }, versions) {
  const newest = Math.max(...versions.filter((version) => version <= params.protocolVersion));
  const received = { received: params };
  if (versions.length === 1 && versions[0] === 1)
    return { jsonrpc: '2.0', id, result: { protocolVersion: 1, _meta: received } };
  if (newest === 1) return { jsonrpc: '2.0', id, result: { protocolVersion: 1, _meta: received } };
  if (newest === 2) {
    const result = { protocolVersion: 2, info: { name: 'raw', version: '1' }, capabilities: { session: {} } };
    return { jsonrpc: '2.0', id, result: { ...result, _meta: received } };
  }
  const data = { requested: params.protocolVersion, supported: versions };
  return { jsonrpc: '2.0', id, error: { code: -32022, message: 'Unsupported protocol version', data } };
}

const [, program, spoken] = process.argv;
if (spoken !== undefined && program === new URL(import.meta.url).pathname) {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.method === 'initialize')
      process.stdout.write(`${JSON.stringify(answerOf(message, spoken.split(',').map(Number)))}\n`);
  }
}
