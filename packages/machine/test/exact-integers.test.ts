import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restored, sheltered, withExactIntegers, withMarkedIntegers } from '../src/index.ts';

const row = '1915883588174806058';

test('JSON with integers above 2^53 is the same after parsing and writing, with any text in its strings', () => {
  const exact = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String);
  const text = fc.oneof(fc.string(), fc.constantFrom(row, `"${row}`, '\\', '\\"')).map((each) => JSON.stringify(each));
  const value = fc.oneof(exact, text, fc.constantFrom('true', 'null', '1.5', '[]'));
  const json = fc.array(fc.tuple(text, value)).map((members) => {
    const unique = new Map(members.filter(([name]) => !/^"\d+"$/.test(name) && name !== '"__proto__"'));
    return `{${[...unique].map(([name, each]) => `${name}:${each}`).join(',')}}`;
  });
  fc.assert(
    fc.property(json, (given) => {
      expect(restored(JSON.stringify(JSON.parse(sheltered(given))))).toBe(given);
      const revived = withMarkedIntegers(withExactIntegers(JSON.parse(sheltered(given))));
      expect(restored(JSON.stringify(revived))).toBe(given);
    }),
  );
});

test('JSON without such integers, and text that is not JSON, stay unchanged', () => {
  const texts = ['{"at":1732738274123456,"price":0.30000000000000004}', `"${row}`, 'no JSON 1234567890123456'];
  expect(texts.map((text) => sheltered(text))).toEqual(texts);
});

test("an exact integer becomes a string of its digits in other code's JSON", () => {
  expect(JSON.stringify(withExactIntegers(JSON.parse(sheltered(`{"row":${row}}`))))).toBe(`{"row":"${row}"}`);
});

test.each([1_000, 1_001, 10_000_000])('an integer of %i digits in a frame does not end the process', (digits) => {
  const frame = `{"id":1,"small":[12345678901234567890],"long":${'9'.repeat(digits)}}`;
  expect(restored(sheltered(frame)) === frame).toBe(true);
});

test('a number of millions of digits and signs passes unchanged', () => {
  // The integer makes the search run over the frame.
  const frame = `[12345678901234567890,${'1e+'.repeat(3_000_000)}1]`;
  expect(restored(sheltered(frame)) === frame).toBe(true);
});
