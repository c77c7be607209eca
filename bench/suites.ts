import type { Case } from './case.ts';

/** Suites whose samples each run in a separate process. */
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

/** Loads only the cases of one suite, so that a process that takes a sample contains only measured code. */
export function casesOf<Name extends SuiteName>(suite: Name): Promise<Suites[Name]> {
  return load[suite]();
}
