import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../src/lines/line-splitter.ts';
import { cut, receive, receiveSlowly } from './receive.ts';
import { randomRuns } from '../../../tools/random-runs.ts';

const end = { end: null };
const decode = (bytes: Uint8Array, start: number, stop: number): string =>
  Buffer.from(bytes).toString('utf8', start, stop);

describe('framing', () => {
  test('decodes a character that is split at any byte', async () => {
    const frames = ['{"text":"aé世🧑‍💻\u2028"}', '{"next":"ü"}'];
    const bytes = Buffer.from(`${frames.join('\n')}\n`);
    const expected = [...frames.map((frame) => ({ frame })), end];
    for (let position = 0; position <= bytes.length; position += 1) {
      expect(await receive(cut(bytes, [position]))).toEqual(expected);
    }
    expect(await receive([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('strips CRLF, blank lines, whitespace around a frame and a byte order mark', async () => {
    const text = '\uFEFF{"a":1}\r\n\n\r\n   \t{"b":2}  \r\n \n{"c":3}\n';
    expect(await receive([text])).toEqual([{ frame: '{"a":1}' }, { frame: '{"b":2}' }, { frame: '{"c":3}' }, end]);
    expect(await receive([...Buffer.from(text)].map((byte) => Buffer.from([byte])))).toEqual([
      { frame: '{"a":1}' },
      { frame: '{"b":2}' },
      { frame: '{"c":3}' },
      end,
    ]);
  });

  test('replaces bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}\n{"b":1}\n')]);
    expect(await receive([bytes])).toEqual([{ frame: '{"a":"\uFFFD\uFFFD"}' }, { frame: '{"b":1}' }, end]);
  });

  test('accepts a stream that decodes text itself', async () => {
    expect(await receive([Buffer.from('{"a":"é"}\n').toString('utf8')])).toEqual([{ frame: '{"a":"é"}' }, end]);
  });

  test('passes JSON nested 100,000 deep as plain text', async () => {
    const frame = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await receive([`${frame}\n`])).toEqual([{ frame }, end]);
  });

  // The units `binary` and `grapheme` of the library first list a million of them, which takes longer than all runs.
  const character = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const grapheme = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom('é', 'e\u0301', '漢', '👩‍👩‍👧', '🇨🇭', '\u2028', 'ऩ\u093f'),
  );

  test('receives the same frames wherever the chunks are cut', async () => {
    const line = fc.oneof(
      fc.string({ unit: grapheme }).map((text) => JSON.stringify({ text })),
      fc.constantFrom('', ' ', '\r', '[]', '\t{} \r', '\uFEFF{}', '[INFO] ready', 'null'),
      fc.string({ unit: character }).map((text) => text.replaceAll('\n', '')),
    );
    const stream = fc.tuple(fc.array(fc.oneof(line, fc.uint8Array({ maxLength: 60 }))), fc.constantFrom('', '\n'));
    const limits = fc.record({
      maxFrameBytes: fc.constantFrom(1, 7, 40, 1_000_000),
      noise: fc.constantFrom('deliver' as const, 'report' as const),
    });
    const property = fc.asyncProperty(stream, fc.array(fc.nat(2000)), limits, async ([lines, last], cuts, limit) => {
      const bytes = Buffer.concat(lines.flatMap((each, index) => [index === 0 ? '' : '\n', each].map(toBytes)));
      const whole = Buffer.concat([bytes, Buffer.from(last)]);
      const chunks = cut(
        whole,
        cuts.map((position) => position % (whole.length + 1)),
      );
      const expected = await receive([whole], limit);
      expect(await receive(chunks, limit)).toEqual(expected);
      expect(
        await receiveSlowly(chunks, (text) => (text.length % 2 === 0 ? Promise.resolve() : undefined), limit),
      ).toEqual(expected);
    });
    await fc.assert(property, { numRuns: randomRuns({ usual: 75, whole: 300 }) });
  });

  test('receives every frame unchanged, however the chunks are cut', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.json({ depthSize: 'medium' }).map((text) => `{"value":${text}}`)),
      fc.array(fc.nat(5000)),
      async (frames, cuts) => {
        const bytes = Buffer.from(frames.map((frame) => `${frame}\n`).join(''));
        const chunks = cut(
          bytes,
          cuts.map((position) => position % (bytes.length + 1)),
        );
        expect(await receive(chunks, { noise: 'report' })).toEqual([...frames.map((frame) => ({ frame })), end]);
      },
    );
    await fc.assert(property, { numRuns: randomRuns({ usual: 50, whole: 200 }) });
  });
});

describe('noise', () => {
  const noisy = 'Starting up…\n{"a":1}\n[INFO] [ready] {"b":0}\n{"b":2}\nbye\n';

  test('between frames is reported to receivers with the noise policy `report`', async () => {
    expect(await receive([noisy], { noise: 'report' })).toEqual([
      { warning: { kind: 'noise', bytes: 14, excerpt: 'Starting up…' } },
      { frame: '{"a":1}' },
      { warning: { kind: 'noise', bytes: 22, excerpt: '[INFO] [ready] {"b":0}' } },
      { frame: '{"b":2}' },
      { warning: { kind: 'noise', bytes: 3, excerpt: 'bye' } },
      end,
    ]);
  });

  test('is delivered to receivers with the noise policy `deliver`', async () => {
    const frames = noisy.trimEnd().split('\n');
    expect(await receive([noisy])).toEqual([...frames.map((frame) => ({ frame })), end]);
  });

  test('of any length is reported with its first characters only', async () => {
    expect(await receive([`${'é'.repeat(1000)}\n`], { noise: 'report' })).toEqual([
      { warning: { kind: 'noise', bytes: 2000, excerpt: 'é'.repeat(80) } },
      end,
    ]);
  });

  test('does not include an array of objects, which is a frame for the peer to refuse', async () => {
    const frames = ['[]', '[{"id":1}]', '[ {"id":1}, {"id":2} ]'];
    expect(await receive([`${frames.join('\n')}\n`], { noise: 'report' })).toEqual([
      ...frames.map((frame) => ({ frame })),
      end,
    ]);
  });
});

