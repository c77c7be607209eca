import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';

const served = servedPage();

/** A reverse proxy that serves the server under a path. Resolves with its address. */
async function proxied(prefix: string): Promise<string> {
  const target = (): number => Number(new URL(served.server.url).port);
  const sockets = new Set<Socket>();
  const proxy = createServer((request, response) => {
    if (!request.url?.startsWith(prefix)) return void response.writeHead(404).end();
    const { method, headers } = request;
    const path = request.url.slice(prefix.length - 1);
    const passed = httpRequest({ port: target(), host: '127.0.0.1', method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  proxy.on('upgrade', ({ url = '', rawHeaders }, socket: Socket) => {
    const server = connect(target(), '127.0.0.1');
    sockets.add(server);
    const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
    server.write([`GET ${url.slice(prefix.length - 1)} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    server.pipe(socket).pipe(server);
    for (const end of [server, socket]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`;
}

test.skipIf(withoutBrowser)(
  `the page works behind a proxy that serves it under a path: login, session, reload${unless}`,
  async () => {
    const address = await proxied('/box/');
    const page = await served.open({}, address.slice(0, -1));
    await begin(page, 'list files');
    await page.locator('.state.ready').waitFor();
    await page.reload();
    await page.locator('.user').getByText('list files').waitFor();
    const agent = page.locator('.agent').last();
    await agent.waitFor();
    const { pathname, origin } = new URL(page.url());
    const kept = await page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('turnwire.login'))`);
    expect({ address: `${origin}${pathname}`, kept, errors: served.errors }).toEqual({
      address,
      kept: ['turnwire.login/box'],
      errors: [],
    });
  },
);
