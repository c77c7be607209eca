import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imagesNamedBy } from '../../src/interactive/attachments.ts';

const shot = 'Screenshot 2026-01-02 at 3.04.05\u202fPM.png';
const names = [shot, 'Cafe\u0301.png', 'plain.jpg', 'it’s "two".png', 'same\u00a0name.gif', 'same\u202fname.gif'];

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-attachments-')));
  await mkdir(join(folder, 'pic\u202ftures'));
  for (const name of names) await writeFile(join(folder, name), 'x');
  await writeFile(join(folder, 'pic\u202ftures', 'a.png'), 'x');
  await writeFile(join(folder, 'notes.txt'), 'x');
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const found = (text: string): readonly string[] =>
  imagesNamedBy(text.replaceAll('FOLDER', folder), folder).map((path) => path.slice(folder.length + 1));

describe('images in a dropped text', () => {
  test.each([
    ['by a path with blanks', 'plain.jpg', ['plain.jpg']],
    ['by a name whose narrow blank was folded', `FOLDER/${shot.replace('\u202f', '\\ ')}`, [shot]],
    ['by the same name with every blank escaped', `FOLDER/${shot.replaceAll(/[ \u202f]/g, '\\ ')}`, [shot]],
    ['by a composed name of a file that is decomposed', "'FOLDER/Caf\u00e9.png'", ['Cafe\u0301.png']],
    ['in a folder whose name was folded', 'FOLDER/pic\\ tures/a.png', ['pic\u202ftures/a.png']],
    ['several at once', 'FOLDER/plain.jpg FOLDER/pic\\ tures/a.png', ['plain.jpg', 'pic\u202ftures/a.png']],
    ['several in quotes', "'FOLDER/plain.jpg' 'FOLDER/Café.png'", ['plain.jpg', 'Cafe\u0301.png']],
    ['several, one on each line', 'FOLDER/plain.jpg\nFOLDER/Café.png\n', ['plain.jpg', 'Cafe\u0301.png']],
    ['with a quotation mark and an apostrophe', 'FOLDER/it’s\\ \\"two\\".png', ['it’s "two".png']],
    ['none, if two files have such a name', 'FOLDER/same name.gif', []],
    ['none, if one is missing', 'FOLDER/plain.jpg FOLDER/missing.png', []],
    ['none, if one is no image', 'FOLDER/plain.jpg FOLDER/notes.txt', []],
    ['none in a sentence', 'compare plain.jpg with Café.png', []],
  ])('images are found in a dropped text: %s', (_, text, expected) => expect(found(text)).toEqual(expected));

  test('images are found by file URLs', () => {
    const urls = ['plain.jpg', shot].map((name) => pathToFileURL(join(folder, name)).href);
    expect(found(urls.join('\r\n'))).toEqual(['plain.jpg', shot]);
  });
});
