import type { Case } from './case.ts';
import type { ComparedName } from './wire/contender.ts';
import { benchProtocol } from './wire/protocol.ts';

/** Suites whose samples each run in a separate process. */
interface Suites {
  readonly wire: readonly Case[];
  readonly remote: readonly Case[];
  readonly gateway: readonly Case[];
  readonly compat: readonly Case<ComparedName>[];
  readonly coder: readonly Case<string>[];
  readonly transcript: readonly Case<string>[];
}

export type SuiteName = keyof Suites;

const load: { readonly [Name in SuiteName]: () => Promise<Suites[Name]> } = {
  wire: async () => {
    const cases = [
      ...(await import('./wire/stream-cases.ts')).streamCases,
      ...(await import('./wire/round-trip-cases.ts')).roundTripCases,
      ...(await import('./wire/start-cases.ts')).startCases,
      ...(await import('./wire/memory-cases.ts')).memoryCases,
    ];
    // The others do not depend on the version, or have messages that version 2 does not have.
    const ofVersion2 = /^(?:small-update|tool-call|update-4k|round-trip.*)$/;
    return benchProtocol() === 2 ? cases.filter(({ name }) => ofVersion2.test(name)) : cases;
  },
  remote: async () => (await import('./remote/remote-cases.ts')).remoteCases,
  gateway: async () => (await import('./gateway/gateway-cases.ts')).gatewayCases,
  compat: async () => (await import('./compat/compat-cases.ts')).compatCases,
  coder: async () => (await import('./coder/coder-cases.ts')).coderCases,
  transcript: async () => (await import('./transcript/transcript-cases.ts')).transcriptCases,
};

/** Loads only the cases of one suite, so that a process that takes a sample contains only measured code. */
export function casesOf<Name extends SuiteName>(suite: Name): Promise<Suites[Name]> {
  return load[suite]();
}
