/** A mistake in a received value, and the action taken. */
export interface Problem {
  /** Where: `update.content[2].type`; empty for the value as a whole. */
  readonly path: string;
  /** The expected value: `an absolute path`. */
  readonly expected: string;
  /** The received value in general terms: `a relative path`. Never the value itself, which may be a secret. */
  readonly received: string;
  /** The message was refused, the value removed, or a default put in its place. */
  readonly action: 'refused' | 'removed' | 'defaulted';
}

const mentionedAtMost = 3;

/** The problems as one sentence: the reasons for the refusal if there was one. */
export function describe(problems: readonly Problem[]): string {
  const refused = problems.filter(isRefusal);
  const mentioned = refused.length > 0 ? refused : problems;
  const left = mentioned.length - mentionedAtMost;
  const sentences = mentioned.slice(0, mentionedAtMost).map(sentence);
  return [...sentences, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

export function isRefusal({ action }: Problem): boolean {
  return action === 'refused';
}

/** The expected value and its path in one phrase: `a string at [2].type`. */
export function expectedAt({ path, expected }: Problem): string {
  return path === '' ? expected : `${expected} at ${path}`;
}

function sentence({ path, expected, received }: Problem): string {
  const words = `expected ${expected}, received ${received}`;
  return path === '' ? words : `${path}: ${words}`;
}
