// node mcp-stub.mjs REPORT [fail]: an MCP server with a single tool that records its start and every message as a line of JSON in the
// file REPORT. With `fail` it reports an error and exits.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , report, mode] = process.argv;

/** @param {object} line */
function record(line) {
  appendFileSync(report, `${JSON.stringify(line)}\n`);
}

/** @param {{ readonly method?: string, readonly params?: { readonly protocolVersion?: string } }} request */
function answerTo({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params?.protocolVersion ?? '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'stub', version: '1.0.0' },
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return {
        result: { tools: [{ name: 'echo', description: 'Repeats its input', inputSchema: { type: 'object' } }] },
      };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'echo' }] } };
    default:
      return { error: { code: -32601, message: `${method} is not offered here` } };
  }
}

/** @param {string} text */
function take(text) {
  const message = parsed(text);
  if (typeof message?.method !== 'string') return;
  record({ method: message.method });
  if (message.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerTo(message) })}\n`);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

record({
  started: process.argv.slice(2),
  pid: process.pid,
  secret: process.env['TURNWIRE_STUB_SECRET'] ?? null,
  path: process.env['PATH'] ?? null,
});
if (mode === 'fail') {
  process.stderr.write('the stub fails, as requested\n');
  process.exitCode = 1;
} else {
  createInterface({ input: process.stdin }).on('line', take);
}
