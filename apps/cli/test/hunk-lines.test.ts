import { expect, test } from 'vitest';
import { hunkLines } from '../src/terminal/hunk-lines.ts';

const paint = (style: string, text: string): string => `<${style} ${text}>`;

test('the words that changed within a line are marked, and other lines are not', () => {
  const lines = [' const a = 1;', '-const size = 10;', '-gone', '+const length = 10;', '+', ' end'];
  expect(hunkLines(lines, paint)).toEqual([
    ' const a = 1;',
    '<red -><red const ><inverse <red size>><red  = 10;>',
    '<red -gone>',
    '<green +><green const ><inverse <green length>><green  = 10;>',
    '<green +>',
    ' end',
  ]);
});
