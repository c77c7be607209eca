import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { bundle } from '../bundle.ts';
import type { Bundle } from '../bundle.ts';
import { neutralEntries } from '../neutral-entries.ts';
import { findBrowserForTests, noBrowser } from './find-browser.ts';
import { sharedBrowser } from './shared-browser.ts';

const page = '<!doctype html><title>Turnwire</title><script type="module" src="/page.js"></script>';
const policy = "default-src 'none'; script-src 'self'";

function serve(script: string): Promise<Server> {
  const server = createServer(({ url }, answer) => {
    const isScript = url === '/page.js';
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    answer.setHeader('content-security-policy', policy);
    answer.end(isScript ? script : page);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The result of the page's program, and all errors of the page. */
async function runInBrowser(executablePath: string, script: string): Promise<unknown> {
  const server = await serve(script);
  const tab = await (await sharedBrowser(executablePath)).newPage();
  try {
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const outcome = await tab.evaluate(() => (globalThis as { outcome?: unknown }).outcome);
    return { outcome, errors };
  } finally {
    await tab.close();
    server.close();
  }
}

const program = (): Promise<Bundle> => bundle("import './test/page/turn-in-a-page.ts'", 'browser');
const browser = findBrowserForTests();
const unless = noBrowser(browser);

test('the protocol package and the message port import neither a module of Node nor another package', async () => {
  const { inputs } = await program();
  const strangers = Object.keys(inputs).filter(
    (path) => !/^(<stdin>|packages\/(protocol|transports)\/src\/.*|tools\/test\/page\/turn-in-a-page\.ts)$/.test(path),
  );
  const imports = Object.values(inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  expect({ strangers, imports }).toEqual({ strangers: [], imports: [] });
});

test.skipIf(browser === undefined)(
  `a turn runs in a browser whose policy forbids evaluating text as code${unless}`,
  async () => {
    const { code } = await program();
    expect(await runInBrowser(browser ?? '', code)).toEqual({
      outcome: {
        agentInfo: { name: 'page', version: '1.0.0' },
        sessionId: 'one',
        updates: [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } }],
        stopReason: 'end_turn',
        ended: 'remote',
        evaluation: 'EvalError',
      },
      errors: [],
    });
  },
);

test.each(neutralEntries)('%s is bundled for a browser without a module of Node or of machine', async (entry) => {
  const { inputs } = await bundle(`export * from '${entry}'`, 'browser');
  expect(Object.keys(inputs).filter((path) => /^packages\/machine\/src\/(?!waits\/)|\/src\/node\//.test(path))).toEqual(
    [],
  );
});

test('a dialect is in a bundle only if it is imported', async () => {
  const named = async (program: string): Promise<readonly string[]> =>
    (await bundle(program, 'browser')).code.match(/"(?:lenient|go-reference|pharo)"/g) ?? [];
  expect([
    await named("export * from '@turnwire/client'"),
    await named("export { connectClient, pharo } from '@turnwire/protocol'"),
  ]).toEqual([['"lenient"'], ['"lenient"', '"pharo"']]);
});

test.skipIf(browser === undefined)(`every entry that needs no Node loads in a browser${unless}`, async () => {
  const imports = neutralEntries.map((entry, at) => `import * as entry${at} from '${entry}';`);
  const names = neutralEntries.map((entry, at) => `[${JSON.stringify(entry)}, Object.keys(entry${at}).length > 0]`);
  const { code } = await bundle(`${imports.join('')} globalThis.outcome = [${names.join()}];`, 'browser');
  expect(await runInBrowser(browser ?? '', code)).toEqual({
    outcome: neutralEntries.map((entry) => [entry, true]),
    errors: [],
  });
});

test.skipIf(browser === undefined)(`a turn runs in a browser, and is played back there${unless}`, async () => {
  const { code } = await bundle("import './test/page/session-in-a-page.ts'", 'browser');
  expect(await runInBrowser(browser ?? '', code)).toEqual({
    outcome: {
      stopReason: 'end_turn',
      shown: [
        ['user', [{ type: 'text', text: 'hello' }]],
        ['agent', [{ type: 'text', text: 'helloTurnwireError' }]],
        'turn-end',
      ],
      replayed: { id: 'one', info: { name: 'page', version: '1.0.0' } },
    },
    errors: [],
  });
});
