import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Key } from './key.ts';
import { codedKeyOf, decodable } from './keyboard-protocol.ts';
import { type TerminalReply, TerminalReplies } from './terminal-replies.ts';

/** Receives keys and pasted texts. */
export interface KeyListener {
  key(key: Key): void;
  paste(text: string): void;
  /** Called when the terminal gets or loses the focus. */
  focus?(hasFocus: boolean): void;
  /** Called with a reply of the terminal. */
  replied?(reply: TerminalReply): void;
}

const pasteBegin = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** How long the rest of a sequence may take to arrive, in milliseconds. ssh may split sequences. */
const escapeCodeTimeout = 50;
const focusIn = '\u001b[I';
const focusOut = '\u001b[O';

/**
 * Whether a text is a paste from a terminal that does not mark pastes: several lines at once. As keys, each line would be sent separately,
 * and a line with `!` would run.
 */
function isUnmarkedPaste(text: string): boolean {
  const hasOtherControls = /[^\P{Cc}\t\r\n]/u.test(text);
  // Enter and the next key may arrive together on a busy machine.
  return !hasOtherControls && /[^\r\n][\r\n]+[^\r\n]/.test(text);
}

/** Reads the input of a terminal in raw mode: keys with Node's decoder, and pastes as a whole. */
export class KeyReader {
  readonly #listener: KeyListener;
  readonly #decoder = new StringDecoder('utf8');
  // Node's key decoder needs a stream. This one is never read.
  readonly #source = new Readable({ read: () => undefined });
  readonly #replies: TerminalReplies;
  #held = '';
  #pasted: string[] | undefined;

  constructor(listener: KeyListener) {
    this.#listener = listener;
    this.#replies = new TerminalReplies((reply) => listener.replied?.(reply));
    emitKeypressEvents(this.#source, { escapeCodeTimeout } as unknown as Interface);
    this.#source.on('keypress', (text: string | undefined, key: NodeKey) => this.#pressed(text, key));
  }

  /** Decodes a piece of input. */
  push(bytes: Buffer): void {
    let rest = this.#held + this.#decoder.write(bytes);
    this.#held = '';
    while (rest !== '') rest = this.#pasted ? this.#inPaste(rest, this.#pasted) : this.#outside(rest);
  }

  #pressed(text: string | undefined, key: NodeKey): void {
    if (key.sequence === focusIn || key.sequence === focusOut) this.#listener.focus?.(key.sequence === focusIn);
    else {
      // Esc twice in a short time is one key to Node.
      if (key.sequence === '\u001b\u001b') this.#listener.key({ chord: 'escape', text: '' });
      this.#listener.key(keyFrom(text, key));
    }
  }

  #outside(text: string): string {
    const begin = text.indexOf(pasteBegin);
    const end = begin === -1 ? text.length - begunLength(text, pasteBegin) : begin;
    const { text: keys, held } = decodable(this.#replies.without(text.slice(0, end)));
    if (isUnmarkedPaste(keys)) this.#listener.paste(keys.replaceAll(/\r\n?/g, '\n'));
    else if (keys !== '') this.#source.emit('data', Buffer.from(keys));
    if (begin === -1) return this.#hold(held + text.slice(end));
    this.#pasted = [];
    return text.slice(begin + pasteBegin.length);
  }

  #inPaste(text: string, pasted: string[]): string {
    const end = text.indexOf(pasteEnd);
    if (end === -1) {
      const kept = text.length - begunLength(text, pasteEnd);
      pasted.push(text.slice(0, kept));
      return this.#hold(text.slice(kept));
    }
    this.#pasted = undefined;
    this.#listener.paste([...pasted, text.slice(0, end)].join('').replaceAll(/\r\n?/g, '\n'));
    return text.slice(end + pasteEnd.length);
  }

  #hold(text: string): string {
    this.#held = text;
    return '';
  }
}

/** The length of the end of a text that may start a marker. Fewer characters than `ESC [ 2` are a key, which must not wait. */
function begunLength(text: string, marker: string): number {
  for (let length = marker.length - 1; length >= 3; length--) if (text.endsWith(marker.slice(0, length))) return length;
  return 0;
}

function keyFrom(text: string | undefined, key: NodeKey): Key {
  const { name, sequence = '' } = key;
  if (name === 'escape') return { chord: name, text: '' };
  if (sequence === '\u001f') return { chord: 'ctrl-_', text: '' };
  const coded = codedKeyOf(sequence);
  if (coded) return coded;
  const typed = typedBy(text, key);
  const held = [key.ctrl && 'ctrl', key.meta && 'meta', key.shift && typed === '' && 'shift'].filter(Boolean);
  return { chord: [...held, name ?? typed].join('-'), text: typed };
}

/** The text a key types: nothing with Ctrl or Alt, and no control characters. */
function typedBy(text: string | undefined, { ctrl, meta }: NodeKey): string {
  // oxlint-disable-next-line no-control-regex -- that is what they are
  return text === undefined || ctrl || meta || /^[\u0000-\u001f\u007f]/.test(text) ? '' : text;
}
