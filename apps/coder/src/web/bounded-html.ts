import { Parser } from 'htmlparser2';

/** How much of a page is read. */
const limits = { page: 2 * 1024 * 1024, depth: 32, openElements: 1_000, elements: 30_000, characters: 1024 * 1024 };

const step = 16_384;

/** The readable part of a page, well-formed, and neither deep nor long. */
export interface BoundedHtml {
  readonly html: string;
  readonly title: string;
  readonly isCut: boolean;
}

/** Elements without text for a reader. */
const hidden = new Set(
  'script style noscript template svg math canvas iframe object embed audio video map dialog select datalist textarea'.split(
    ' ',
  ),
);
/** Elements with a meaning for the text; others are ignored, except for their content. */
const kept = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code a img strong b em i del s table thead tbody tfoot tr th td div section article main header footer nav aside figure figcaption details summary caption sup sub kbd'.split(
    ' ',
  ),
);
const empty = new Set(['br', 'hr', 'img']);
const attributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  code: ['class'],
};
/** Data URLs and scripts carry no information for a reader. */
const dataUrl = /^\s*(?:data|javascript|blob):/i;

/**
 * Cleans a page by its tags alone, in one pass, before a tree is built: parsers that repair trees, as browsers do, can be
 * made to multiply a page.
 * @param base the base of relative addresses
 */
export function boundedHtml(page: string, base: URL): BoundedHtml {
  const writer = new HtmlWriter(base);
  const parser = new Parser(
    {
      onopentag: (name, attribs) => writer.open(name, attribs),
      ontext: (text) => writer.text(text),
      onclosetag: (name) => writer.close(name),
    },
    { decodeEntities: true },
  );
  const end = Math.min(page.length, limits.page);
  for (let start = 0; start < end && !writer.isFull; start += step)
    parser.write(page.slice(start, Math.min(end, start + step)));
  if (!writer.isFull) parser.end();
  return writer.finish(page.length > end);
}

class HtmlWriter {
  readonly #base: URL;
  readonly #out: string[] = [];
  /** The open elements: their names, or undefined for ignored ones. */
  readonly #open: (string | undefined)[] = [];
  #written = 0;
  #size = 0;
  #elements = 0;
  #hidden = 0;
  #title = '';
  #isInTitle = false;
  #preformatted = 0;
  #isTooDeep = false;

  constructor(base: URL) {
    this.#base = base;
  }

  get isFull(): boolean {
    return this.#size > limits.characters || this.#elements > limits.elements || this.#isTooDeep;
  }

  open(name: string, attribs: Readonly<Record<string, string>>): void {
    if (name === 'title' && this.#hidden === 0 && this.#title === '') this.#isInTitle = true;
    if (hidden.has(name)) this.#hidden++;
    const isWritten = this.#isWanted(name);
    if (isWritten) this.#writeTag(name, attribs);
    this.#open.push(isWritten && !empty.has(name) ? this.#opened(name) : undefined);
    this.#isTooDeep ||= this.#open.length > limits.openElements;
  }

  text(text: string): void {
    if (this.#isInTitle) this.#title += text;
    else if (this.#hidden === 0 && !this.isFull) this.#write(escapeText(this.#shown(text)));
  }

  /** Closes open elements in order, even if the page does not. */
  close(name: string): void {
    if (name === 'title') this.#isInTitle = false;
    if (hidden.has(name) && this.#hidden > 0) this.#hidden--;
    const written = this.#open.pop();
    if (written === undefined) return;
    this.#written--;
    if (written === 'pre') this.#preformatted--;
    this.#out.push(`</${written}>`);
  }

  finish(isLonger: boolean): BoundedHtml {
    const isCut = this.isFull || isLonger;
    while (this.#open.length > 0) this.close('');
    return { html: this.#out.join(''), title: this.#title.replaceAll(/\s+/g, ' ').trim().slice(0, 300), isCut };
  }

  #isWanted(name: string): boolean {
    const isShown = this.#hidden === 0 && kept.has(name) && !this.isFull;
    return isShown && (empty.has(name) || this.#written < limits.depth);
  }

  #opened(name: string): string {
    this.#written++;
    if (name === 'pre') this.#preformatted++;
    return name;
  }

  #writeTag(name: string, attribs: Readonly<Record<string, string>>): void {
    this.#elements++;
    const own = (attributes[name] ?? []).flatMap((key) => {
      const value = attribs[key]?.slice(0, 2_048);
      return value === undefined ? [] : [` ${key}="${escapeText(this.#resolved(key, value))}"`];
    });
    this.#write(`<${name}${own.join('')}>`);
  }

  #shown(text: string): string {
    const cut = text.slice(0, limits.characters);
    return this.#preformatted > 0 ? cut : cut.replaceAll(/[ \t\r\n\f]+/g, ' ');
  }

  #resolved(key: string, value: string): string {
    if (key !== 'href' && key !== 'src') return value;
    if (dataUrl.test(value)) return '';
    return URL.canParse(value, this.#base.href) ? new URL(value, this.#base).href : value;
  }

  #write(text: string): void {
    this.#size += text.length;
    this.#out.push(text);
  }
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
