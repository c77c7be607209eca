import { double, nullable, object, optional, required, string, uint64 } from './language.ts';

export const Cost = object('What a session has cost so far.', {
  amount: required(double, 'How much, from the session’s beginning.'),
  currency: required(string, 'Of what: an ISO 4217 code such as `EUR`, or a unit of the provider’s own such as `credits`.'),
});

export const UsageUpdate = object('How full the context window is, and what the session has cost.', {
  used: required(uint64, 'Tokens in the context now.'),
  size: required(uint64, 'Tokens it has room for.'),
  cost: optional(nullable(Cost), 'What the session has cost so far. Absent or `null`: not known.').orAbsent(),
});
