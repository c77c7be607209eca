/** A host in readable form: each label that starts with `xn--` is decoded. Invalid labels stay unchanged. */
export function unicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decoded(label.slice(4)) ?? label) : label))
    .join('.');
}

const base = 36;
const [lowest, highest] = [1, 26];

/** Decodes Punycode (RFC 3492, section 6.2). Undefined if it is invalid. */
function decoded(text: string): string | undefined {
  const plain = Math.max(0, text.lastIndexOf('-'));
  const points = Array.from(text.slice(0, plain), (letter) => letter.charCodeAt(0));
  if (text === '') return undefined;
  let [code, position, bias] = [128, 0, 72];
  for (let at = plain > 0 ? plain + 1 : 0; at < text.length;) {
    const before = position;
    for (let weight = 1, step = base; ; step += base) {
      const digit = Number.parseInt(text[at++] ?? '', base);
      if (Number.isNaN(digit)) return undefined;
      // Letters are 0 to 25 and digits 26 to 35 here, in contrast to hexadecimal and similar numbers.
      const value = digit < 10 ? digit + 26 : digit - 10;
      position += value * weight;
      const threshold = Math.min(highest, Math.max(lowest, step - bias));
      if (value < threshold) break;
      weight *= base - threshold;
    }
    const count = points.length + 1;
    bias = adapted(position - before, count, before === 0);
    code += Math.floor(position / count);
    position %= count;
    if (code > 0x10ffff) return undefined;
    points.splice(position++, 0, code);
  }
  return String.fromCodePoint(...points);
}

/** The bias for the next digit (RFC 3492, section 6.1). */
function adapted(difference: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(difference / (isFirst ? 700 : 2));
  rest += Math.floor(rest / count);
  let steps = 0;
  for (; rest > ((base - lowest) * highest) / 2; steps += base) rest = Math.floor(rest / (base - lowest));
  return steps + Math.floor(((base - lowest + 1) * rest) / (rest + 38));
}
