import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineWindow } from '../../src/node/files/line-window.ts';

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

const text = fc
  .array(fc.constantFrom('a', '€', '\r', '\n', '\n\n', '😀', '\uFEFF'), { maxLength: 40 })
  .map((each) => each.join(''));

test('the window contains the requested lines, for any chunks', () => {
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 12 }),
      fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(Infinity)),
      (whole, first, count) => {
        fc.pre(whole !== undefined);
        const bytes = Buffer.from(whole);
        for (const size of [1, 3, 7, 1000]) {
          const window = new LineWindow({ first, count });
          for (let start = 0; start < bytes.length; start += size) window.add(bytes.subarray(start, start + size));
          expect(Buffer.from(window.bytes()).toString()).toBe(
            linesOf(whole)
              .slice(first - 1, first - 1 + count)
              .join(''),
          );
        }
      },
    ),
  );
});

test('the window requests no data after its last line', () => {
  const window = new LineWindow({ first: 2, count: 1 });
  const wanted = ['a', '\nb', 'c\nd'].map((piece) => {
    const before = window.wantsMore;
    window.add(Buffer.from(piece));
    return before;
  });
  expect([wanted, window.wantsMore, window.size]).toEqual([[true, true, true], false, 3]);
});
