/* oxlint-disable no-control-regex -- escape sequences are looked for */
import { PassThrough } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { explain } from '../src/failure.ts';
import { TextView } from '../src/output/text-view.ts';
import { LiveScreen } from '../src/interactive/live-screen.ts';
import { frame } from '../src/terminal/frame.ts';
import { Output } from '../src/terminal/output.ts';
import { coloured } from '../src/terminal/paint.ts';

type Stream = ReturnType<ConstructorParameters<typeof Output>[0]>;

/** What an output writes to a pipe, or to a terminal with or without colours. */
function written(use: (output: Output) => void, terminal?: { readonly hasColors: boolean }): string {
  const stream = Object.assign(new PassThrough(), {
    ...(terminal && { isTTY: true, columns: 80, rows: 24, hasColors: () => terminal.hasColors }),
  });
  use(new Output(() => stream as unknown as Stream));
  return String(stream.read() ?? '');
}

const evil = 'a\u001b]52;c;aGk=\u0007\u001b[2J\u001b[8mb\u009b1A\u202ec\u200b\rd';
const inColours = { hasColors: true };

describe('output without control sequences', () => {
  test('text output keeps our styles on a colour terminal and no other control sequence', () => {
    const print = (output: Output): void => output.print(`${coloured('red', evil)} ${coloured('bold', 'x')}\n`);
    expect([written(print, inColours), written(print, { hasColors: false }), written(print)]).toEqual([
      '\u001b[31mabcd\u001b[39m \u001b[1mx\u001b[22m\n',
      'abcd x\n',
      'abcd x\n',
    ]);
  });

  test('JSON output stays the same JSON without control characters', () => {
    const value = { evil };
    const line = written((output) => output.printJson(JSON.stringify(value)), inColours);
    expect([JSON.parse(line), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/.test(line)]).toEqual([
      value,
      false,
    ]);
  });

  test('exact output writes every byte into a pipe and escapes control characters on a terminal', () => {
    const print = (output: Output): void => output.printExactly(`${evil}\n`);
    expect([written(print), written(print, inColours)]).toEqual([
      `${evil}\n`,
      'a\\x1b]52;c;aGk=\\x07\\x1b[2J\\x1b[8mb\\x9b1A<U+202E>c<U+200B>\\x0dd\n',
    ]);
  });

  test('a text in a drawn frame is part of one line', () => {
    const line = `${evil}\nnext ${coloured('green', 'x')}`;
    expect(written((output) => output.draw(frame`\u001b[2;${1}H${[line, frame`\r\n`]}`), inColours)).toBe(
      '\u001b[2;1Habcd next \u001b[32mx\u001b[39m\r\n',
    );
  });

  test('the live screen prints no control characters in committed and live lines', () => {
    const { text } = new LiveScreen({ columns: 80, rows: 24 }).draw([evil], { lines: [evil, `${evil}\n${evil}`] });
    const ours = text.replaceAll(/\u001b\[(?:\?(?:25|7|2026)[hl]|[0-9]*[ABCKJ])|\r\n|\r/g, '|');
    expect([ours.match(/abcd/g)?.length, /[\u0000-\u001f\u007f-\u009f\u202e\u200b]/.test(ours)]).toEqual([4, false]);
  });
});

test('an error of an agent is printed without control sequences', () => {
  expect(explain(new TurnwireError('invalid-response', `it gave the cursor ${evil} twice`))).toBe(
    'it gave the cursor abcd twice',
  );
});

test('blank lines at the end of a message are printed only if the message continues', () => {
  let printed = '';
  const view = new TextView({ write: (text) => (printed += text), paint: (_, text) => text, detailed: false });
  const say = (messageId: string, text: string): void =>
    view.update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }, undefined);
  for (const text of ['one\n', '\n', 'two', '\n\n']) say('a', text);
  say('b', 'three\n\n\n');
  view.end([]);
  expect(printed).toBe('one\n\ntwo\nthree\n');
});

test('printing a message takes a time in proportion to its length, also with three hundred thousand blank lines', () => {
  let printed = '';
  const view = new TextView({ write: (text) => (printed += text), paint: (_, text) => text, detailed: false });
  const text = `one${'\n'.repeat(300_000)}two`;
  view.update({ sessionUpdate: 'agent_message_chunk', messageId: 'a', content: { type: 'text', text } }, undefined);
  view.end([]);
  expect(printed === `${text}\n`).toBe(true);
});
