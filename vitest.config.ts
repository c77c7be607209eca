import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { measurePace, within } from './tools/pace.ts';
import { makeRunFolder } from './tools/run-folder.ts';
import { startedPrograms } from './tools/started-programs.ts';
import { LongestFirst } from './tools/test-order.ts';

// Node and Vite know by themselves whether a package is imported or required.
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

/** What these measure is of their own process: how much memory it takes. */
const alone = [
  'packages/agent/test/commands.test.ts',
  'packages/client/test/host/{terminals,files-read}.test.ts',
  'apps/coder/test/execute.test.ts',
];

/** That the forty tasks of `npm run bench -- tasks` can be done is a property of the benchmark, not of what we ship. */
const benchTasks = process.env['TURNWIRE_BENCH_TASKS'] ? [] : ['bench/tasks/**'];

export default defineConfig({
  plugins: [startedPrograms],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Most tests wait for processes: with twice as many workers as cores a fifth of the processor time is left over.
    maxWorkers: 3 * Math.max(2, availableParallelism()),
    maxConcurrency: 10,
    testTimeout: within(60_000),
    hookTimeout: within(60_000),
    expect: { poll: { timeout: within(10_000) } },
    unstubEnvs: true,
    setupFiles: ['./tools/test-setup.ts'],
    reporters: ['default', './tools/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files share a few processes, with the modules they loaded: a new process for each would cost half a second of CPU time.
      {
        extends: true,
        test: { name: 'shared', include: everything, exclude: [...alone, ...benchTasks], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
