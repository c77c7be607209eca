import { anyOf, int64, meaning, nothing, string } from './language.ts';

export const RequestId = anyOf(
  'Ties an answer to its request. Unique among the unanswered requests of one direction; `1` and `"1"` are different ids.',
  meaning(nothing, 'Legal in JSON-RPC, but best avoided: an answer with a `null` id means that the id could not be read.'),
  meaning(int64, 'A counter, usually. Integers above 2^53 lose digits in JavaScript.'),
  meaning(string, 'Any text, compared exactly.'),
);
