import { relative, isAbsolute, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isInside } from '../src/is-inside.ts';

test('a path is in a folder by its components, also if one of the two is not in its normal form', () => {
  const cases = [
    ['/home/project', '/home/project'],
    ['/home/project', '/home/project/src/a.ts'],
    ['/home/project', '/home/project-2'],
    ['/home/project', '/home'],
    ['/', '/home'],
    ['/', '/'],
    ['/home/project', '/home/project/..hidden'],
    ['/home/project', '/home/project/../other'],
    ['/home/project', '/home/./project//src'],
    ['/home/project/', '/home/project/src'],
    ['/home/../etc', '/etc/passwd'],
    ['/home/../etc', '/home/../etc-2'],
  ] as const;
  const found = cases
    .filter(([folder, path]) => isInside(folder, path))
    .map(([folder, path]) => `${path} in ${folder}`);
  expect(found).toEqual([
    '/home/project in /home/project',
    '/home/project/src/a.ts in /home/project',
    '/home in /',
    '/ in /',
    '/home/project/..hidden in /home/project',
    '/home/./project//src in /home/project',
    '/home/project/src in /home/project/',
    '/etc/passwd in /home/../etc',
  ]);
});

test('isInside decides as the path from one to the other does, for every combination of unusual components', () => {
  const parts = ['', '.', '..', 'a', 'ab', '.a', 'a.'];
  const paths = parts.flatMap((one) => parts.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/a`, `${one}/${two}`]));
  const byRelation = (folder: string, path: string): boolean => {
    const way = relative(folder, path);
    return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
  };
  const differing = paths.flatMap((folder) =>
    paths.filter((path) => isInside(folder, path) !== byRelation(folder, path)).map((path) => [folder, path]),
  );
  expect(differing).toEqual([]);
});
