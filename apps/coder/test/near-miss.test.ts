import { expect, test } from 'vitest';
import { explainMiss } from '../src/tools/near-miss.ts';

const text = 'function one() {\n\treturn "a";  \n}\n\nconst Two = it’s();\nconst three = 3;\n';
const missing = 'the old text does not occur.';
const legend = 'Old text (-) and file (+), as JSON strings:';
const advice = 'Copy the text of the file exactly.';

test.each([
  [
    'white space',
    'function one() {\n    return "a";\n}',
    `${missing} Line 1 differs from it only in white space. ${legend}\n` +
      String.raw`  "function one() {"
- "    return \"a\";"
+ "\treturn \"a\";  "
  "}"` +
      `\n${advice}`,
  ],
  [
    'quotation marks',
    "const Two = it's();",
    `${missing} Line 5 differs from it in quotation marks, dashes or the like. ${legend}\n- "const Two = it's();"\n+ "const Two = it’s();"\n${advice}`,
  ],
  [
    'upper and lower case',
    'const two = it’s();\n',
    `${missing} Line 5 differs from it in upper and lower case. ${legend}\n- "const two = it’s();"\n+ "const Two = it’s();"\n${advice}`,
  ],
  [
    'line numbers that came along',
    '5\tconst Two = it’s();\n6\tconst three = 3;',
    `${missing} Line 5 differs from it by line numbers, which are not part of the file. ${legend}\n` +
      String.raw`- "5\tconst Two = it’s();"
+ "const Two = it’s();"
- "6\tconst three = 3;"
+ "const three = 3;"` +
      `\n${advice}`,
  ],
  [
    'backslashes',
    String.raw`return \"a\";`,
    `${missing} Line 2 differs from it by backslashes, which have another meaning in the file. ${legend}\n` +
      String.raw`- "return \\\"a\\\";"
+ "\treturn \"a\";  "` +
      `\n${advice}`,
  ],
  [
    'some of the lines',
    'function one() {\n  return "b";\n}',
    `${missing} The nearest is at line 1. ${legend}\n` +
      String.raw`  "function one() {"
- "  return \"b\";"
+ "\treturn \"a\";  "
  "}"` +
      `\n${advice}`,
  ],
  [
    'some of the words',
    'const three = 4;',
    `${missing} The nearest is at line 6. ${legend}\n- "const three = 4;"\n+ "const three = 3;"\n${advice}`,
  ],
  ['everything', 'nothing like it', `${missing} No line of the file is similar. Read the file again.`],
  ['nothing but space', '\n  \n', 'the old text is white space, which does not occur in this form.'],
])('a text that differs in %s is shown with the existing lines', (_, part, explanation) => {
  expect(explainMiss(text, part)).toBe(explanation);
});

// 4 MiB of equal lines against thousands of them: a search that compares every position with every line would not finish.
test('the error about a large file is short and arrives in time', () => {
  const large = 'if (a) { return  b; }\n'.repeat(190_000);
  const part = `${'if (a) { return b; }\n'.repeat(4000)}and then something else\n`;
  const explanation = explainMiss(large, part);
  expect([explanation.split('\n').length, explanation.length < 5000]).toEqual([27, true]);
  expect(explanation).toMatch(/^the old text does not occur\. The nearest is at line 1\. /);
});
