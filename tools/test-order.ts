import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files and folders that take longest, longest first. One that began last would have the whole run wait; how big a file is says little
 * of how long it takes.
 */
export const longest: readonly string[] = [
  'apps/cli/test/faults/',
  'packages/client/test/launch/',
  'conformance/test/mutants/',
  'tools/test/tarballs.test.ts',
  'apps/cli/test/sessions.test.ts',
  'apps/cli/test/session-host.test.ts',
  'conformance/test/check-agent.test.ts',
  'conformance/test/fuzz.test.ts',
  'packages/client/test/faults/',
  'packages/permissions/test/what-runs.test.ts',
  'apps/cli/test/exec.test.ts',
  'apps/cli/test/exec-options.test.ts',
  'apps/cli/test/known-agents.test.ts',
  'apps/cli/test/check.test.ts',
  'tools/test/prepare.test.ts',
  'packages/transports/test/contract.test.ts',
  'apps/coder/test/execute.test.ts',
  'apps/cli/test/session-commands.test.ts',
  'apps/cli/test/trace-record.test.ts',
  'apps/cli/test/archive.test.ts',
  'conformance/test/client-check.test.ts',
  'apps/coder/test/e2e/',
];

/** Begins with what takes longest. Others go by what they took before, or by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((path) => moduleId.includes(path));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
