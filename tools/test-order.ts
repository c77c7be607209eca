import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, slowest first. If one of them began last, the whole run would wait for it; the size of a file says little about its
 * time.
 */
export const longest: readonly string[] = [
  'packages/permissions/test/what-runs.test.ts',
  'tools/test/tarballs.test.ts',
  'apps/web/test/misbehaving.test.ts',
  'apps/cli/test/nodes.test.ts',
  'conformance/test/client-check.test.ts',
  'apps/web/test/everybody.test.ts',
  'tools/site/site.test.ts',
  'conformance/test/mutants/client-mutants.test.ts',
  'conformance/test/official-client.test.ts',
  'tools/test/documented-commands.test.ts',
  'conformance/test/mutants/agent-mutants.test.ts',
  'apps/cli/test/faults/endings.test.ts',
  'apps/web/test/windows.test.ts',
  'apps/cli/test/faults/output.test.ts',
  'apps/web/test/entries.test.ts',
  'apps/cli/test/exec.test.ts',
  'apps/check/test/main.test.ts',
  'apps/web/test/turns.test.ts',
  'apps/web/test/questions.test.ts',
  'conformance/test/turn-timeout.test.ts',
  'conformance/test/fuzz.test.ts',
  'packages/runtime/test/faults/answers.test.ts',
  'packages/cluster/test/postgres/postgres-store.test.ts',
  'apps/cli/test/sessions.test.ts',
  'apps/cli/test/interactive/prompts.test.ts',
  'packages/agent/test/cut-line.test.ts',
  'packages/client/test/doctor/examine-agent.test.ts',
  'apps/cli/test/remote.test.ts',
  'apps/cli/test/session-host.test.ts',
  'conformance/test/check-agent.test.ts',
  'apps/web/test/agent-login.test.ts',
  'apps/coder/test/execute.test.ts',
  'apps/cli/test/history.test.ts',
  'packages/agent/test/commands.test.ts',
  'apps/cli/test/check-shared.test.ts',
  'apps/coder/test/e2e/model-server-faults.test.ts',
  'packages/transports/test/contract.test.ts',
  'packages/gateway/test/held-agents.test.ts',
  'apps/web/test/long-session.test.ts',
  'packages/runtime/test/faults/death.test.ts',
  'apps/coder/test/mcp-hostile.test.ts',
  'apps/cli/test/trace-record.test.ts',
  'packages/runtime/test/store/sqlite-store.test.ts',
  'apps/coder/test/official-client.test.ts',
  'apps/cli/test/continue.test.ts',
  'apps/cli/test/remote-reconnect.test.ts',
  'apps/cli/test/faults/escapes.test.ts',
  'packages/protocol/test/peer/backpressure.test.ts',
  'apps/coder/test/cancel-sweep.test.ts',
  'apps/cli/test/interactive/turns.test.ts',
  'apps/cli/test/serve.test.ts',
  'apps/coder/test/file-engine.test.ts',
  'apps/cli/test/coder.test.ts',
  'apps/cli/test/prompt-source.test.ts',
  'apps/cli/test/check.test.ts',
  'packages/transports/test/websocket/endpoint.test.ts',
  'packages/runtime/test/faults/flood.test.ts',
  'apps/coder/test/delete-move.test.ts',
  'apps/cli/test/permission-limits.test.ts',
  'conformance/test/client-host.test.ts',
  'packages/runtime/test/agent/lasting-session.test.ts',
  'packages/gateway/test/endpoints/http-server.test.ts',
  'apps/cli/test/interactive/pickers.test.ts',
  'apps/coder/test/e2e/vanishing.test.ts',
  'apps/coder/test/cancel.test.ts',
  'apps/cli/test/interactive/terminal.test.ts',
];

/** Starts the slowest files first; sorts others by their last duration, or by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((path) => moduleId.includes(path));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
