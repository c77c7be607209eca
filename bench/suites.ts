import type { Case } from './case.ts';

/** What is measured in samples, each in a process of its own. */
interface Suites {
  readonly wire: readonly Case[];
  readonly remote: readonly Case[];
  readonly gateway: readonly Case[];
  readonly coder: readonly Case<string>[];
  readonly transcript: readonly Case<string>[];
}

export type SuiteName = keyof Suites;

const load: { readonly [Name in SuiteName]: () => Promise<Suites[Name]> } = {
  wire: async () => [
    ...(await import('./wire/stream-cases.ts')).streamCases,
    ...(await import('./wire/round-trip-cases.ts')).roundTripCases,
    ...(await import('./wire/start-cases.ts')).startCases,
    ...(await import('./wire/memory-cases.ts')).memoryCases,
  ],
  remote: async () => (await import('./remote/remote-cases.ts')).remoteCases,
  gateway: async () => (await import('./gateway/gateway-cases.ts')).gatewayCases,
  coder: async () => (await import('./coder/coder-cases.ts')).coderCases,
  transcript: async () => (await import('./transcript/transcript-cases.ts')).transcriptCases,
};

/** Loads the cases of a suite and nothing of the others: a process that takes a sample has only what it measures. */
export function casesOf<Name extends SuiteName>(suite: Name): Promise<Suites[Name]> {
  return load[suite]();
}
