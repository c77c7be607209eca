import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files and folders that take longest, longest first. One that began last would have the whole run wait; how big a file is says little
 * of how long it takes.
 */
export const longest: readonly string[] = [
  'apps/cli/test/sessions.test.ts',
  'packages/permissions/test/what-runs.test.ts',
  'apps/cli/test/exec.test.ts',
  'tools/test/tarballs.test.ts',
  'apps/cli/test/exec-options.test.ts',
  'apps/cli/test/session-host.test.ts',
  'apps/cli/test/start.test.ts',
  'apps/cli/test/known-agents.test.ts',
  'packages/client/test/launch/leaks.test.ts',
  'tools/test/prepare.test.ts',
  'packages/transports/test/contract.test.ts',
  'apps/cli/test/check.test.ts',
  'apps/cli/test/session-commands.test.ts',
  'packages/client/test/faults/',
  'apps/cli/test/faults/',
  'apps/cli/test/trace-record.test.ts',
  'apps/cli/test/archive.test.ts',
  'conformance/test/mutants/',
  'conformance/test/check-agent.test.ts',
  'apps/coder/test/execute.test.ts',
  'conformance/test/fuzz.test.ts',
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
