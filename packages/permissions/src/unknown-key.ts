import type { RuleEffect } from './permissions.ts';

/** The probable meaning of an unknown key: typos, and the terms of other programs. */
const meanings: readonly (readonly [RuleEffect, RegExp])[] = [
  ['deny', /^(?:auto)?(?:d[eny]{2,4}$|den(?:y|ied|ies)|disallow|forbid|block|reject|exclude|prohibit|refuse)/i],
  ['ask', /^(?:auto)?(?:[ask]{2,4}$|ask|confirm|escalate|prompt|question)/i],
  ['allow', /^(?:auto)?(?:[alow]{3,6}$|allow|ap+rov|accept|permit$|permitted|trust|whitelist)/i],
];

/** The probable effect of a key; undefined if it suggests none. */
export function effectMeant(key: string): RuleEffect | undefined {
  return meanings.find(([, words]) => words.test(key))?.[0];
}

/** Whether the settings of other programs have rules under this key. */
export function isForeign(key: string): boolean {
  return /^(?:permissions?|rules|tools)$/i.test(key);
}
