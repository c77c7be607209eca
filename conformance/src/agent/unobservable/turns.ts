import type { Unobservable } from '../../requirements/requirement.ts';

export const turnsUnobservable: Unobservable = {
  R146: 'it is a freedom of the agent: how its turns end is its own choice',
  R239: 'what an MCP server gave to the agent is between the two of them, and to pass it on as it is is a freedom',
  R246: 'it is a freedom of the agent: a plan that changes is as good as one that does not',
  R291: 'who is at the other end of a connection, and whether the agent checks it, does not show in the messages',
  R297: 'whether a text asks for a secret is for a user to judge',
  R304: 'what the agent got outside of the protocol, and what its model is told, does not show in the messages',
  R305: 'who completes a page, and whether the agent checks it, happens outside of the protocol',
  R311: 'whether an address in a text is meant to be clicked is for a user to judge',
  R317: 'whether something is needed is for a user to judge; here no notice is ever acted upon, and turns must work all the same',
  R324: 'in the protocol the capability is one boolean for all five methods: an agent that keeps to the schema cannot be offered some of them',
};
