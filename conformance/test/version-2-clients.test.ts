import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../tools/bundle-program.mjs';
import { checkClient } from '../src/client/check-client.ts';
import { plainDriver } from '../src/client/drive/client-driver.ts';
import type { ClientSubject } from '../src/client/drive/client-subject.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import type { Judgement } from '../src/verdict/verdict.ts';
import { asMessage, at, quoted, type RawMessage } from '../src/wire/messages.ts';
import { type Defect, mutantLine } from './mutants/mutant-line.ts';
import { builtInClient } from './peers/built-in-client.ts';

const ofVersion2 = clientScenarios.filter(({ versions = [1] }) => !versions.includes(1));

function failed({ verdicts }: Judgement): readonly string[] {
  return verdicts.flatMap(({ requirement: { id }, outcome }) => (outcome === 'failed' ? [id] : []));
}

const scenarios = { version: 2, scenarios: ofVersion2, seed: 1 } as const;

test.each(['memory', 'http', 'websocket'] as const)(
  'the client library meets the requirements of version 2 over %s',
  { timeout: 300_000 },
  async (through) => {
    const judgement = await checkClient(builtInClient(through), scenarios);
    expect({ unreachable: judgement.unreachable, failed: failed(judgement) }).toEqual({ failed: [] });
  },
);

/** Ids that are texts, metadata everywhere, a repeated `initialize`, messages of a vendor, and no idempotency keys. */
const odd: Defect = ({ toKit }) => {
  const ids = new Map<unknown, unknown>();
  const _meta = { 'check.turnwire/ping': [null] };
  let introduction: RawMessage | undefined;
  return {
    says: (message) => {
      const { method, id, params } = message;
      if (method === undefined) return [message];
      const { idempotencyKey: _, requestId, ...fields } = asMessage(params) ?? {};
      const named = requestId === undefined ? {} : { requestId: `odd ${quoted(requestId)}` };
      const sent = { ...message, params: { ...fields, ...named, _meta } };
      const ping = { jsonrpc: '2.0', method: '_check.turnwire/ping', params: { _meta } };
      if (id === undefined) return [ping, sent];
      const request = { ...sent, id: `odd ${quoted(id)}` };
      ids.set(request.id, id);
      if (method !== 'initialize') return [ping, request];
      const capabilities = { ...asMessage(fields['capabilities']), _meta };
      introduction = { ...request, params: { ...request.params, capabilities } };
      return [introduction];
    },
    hears: (message) => {
      if (message['method'] !== undefined || !ids.has(message['id'])) return [message];
      const isFirst = introduction !== undefined && at(message, 'result', 'protocolVersion') === 2;
      if (!isFirst) return [{ ...message, id: ids.get(message['id']) }];
      toKit(JSON.stringify(introduction));
      introduction = undefined;
      return [];
    },
  };
};

test('an unusual client that conforms to version 2 is not blamed', { timeout: 300_000 }, async () => {
  const subject: ClientSubject = { ...builtInClient('memory'), tampered: (line) => mutantLine(line, odd) };
  const judgement = await checkClient(subject, scenarios);
  expect({ unreachable: judgement.unreachable, failed: failed(judgement) }).toEqual({ failed: [] });
});

test('a client of version 1 is not judged in version 2', async () => {
  const plain = fileURLToPath(new URL('peers/plain-client.mjs', import.meta.url));
  const subject = commandClient(plainDriver([process.execPath, plain, '{agent}', '{cwd}', '{prompt}']));
  const { unreachable } = await checkClient(subject, { version: 2, scenarios: [] });
  expect(unreachable).toMatch(/^the client did not send a prompt: it ended by itself with exit code 1/);
});

// Its sessions drop the updates that came before the answer to `session/new`.
test('a client with the official SDK breaks one requirement of version 2', { timeout: 600_000 }, async () => {
  const program = bundleProgram(fileURLToPath(new URL('peers/official-client-v2.mjs', import.meta.url)));
  const argv = [process.execPath, program, '{agent}', '{cwd}', '{prompt}'];
  const judgement = await checkClient(commandClient(plainDriver(argv)), scenarios);
  expect({ unreachable: judgement.unreachable, failed: failed(judgement) }).toEqual({ failed: ['V044'] });
});
