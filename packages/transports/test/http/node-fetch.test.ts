import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeFetch } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';

test('a request that is aborted while its connection opens is not sent', async () => {
  let received = 0;
  const server = createServer((_, response) => {
    received++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const fetch = nodeFetch();
  const aborted = new AbortController();
  const request = fetch(url, { signal: aborted.signal });
  aborted.abort(new Error('no longer needed'));
  await expect(request).rejects.toThrow('no longer needed');
  expect([(await fetch(url)).status, received]).toEqual([200, 1]);
});
