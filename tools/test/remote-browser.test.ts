import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore, serveAgent } from '@turnwire/agent';
import type { Transport } from '@turnwire/protocol';
import { bearerToken, serveHttp } from '@turnwire/transports/http/node';
import { serveWebSockets } from '@turnwire/transports/websocket/node';
import { expect, onTestFinished, test } from 'vitest';
import { bundle } from '../bundle.ts';
import { findBrowserForTests, noBrowser } from './find-browser.ts';
import { sharedBrowser } from './shared-browser.ts';

const page = '<!doctype html><title>Turnwire</title><script type="module" src="/page.js"></script>';
const store = memoryStore();

/** An agent that asks permission before it answers; the prompt `wait` waits for its cancel. */
function accept(transport: Transport): void {
  serveAgent(
    {
      info: { name: 'remote', version: '1.0.0' },
      store,
      prompt: async (turn) => {
        if (turn.text === 'first') {
          const tool = turn.tool({ title: 'May it?' });
          const { outcome } = await turn.askPermission(tool);
          await tool.complete();
          return void (await turn.say(outcome));
        }
        await turn.say('waiting');
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      },
    },
    { transport },
  );
}

/** A page with an agent at `/acp` of the same origin, which requires a token. */
async function servedPage(script: string): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', ({ url }: IncomingMessage, answer: ServerResponse) => {
    if (url === '/acp') return;
    const isScript = url === '/page.js';
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    answer.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; connect-src 'self' ws://${host}`,
    );
    answer.end(isScript ? script : page);
  });
  const rules = { authorize: bearerToken('secret'), origins: [`http://${host}`] };
  const endpoints = [serveWebSockets(server, rules, accept), serveHttp(server, rules, accept)];
  onTestFinished(async () => {
    await Promise.all(endpoints.map((each) => each.close()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://${host}/`;
}

const executablePath = findBrowserForTests();

test.skipIf(executablePath === undefined)(
  `a page goes through turns with an agent on its server, over a WebSocket and over HTTP${noBrowser(executablePath)}`,
  async () => {
    const { code } = await bundle("import './test/page/remote-turn-in-a-page.ts'", 'browser');
    const url = await servedPage(code);
    const tab = await (await sharedBrowser(executablePath ?? '')).newPage();
    onTestFinished(() => tab.close());
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    await tab.goto(url);
    const outcome = await tab.evaluate(() => (globalThis as { outcome?: unknown }).outcome);
    const seen = {
      agent: { name: 'remote', version: '1.0.0' },
      texts: ['allowed', 'waiting'],
      ends: ['end_turn', 'cancelled'],
      replayed: ['first', 'allowed', 'wait', 'waiting'],
    };
    expect({ outcome, errors }).toEqual({ outcome: { websocket: seen, http: seen }, errors: [] });
  },
);
