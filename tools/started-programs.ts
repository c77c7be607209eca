import type { Plugin } from 'vitest/config';

/** A program beside a test, in the words with which tests name one. */
const program = /new URL\(\s*(['"`])(?:\.\/)?([^'"`$:]+\.m?ts)\1,\s*import\.meta\.url\s*\)/g;

/** For `--changed`: what a test starts in a process of its own counts as imported by it. The import is written down, and never run. */
export const startedPrograms: Plugin = {
  name: 'started-programs',
  enforce: 'post',
  transform(code, id) {
    if (!id.includes('/test/')) return undefined;
    const imports = [...code.matchAll(program)].map(([, , path]) => `() => import(${JSON.stringify(`./${path}`)});`);
    return imports.length === 0 ? undefined : { code: `${code}\n${imports.join('\n')}`, map: null };
  },
};
