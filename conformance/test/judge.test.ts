import { expect, test } from 'vitest';
import { resultOf } from '../src/judge/result-of.ts';
import { Observer } from '../src/verdict/observer.ts';
import { Journal } from '../src/wire/journal.ts';

test('an answer that shows something stands behind what it answers', () => {
  const journal = new Journal();
  const first = journal.add('client', '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  journal.add('agent', '{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{}}');
  const update = journal.add('agent', '{"jsonrpc":"2.0","method":"session/update","params":{}}');
  const answer = journal.add('agent', '{"jsonrpc":"2.0","id":1,"result":{"sessions":[]}}');
  const second = journal.add('client', '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  const again = journal.add('agent', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}');
  const see = new Observer();
  see.broken('R116', 'one', [update, answer, again]);
  see.broken('R116', 'two', [second, again]);
  see.broken('R116', 'three', []);
  const { observations } = resultOf({
    scenario: { id: 'list/some' },
    judges: 'agent',
    see,
    journals: [[], journal.entries],
    mishap: undefined,
    began: 0,
  });
  const seen = observations.flatMap(({ requirement, evidence }) => (requirement === 'R116' ? [evidence] : []));
  expect(seen.slice(0, 3)).toEqual([[update, first, answer, second, again], [second, again], []]);
});
