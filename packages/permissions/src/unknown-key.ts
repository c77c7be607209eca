import type { RuleEffect } from './permissions.ts';

/** What somebody means by a key that does not exist: slips, and the words of other programs. */
const meanings: readonly (readonly [RuleEffect, RegExp])[] = [
  ['deny', /^(?:auto)?(?:d[eny]{2,4}$|den(?:y|ied|ies)|disallow|forbid|block|reject|exclude|prohibit|refuse)/i],
  ['ask', /^(?:auto)?(?:[ask]{2,4}$|ask|confirm|escalate|prompt|question)/i],
  ['allow', /^(?:auto)?(?:[alow]{3,6}$|allow|ap+rov|accept|permit$|permitted|trust|whitelist)/i],
];

/** The effect of rules a key seems to be about; undefined if it says nothing about that. */
export function effectMeant(key: string): RuleEffect | undefined {
  return meanings.find(([, words]) => words.test(key))?.[0];
}

/** Whether a key is one under which the settings of other programs hold rules. */
export function isForeign(key: string): boolean {
  return /^(?:permissions?|rules|tools)$/i.test(key);
}
