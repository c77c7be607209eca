import { expect, test } from 'vitest';
import { checkClient } from '../src/client/check-client.ts';
import type { ClientSubject } from '../src/client/drive/client-subject.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { asMessage } from '../src/wire/messages.ts';
import { mutantLine } from './mutants/mutant-line.ts';
import { builtInClient } from './peers/built-in-client.ts';

/** What a client did not show, and why; and what it broke. */
async function missedBy(subject: ClientSubject): Promise<readonly string[]> {
  const scenarios = clientScenarios.filter(({ id }) =>
    /^(?:files|terminals|permission|questions|settings|news)\//.test(id),
  );
  const { results } = await checkClient(subject, { scenarios, seed: 1 });
  return results.flatMap(({ scenario, observations }) =>
    observations
      .filter(({ outcome }) => outcome !== 'held')
      .map(({ requirement, outcome, message }) => `${scenario} ${requirement} ${outcome}: ${message}`),
  );
}

test('a client that offers everything shows everything it can', async () => {
  expect(await missedBy(builtInClient('memory'))).toEqual([
    'terminals/wait-timeout R325 unseen: the client waits for the end of the command: the protocol knows no timeout there',
    'permission/refused R204 unseen: the client makes no choice that lasts',
    'questions/not-offered R207 unseen: the client offers files and terminals',
  ]);
});

test('a client that can only be made to send prompts is not called broken for what it was not asked', async () => {
  const missed = await missedBy({ ...builtInClient('memory'), can: (action) => action === 'prompt' });
  expect(missed.filter((line) => !line.includes('unseen'))).toEqual([]);
});

/** The built-in client as one that has nothing to offer, and says so. */
const bare: ClientSubject = {
  ...builtInClient('memory'),
  tampered: (line) =>
    mutantLine(line, ({ toKit }) => ({
      says: (message) =>
        message['method'] === 'initialize'
          ? [{ ...message, params: { ...asMessage(message['params']), clientCapabilities } }]
          : [message],
      hears: (message) => {
        const method = String(message['method']);
        if (message['id'] === undefined || !/^(?:fs|terminal|elicitation)\//.test(method)) return [message];
        toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: { code: -32_601, message: 'Unknown.' } }));
        return [];
      },
    })),
};
const clientCapabilities = {
  ...{ fs: { readTextFile: false, writeTextFile: false }, terminal: false, elicitation: null },
  ...{ session: { configOptions: { boolean: null } }, auth: { terminal: false } },
};

test('a client that offers nothing is not called broken, and what it lacks is named', async () => {
  const missed = await missedBy(bare);
  const reasons = new Set(
    missed.filter((line) => line.includes('not offer')).map((line) => line.replace(/^.* R\d+ /, '')),
  );
  expect({ broken: missed.filter((line) => / R\d+ broken/.test(line)), reasons: [...reasons].toSorted() }).toEqual({
    broken: [],
    reasons: [
      'unseen: the client does not offer elicitation',
      'unseen: the client does not offer elicitation.form',
      'unseen: the client does not offer elicitation.url',
      'unseen: the client does not offer fs.readTextFile',
      'unseen: the client does not offer fs.writeTextFile',
      'unseen: the client does not offer session.compaction',
      'unseen: the client does not offer session.configOptions.boolean',
      'unseen: the client does not offer session.notices',
      'unseen: the client does not offer terminal',
    ],
  });
});
