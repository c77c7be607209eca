import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readOwnFile, readProjectFile } from '../src/read-file.ts';

let top: string;
let project: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'read-file-')));
  project = join(top, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'deep/er'), { recursive: true });
  writeFileSync(join(project, 'plain.json'), 'plain');
  writeFileSync(join(top, 'outside.json'), 'outside');
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

function read(name: string, limit?: number): string | undefined {
  return readProjectFile(join(project, name), { project, limit });
}

function link(target: string, name = 'link'): void {
  symlinkSync(target, join(project, name));
}

test('a regular file is read, and a missing file is undefined', () => {
  expect([read('plain.json'), read('nothing'), read('plain.json/x')]).toEqual(['plain', undefined, undefined]);
});

test('a file at the size limit is read, and one byte more is refused', () => {
  expect(read('plain.json', 5)).toBe('plain');
  expect(() => read('plain.json', 4)).toThrow(
    `${project}/plain.json cannot be read: it is longer than the 4 bytes such a file may have.`,
  );
});

describe('links', () => {
  test.each([
    ['next to it', 'plain.json', 'link'],
    ['up and down again', '../plain.json', 'deep/link'],
    ['to the repository around the folder', '../../plain.json', 'deep/er/link'],
    ['through a folder that is a link', 'deep', 'folder'],
  ])('are followed within the project: %s', (_what, target, name) => {
    link(target, name);
    writeFileSync(join(project, 'deep/plain.json'), 'plain');
    const path = join(project, name === 'folder' ? 'folder/plain.json' : name);
    expect(readProjectFile(path, { project: join(project, 'deep/er') })).toBe('plain');
  });

  test('are followed if they name the project by its whole path, resolved or not', () => {
    symlinkSync(project, join(top, 'alias'));
    link(join(project, 'plain.json'), 'real');
    link(join(top, 'alias/plain.json'), 'alias');
    const by = join(top, 'alias');
    expect(['real', 'alias'].map((name) => readProjectFile(join(by, name), { project: by }))).toEqual([
      'plain',
      'plain',
    ]);
  });

  test.each([
    ['up', '../outside.json'],
    ['by a detour', 'deep/../../outside.json'],
    ['to the top', '/etc/hostname'],
    ['to a device', '/dev/zero'],
    ['to what is not there', '../nothing'],
  ])('do not lead out of the project: %s', (_what, target) => {
    link(target);
    expect(() => read('link')).toThrow(`${project}/link cannot be read: a symbolic link leads out of ${project}.`);
  });

  test('to folders do not lead out either', () => {
    link('..', 'folder');
    expect(() => read('folder/outside.json')).toThrow(`a symbolic link leads out of ${project}.`);
  });

  test('that are dangling count as missing files, and circular ones are reported', () => {
    link('nothing', 'dangling');
    link('loop', 'loop');
    expect(read('dangling')).toBeUndefined();
    expect(() => read('loop')).toThrow('it goes through too many symbolic links');
  });

  test("of the user's own files may lead anywhere, but not to a device", () => {
    link('../outside.json');
    link('/dev/zero', 'zero');
    expect(readOwnFile(join(project, 'link'))).toBe('outside');
    expect(() => readOwnFile(join(project, 'zero'))).toThrow('it is a device, and only regular files are read.');
  });
});

test('a pipe and a folder are refused at once, with the reason', () => {
  execFileSync('mkfifo', [join(project, 'pipe')]);
  expect(() => read('pipe')).toThrow(
    `${project}/pipe cannot be read: it is a named pipe, and only regular files are read.`,
  );
  expect(() => read('deep')).toThrow('it is a folder, and only regular files are read.');
});

test.runIf(process.platform === 'linux')('a file that reports a length of zero is read up to the limit', () => {
  expect(() => readOwnFile('/proc/self/smaps', { limit: 100 })).toThrow('it is longer than the 100 bytes');
});
