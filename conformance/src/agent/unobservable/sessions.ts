import type { Unobservable } from '../../requirements/requirement.ts';

export const sessionsUnobservable: Unobservable = {
  R103: 'Which things of two folders are at odds, and what an agent looks for in a folder, is its own affair',
  R126: 'The kit is one client with one identity: there are no sessions of others to be shown',
  R258: 'Which options are important is for people to judge',
  R262: 'An agent is never sent a category, so it cannot need one of a client',
};
