import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files and folders that take longest, longest first. One that began last would have the whole run wait; how big a file is says little
 * of how long it takes.
 */
export const longest: readonly string[] = [
  'tools/test/tarballs.test.ts',
  'tools/site/site.test.ts',
  'conformance/test/mutants/',
  'apps/cli/test/faults/',
  'packages/gateway/test/store/postgres-store.test.ts',
  'apps/cli/test/history.test.ts',
  'apps/cli/test/sessions.test.ts',
  'packages/client/test/launch/',
  'packages/agent/test/cut-line.test.ts',
  'apps/web/test/',
  'apps/cli/test/continue.test.ts',
  'packages/client/test/faults/',
  'apps/cli/test/session-host.test.ts',
  'apps/cli/test/serve.test.ts',
  'apps/cli/test/exec.test.ts',
  'conformance/test/check-agent.test.ts',
  'packages/protocol/test/peer/properties.test.ts',
  'packages/agent/test/commands.test.ts',
  'apps/cli/test/config.test.ts',
  'apps/cli/test/session-documents.test.ts',
  'apps/check/test/main.test.ts',
  'packages/transports/test/http/contract.test.ts',
  'apps/cli/test/session-host-memory.test.ts',
  'apps/cli/test/doctor.test.ts',
  'apps/cli/test/named-sessions.test.ts',
  'packages/permissions/test/traced-lines.test.ts',
  'packages/permissions/test/what-runs.test.ts',
  'conformance/test/official-client.test.ts',
  'conformance/test/official-agent.test.ts',
  'conformance/test/fuzz.test.ts',
  'apps/cli/test/exec-options.test.ts',
  'apps/cli/test/known-agents.test.ts',
  'apps/cli/test/check.test.ts',
  'apps/cli/test/agents.test.ts',
  'apps/cli/test/remote.test.ts',
  'apps/cli/test/nodes.test.ts',
  'apps/cli/test/session-commands.test.ts',
  'tools/test/prepare.test.ts',
  'packages/transports/test/contract.test.ts',
  'apps/coder/test/execute.test.ts',
  'apps/cli/test/trace-record.test.ts',
  'apps/cli/test/archive.test.ts',
  'apps/cli/test/coder.test.ts',
  'conformance/test/client-check.test.ts',
  'apps/coder/test/mcp-hostile.test.ts',
  'apps/cli/test/interactive/',
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
