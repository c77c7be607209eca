import type { Unobservable } from '../../requirements/requirement.ts';

export const turnsUnobservable: Unobservable = {
  R291: 'who is at the other end of a connection, and whether the agent checks it, does not show in the messages',
  R297: 'whether a text asks for a secret is for a user to judge',
  R304: 'what the agent got outside of the protocol, and what its model receives, does not show in the messages',
  R305: 'who completes a page, and whether the agent checks it, happens outside of the protocol',
  R311: 'whether an address in a text is meant to be clicked is for a user to judge',
  R317: 'whether something is needed is for a user to judge; here no notice is ever acted upon, and turns must work all the same',
  R324: 'in the protocol the capability is one boolean for all five methods: an agent that keeps to the schema cannot be offered some of them',
};
