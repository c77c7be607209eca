import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { measurePace, within } from './tools/pace.ts';
import { makeRunFolder } from './tools/run-folder.ts';
import { startedPrograms } from './tools/started-programs.ts';
import { LongestFirst } from './tools/test-order.ts';

// Node and Vite add the condition `import` or `require` themselves.
const conditions = ['@turnwire/source', 'node', 'module'];
measurePace();
makeRunFolder();

const everything = [
  'packages/*/test/**/*.test.ts',
  'apps/*/test/**/*.test.ts',
  'conformance/test/**/*.test.ts',
  'examples/**/*.test.ts',
  'tools/**/*.test.ts',
  'bench/**/*.test.ts',
];

/** These tests measure the memory of their own process. */
const alone = [
  'packages/agent/test/commands.test.ts',
  'packages/client/test/host/{terminals,files-read}.test.ts',
  'apps/coder/test/execute.test.ts',
];

/** These tests check the tasks of a benchmark, not our packages. */
const benchTasks = process.env['TURNWIRE_BENCH_TASKS'] ? [] : ['bench/tasks/**'];

export default defineConfig({
  plugins: [startedPrograms],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Most tests wait for processes: with three workers for each core, programs under test start too late.
    maxWorkers: Math.ceil(2.5 * Math.max(2, availableParallelism())),
    maxConcurrency: 10,
    testTimeout: within(60_000),
    hookTimeout: within(60_000),
    expect: { poll: { timeout: within(10_000) } },
    unstubEnvs: true,
    setupFiles: ['./tools/test-setup.ts'],
    reporters: ['default', './tools/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files share a few processes and their loaded modules: a new process for each file would take half a second of processor time.
      {
        extends: true,
        test: { name: 'shared', include: everything, exclude: [...alone, ...benchTasks], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