describe('the end of the stream', () => {
  test('completes a last frame without its newline', async () => {
    for (const tail of ['', ' ', '\r']) {
      expect(await receive([`{"a":1}\n{"b":`, `2}${tail}`])).toEqual([{ frame: '{"a":1}' }, { frame: '{"b":2}' }, end]);
    }
  });

  test('follows the promise for the last frame', async () => {
    let settled = false;
    const received = await receiveSlowly(['{"a":1}'], async () => {
      await new Promise((resolve) => setImmediate(resolve));
      settled = true;
    });
    expect({ settled, received }).toEqual({ settled: true, received: [{ frame: '{"a":1}' }, end] });
  });

  test('in the middle of a frame is reported as truncated', async () => {
    expect(await receive(['{"a":1}\n{"b":"é', '…'], { noise: 'report' })).toEqual([
      { frame: '{"a":1}' },
      { warning: { kind: 'truncated', bytes: 11, excerpt: '{"b":"é…' } },
      end,
    ]);
  });

  test('in the middle of noise is reported as noise to receivers with the noise policy `report`', async () => {
    expect(await receive(['Segmentation fault'], { noise: 'report' })).toEqual([
      { warning: { kind: 'noise', bytes: 18, excerpt: 'Segmentation fault' } },
      end,
    ]);
    expect(await receive(['Segmentation fault'])).toEqual([
      { warning: { kind: 'truncated', bytes: 18, excerpt: 'Segmentation fault' } },
      end,
    ]);
  });

  test('in the middle of a line that is too long is reported as oversize, once', async () => {
    expect(await receive(['{"a":1', '23456', '7890'], { maxFrameBytes: 8 })).toEqual([
      { warning: { kind: 'oversize', bytes: 15, excerpt: '{"a":1234567890' } },
      end,
    ]);
  });
});

describe('a line that is too long', () => {
  test('is skipped to its newline and reported once with its length, and the next frame is received', async () => {
    const line = `{"a":"${'x'.repeat(200)}"}`;
    const expected = [
      { frame: '{"before":1}' },
      { warning: { kind: 'oversize', bytes: 208, excerpt: line.slice(0, 80) } },
      { frame: '{"after":1}' },
      end,
    ];
    const text = `{"before":1}\n${line}\n{"after":1}\n`;
    expect(await receive([text], { maxFrameBytes: 100 })).toEqual(expected);
    expect(await receive([text.slice(0, 150), text.slice(150)], { maxFrameBytes: 100 })).toEqual(expected);
  });

  test('exceeds the limit by one byte', async () => {
    expect(await receive(['{"a":1}\n{"a":12}\n{"b":2}\n'], { maxFrameBytes: 7 })).toEqual([
      { frame: '{"a":1}' },
      { warning: { kind: 'oversize', bytes: 8, excerpt: '{"a":12}' } },
      { frame: '{"b":2}' },
      end,
    ]);
  });

  test('of 100 MB is never held in memory', () => {
    const warnings: unknown[] = [];
    const limit = 1024 * 1024;
    const splitter = new LineSplitter(limit, decode, (report) => warnings.push(report));
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const lines: (string | undefined)[] = [];
    let most = 0;
    for (let index = 0; index < 1600; index += 1) {
      splitter.feed(chunk);
      lines.push(splitter.next());
      most = Math.max(most, splitter.retainedBytes);
    }
    const held = splitter.retainedBytes;
    splitter.feed(Buffer.from('\n{"next":1}\n'));
    lines.push(splitter.next(), splitter.next());
    expect({ most, held, warnings, lines: lines.filter((line) => line !== undefined) }).toEqual({
      most: limit,
      held: 0,
      warnings: [{ kind: 'oversize', bytes: 1600 * 64 * 1024, excerpt: 'x'.repeat(80) }],
      lines: ['{"next":1}'],
    });
  });

  test('has a limit of at least one byte', async () => {
    await expect(receive([], { maxFrameBytes: 0 })).rejects.toThrow(
      new RangeError('maxFrameBytes is 0; it must be at least 1'),
    );
    await expect(receive([], { maxFrameBytes: Number.NaN })).rejects.toThrow(RangeError);
  });
});

describe('a long line', () => {
  test('that arrives byte by byte is joined', () => {
    const frame = `{"text":"${'é'.repeat(100_000)}"}`;
    const splitter = new LineSplitter(1024 * 1024, decode, () => undefined);
    const lines: (string | undefined)[] = [];
    for (const byte of Buffer.from(`${frame}\n`)) {
      splitter.feed(Buffer.from([byte]));
      lines.push(splitter.next());
    }
    expect(lines.filter((line) => line !== undefined)).toEqual([frame]);
  });
});

function toBytes(data: string | Uint8Array): Buffer {
  return typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);
}
