/** An encoding declared in the file, as in XML, HTML, CSS, Emacs, Vim, Python. */
const declarations: readonly RegExp[] = [
  /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/iu,
  /<meta[^>]*\bcharset\s*=\s*["']?([\w.:-]+)/iu,
  /^@charset\s+"([\w.:-]+)"/iu,
  /^[^\n]*\bcoding[:=]\s*([\w.-]+)/iu,
  /^[^\n]*\n[^\n]*\bcoding[:=]\s*([\w.-]+)/iu,
  /\bvim?:[^\n]*\bfileencoding=([\w.-]+)/iu,
];

const leastConfidence = 50;
const leastForSeveralBytes = 90;

/**
 * Names the encoding of a text that is not UTF-8 and has no byte order mark, if it is certain: the file declares it, or statistics single
 * one out and the decoded text looks like words. No encoding is better than a wrong one, which would damage the text when it is written.
 * @returns a name iconv-lite knows
 */
export async function guessEncoding(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.some(isControl)) return undefined;
  const { default: iconv } = await import('iconv-lite');
  const read = (name: string): string => iconv.decode(Buffer.from(bytes), name);
  const declared = declaredEncoding(bytes);
  if (declared !== undefined) return iconv.encodingExists(declared) && isClean(read(declared)) ? declared : undefined;
  const { default: chardet } = await import('chardet');
  const [best, ...others] = chardet.analyse(bytes).filter(({ name }) => iconv.encodingExists(name));
  if (best === undefined || best.confidence < leastFor(best.name)) return undefined;
  const text = read(best.name);
  const rival = others.find(({ name, confidence }) => confidence * 2 > best.confidence && read(name) !== text);
  return rival === undefined && isClean(text) && looksLikeWords(text) ? best.name : undefined;
}

function leastFor(name: string): number {
  return /^(?:ISO-8859|windows|KOI8)/u.test(name) ? leastConfidence : leastForSeveralBytes;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const tail = Buffer.from(bytes.subarray(-256)).toString('latin1');
  return declarations.map((each) => (each.exec(head) ?? each.exec(tail))?.[1]).find((name) => name !== undefined);
}

// Tab, line feed, form feed, carriage return and escape occur in texts.
function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) || byte === 0x7f;
}

function isClean(text: string): boolean {
  return !/[\u0080-\u009F\uFFFD]/u.test(text);
}

// A wrong guess results in accents and signs in the middle of words.
function looksLikeWords(text: string): boolean {
  return !/[^\0-\u007F\p{L}\p{M}\u3000-\u303F\uFF00-\uFFEF«»°§©®±µ·£€™•…–—‘’“”„‚]/u.test(text);
}
