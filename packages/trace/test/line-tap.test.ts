import { expect, test } from 'vitest';
import { LineTap } from '../src/node/line-tap.ts';

function linesIn(...chunks: readonly Buffer[]): readonly unknown[] {
  const lines: unknown[] = [];
  const tap = new LineTap((text, flaw) => lines.push(flaw === undefined ? text : [text, flaw]));
  for (const chunk of chunks) {
    tap.take(chunk);
    // The owner of the buffer writes into it again.
    chunk.fill(0x21);
  }
  tap.end();
  return lines;
}

const bytes = Buffer.from('{"a":"ä€🙂"}\r\n\n[1]\nrest', 'utf8');

test('lines are reported wherever the bytes are cut', () => {
  const whole = ['{"a":"ä€🙂"}\r', '', '[1]', ['rest', 'cut off']];
  for (let at = 0; at <= bytes.length; at++)
    expect(linesIn(Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at)))).toEqual(whole);
});

test('a line that is not UTF-8 is reported with its flaw', () => {
  expect(linesIn(Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a]))).toEqual([['a\ufffd', 'not UTF-8'], 'b']);
});

test('a line that is too long is reported by its beginning, and the next line is complete', () => {
  const long = Buffer.alloc(65 * 2 ** 20, 0x61);
  expect(linesIn(long, Buffer.from('\nnext\n'))).toEqual([['a'.repeat(1000), 'oversize'], 'next']);
});
