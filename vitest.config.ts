import { defineConfig } from 'vitest/config';

const conditions = ['@turnwire/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'conformance/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    testTimeout: 30_000,
    reporters: ['default', './tools/closing-line.ts'],
  },
});
