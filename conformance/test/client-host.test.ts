import { expect, test } from 'vitest';
import { checkClient } from '../src/client/check-client.ts';
import type { ClientSubject } from '../src/client/drive/client-subject.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { asMessage } from '../src/wire/messages.ts';
import { mutantLine } from './mutants/mutant-line.ts';
import { builtInClient } from './peers/built-in-client.ts';

/** The observations of a check of the host features other than `held`. */
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

test('a client that offers every host feature has only the expected unseen requirements', async () => {
  expect(await missedBy(builtInClient('memory'))).toEqual([
    'terminals/wait-timeout R325 unseen: the client waits for the end of the command: the protocol defines no timeout for it',
    'permission/refused R204 unseen: the client does not select permanent options',
    'questions/not-offered R207 unseen: the client offers everything: files and terminals',
  ]);
});

test('a client whose driver can only send prompts is not blamed for other actions', async () => {
  const missed = await missedBy({ ...builtInClient('memory'), can: (action) => action === 'prompt' });
  expect(missed.filter((line) => !line.includes('unseen'))).toEqual([]);
});

/** The built-in client with all optional capabilities removed. */
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

test('a client without optional capabilities is not blamed, and the reasons name what it lacks', async () => {
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
