import type { Plugin } from 'vitest/config';

/** Matches the path of a program that a test starts: `new URL('./program.ts', import.meta.url)`. */
const program = /new URL\(\s*(['"`])(?:\.\/)?([^'"`$:]+\.m?ts)\1,\s*import\.meta\.url\s*\)/g;

/** For `--changed`: adds an import, which never runs, of each program that a test starts as a process. */
export const startedPrograms: Plugin = {
  name: 'started-programs',
  enforce: 'post',
  transform(code, id) {
    if (!id.includes('/test/')) return undefined;
    const imports = [...code.matchAll(program)].map(([, , path]) => `() => import(${JSON.stringify(`./${path}`)});`);
    return imports.length === 0 ? undefined : { code: `${code}\n${imports.join('\n')}`, map: null };
  },
};
