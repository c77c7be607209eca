import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mostMatches } from '../../src/texts/found-sessions.ts';
import { longestPassage } from '../../src/texts/passage.ts';
import type { SessionClaim, SessionStore } from '../../src/store/session-store.ts';
import { tenantWord } from '../../src/texts/words.ts';
import { passage, session, type StorePlace } from './session-store-contract.ts';

/** What the search of every store must do. */
export function searchContract(name: string, makePlace: () => Promise<StorePlace>): void {
  let place: StorePlace;
  let store: SessionStore;

  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  /** Begins a session with some texts, each of an event of its own. */
  const begin = async (id: string, texts: readonly string[], tenant = 'ada'): Promise<SessionClaim> => {
    const claim = await store.create(session(id, { tenant }));
    const passages = texts.map((text, index) => passage(text, { sequence: index + 1 }));
    await store.append(
      claim,
      texts.map((text) => ({ at: 1, type: 'update', payload: JSON.stringify(text) })),
    );
    await store.index(claim, { passages, upTo: { epoch: 1, sequence: texts.length } });
    return claim;
  };

  const search = async (text: string, fields: { readonly tenant?: string; readonly session?: string } = {}) =>
    store.search({ tenant: 'ada', text, limit: 10, ...fields });

  /** The ids of the found sessions. */
  const found = async (text: string, fields: Parameters<typeof search>[1] = {}): Promise<readonly string[]> =>
    (await search(text, fields)).map(({ record }) => record.id);

  describe(`${name}: search`, () => {
    test('finds sessions by their texts, those with the newest match first, and where each match is', async () => {
      await begin('one', ['fix the parser', 'The parser is fixed.']);
      await begin('two', ['write a parser', 'something else']);
      expect(await search('parser')).toEqual([
        { record: session('two'), passages: [passage('write a parser')] },
        {
          record: session('one'),
          passages: [passage('The parser is fixed.', { sequence: 2 }), passage('fix the parser')],
        },
      ]);
      expect(await search('nothing of this')).toEqual([]);
    });

    test('a text matches if it has words that begin with all words of the query, in any order, case and accent', async () => {
      await begin('one', ['Größe of src/read-file.ts in readFileSync(), naïve', '检查 the 解析器']);
      for (const query of ['größe', 'GRÖßE', 'groß', 'ts read', 'sync', 'readfile', 'naive', 'sr fi', '解析'])
        expect([query, await found(query)]).toEqual([query, ['one']]);
      for (const query of ['ize', 'größe missing', '析 größe', '', '  ', '"*', "' :* & |"])
        expect([query, await found(query)]).toEqual([query, []]);
    });

    test('the syntax of the engine means nothing in a query or a text', async () => {
      await begin('one', ['\' OR NOT NEAR(a b) " * ^ : & | ! \\ \u0001 \uD800 alpha']);
      for (const query of ['alpha*', 'NOT alpha', '(alpha', "'alpha':*", 'alpha\u0000'])
        expect([query, await found(query)]).toEqual([query, ['one']]);
      for (const query of ['alpha" OR "x', "alpha' | 'x", 'words : alpha'])
        expect([query, await found(query)]).toEqual([query, []]);
    });

    test('a tenant finds nothing of another tenant, not even by the word that marks it', async () => {
      await begin('hers', ['the secret plan'], 'ada');
      await begin('his', ['the secret recipe'], 'bob');
      expect(await found('secret')).toEqual(['hers']);
      expect(await found('secret', { tenant: 'bob' })).toEqual(['his']);
      expect(await found('secret', { tenant: 'bob', session: 'hers' })).toEqual([]);
      expect(await found('recipe')).toEqual([]);
      expect(await found('tenant', { tenant: 'bob' })).toEqual([]);
      for (const query of ['t', tenantWord('ada'), tenantWord('ada').slice(1)])
        expect(await found(query, { tenant: 'bob' })).toEqual(query === 't' ? ['his'] : []);
      expect(await found('secret', { tenant: '' })).toEqual([]);
    });

    test('the search of one session finds only its texts', async () => {
      await begin('one', ['alpha']);
      await begin('two', ['alpha']);
      expect(await found('alpha', { session: 'one' })).toEqual(['one']);
      expect(await found('alpha', { session: 'missing' })).toEqual([]);
    });

    test('a session is found once with its newest matches, and the limit counts sessions', async () => {
      await begin('one', ['alpha']);
      await begin('two', ['alpha 1', 'alpha 2', 'alpha 3', 'alpha 4', 'alpha 5']);
      await begin('three', ['alpha']);
      const [three, two, ...others] = await store.search({ tenant: 'ada', text: 'alpha', limit: 2 });
      expect([three?.record.id, others]).toEqual(['three', []]);
      expect(two?.passages.map(({ text }) => text)).toEqual(['alpha 5', 'alpha 4', 'alpha 3']);
      expect(two?.passages).toHaveLength(mostMatches);
      await expect(store.search({ tenant: 'ada', text: 'alpha', limit: 0 })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    });

    test('a title replaces the earlier one, and an empty one removes it', async () => {
      const claim = await begin('one', ['alpha']);
      const upTo = { epoch: 1, sequence: 1 };
      const titled = async (text: string): Promise<void> =>
        store.index(claim, { passages: [passage(text, { kind: 'title', epoch: 0, sequence: 0 })], upTo });
      await titled('first name');
      expect(await found('first')).toEqual(['one']);
      await titled('second name');
      expect([await found('first'), await found('second'), await found('alpha')]).toEqual([[], ['one'], ['one']]);
      await titled('');
      expect([await found('name'), await found('alpha')]).toEqual([[], ['one']]);
    });

    test('the texts of a deleted session and of trimmed events are gone', async () => {
      const one = await begin('one', ['alpha 1', 'alpha 2', 'alpha 3']);
      await begin('two', ['alpha']);
      await store.trim(one, { epoch: 1, sequence: 2 });
      expect((await search('alpha', { session: 'one' }))[0]?.passages.map(({ text }) => text)).toEqual(['alpha 3']);
      await store.delete('ada', 'one');
      expect(await found('alpha')).toEqual(['two']);
      // A new session with the number of the deleted one has none of its texts.
      await begin('next', ['beta']);
      expect(await found('alpha')).toEqual(['two']);
    });

    test('a claim knows how far the texts are indexed, and an outdated one indexes nothing', async () => {
      const first = await begin('one', ['alpha', 'beta']);
      const second = await store.claim('ada', 'one');
      expect(second.indexedUpTo).toEqual({ epoch: 1, sequence: 2 });
      const late = { passages: [passage('gamma', { sequence: 3 })], upTo: { epoch: 1, sequence: 3 } };
      await expect(store.index(first, late)).rejects.toMatchObject({ code: 'fenced' });
      expect(await found('gamma')).toEqual([]);
      expect((await store.claim('ada', 'one')).indexedUpTo).toEqual({ epoch: 1, sequence: 2 });
    });

    test('long texts and long words are found', async () => {
      const long = `${'x '.repeat(longestPassage / 2 - 3)}end`;
      await begin('one', [long, 'y'.repeat(longestPassage)]);
      expect((await search('end'))[0]?.passages).toEqual([passage(long)]);
      expect((await search('y'.repeat(longestPassage)))[0]?.passages).toMatchObject([{ sequence: 2 }]);
    });
  });
}
