import { proxyFor } from '@turnwire/transports/http/node';
import { expect, test } from 'vitest';

const both = { HTTP_PROXY: 'http://plain:1', https_proxy: 'secure:2' };

test.each<[url: string, variables: Record<string, string>, proxy: string | undefined]>([
  ['https://box.example/acp', both, 'http://secure:2/'],
  ['wss://box.example/acp', both, 'http://secure:2/'],
  ['http://box.example/acp', both, 'http://plain:1/'],
  ['ws://box.example/acp', both, 'http://plain:1/'],
  ['wss://box.example/acp', { ALL_PROXY: 'http://any:3' }, 'http://any:3/'],
  ['wss://box.example/acp', { ...both, https_proxy: '', ALL_PROXY: 'http://any:3' }, 'http://any:3/'],
  ['wss://box.example/acp', {}, undefined],
  ['wss://localhost/acp', both, undefined],
  ['wss://127.0.0.1:8080/acp', both, undefined],
  ['wss://[::1]/acp', both, undefined],
  ['wss://a.localhost./acp', both, undefined],
  ['ws://0.0.0.0:8080/acp', both, undefined],
  ['wss://localhost.example/acp', both, 'http://secure:2/'],
  ['wss://box.example/acp', { ...both, NO_PROXY: '*' }, undefined],
  ['wss://box.example/acp', { ...both, NO_PROXY: 'other, box.example' }, undefined],
  ['wss://a.box.example/acp', { ...both, no_proxy: '.box.example' }, undefined],
  ['wss://a.box.example/acp', { ...both, NO_PROXY: 'BOX.example' }, undefined],
  ['wss://inbox.example/acp', { ...both, NO_PROXY: 'box.example' }, 'http://secure:2/'],
  ['wss://box.example/acp', { ...both, NO_PROXY: 'box.example:443' }, undefined],
  ['wss://box.example:8443/acp', { ...both, NO_PROXY: 'box.example:443' }, 'http://secure:2/'],
])('the proxy for %s with %j is %s', (url, variables, proxy) => {
  expect(proxyFor(url, variables)?.href).toBe(proxy);
});

test.each(['socks5://secret@box:1', 'https://secret@box', 'http://'])(
  'the proxy %s is refused with a message that does not quote it',
  (HTTPS_PROXY) => {
    expect(() => proxyFor('wss://box.example', { HTTPS_PROXY })).toThrow(
      /^the variable for the proxy must name an http:\/\/ URL: SOCKS and others are not supported\. Name such a proxy, or list the host in NO_PROXY$/,
    );
  },
);
