import { basename } from 'node:path/posix';
import { type CommandOptions, optionTables } from './option-tables.ts';
import { mayBeOption, type ShellWord } from './shell-word.ts';

/** The options of a command. */
export interface OptionReading {
  /** Options not known to be harmless, in the forms in which a rule may name them: `--exec`, `-o`, and the word that contains them. */
  readonly risky: readonly (readonly string[])[];
  /** A word that may be an option, depending on the shell's expansion. */
  readonly unknown?: ShellWord;
  /** Words that are neither options nor values of options such as `-m`. */
  readonly operands: readonly ShellWord[];
}

/** Parses the options of a command that has a table; undefined for others. */
export function optionsOf(words: readonly ShellWord[]): OptionReading | undefined {
  const [name, ...rest] = words;
  const program = basename(name?.value ?? '');
  if (!Object.hasOwn(optionTables, program)) return undefined;
  const table = optionTables[program];
  return table && new OptionReader(table).read(rest);
}

/** Whether a command has options not known to be harmless, or words that may be such options. */
export function hasRiskyOptions(words: readonly ShellWord[]): boolean {
  const options = optionsOf(words);
  return options !== undefined && (options.unknown !== undefined || options.risky.length > 0);
}

class OptionReader implements OptionReading {
  readonly risky: (readonly string[])[] = [];
  readonly operands: ShellWord[] = [];
  unknown?: ShellWord;
  #table: CommandOptions;
  /** Whether the verb or first operand has not been read yet. */
  #isBeforeVerb: boolean;

  constructor(table: CommandOptions) {
    this.#table = table;
    this.#isBeforeVerb = table.verbs !== undefined;
  }

  read(words: readonly ShellWord[]): this {
    const rest = [...words];
    const { never, operands: most } = this.#table;
    const doubtful = never ? words.filter(({ value }) => never.test(value)) : [];
    const isBundle = this.#table.bundled && rest[0]?.kind === 'literal' && !rest[0].value.startsWith('-');
    if (isBundle) this.#letters(rest.shift()?.value ?? '', rest);
    for (let word = rest.shift(); word; word = rest.shift()) this.#word(word, rest);
    if (most !== undefined) doubtful.push(...this.operands.slice(most));
    this.risky.push(...doubtful.map(({ value }) => [value]));
    return this;
  }

  #word(word: ShellWord, rest: ShellWord[]): void {
    const { value } = word;
    if (word.kind !== 'literal' && mayBeOption(word)) this.unknown ??= word;
    else if (value === '--' && this.#table.whole === undefined) this.operands.push(...rest.splice(0));
    else if (!value.startsWith('-') || value === '-') this.#operand(word);
    else if (this.#table.whole !== undefined) this.#whole(value, rest);
    else if (value.startsWith('--')) this.#name(value, rest);
    else this.#letters(value.slice(1), rest);
  }

  #operand(word: ShellWord): void {
    this.operands.push(word);
    const { verbs, otherVerbs = noOptions } = this.#table;
    if (!this.#isBeforeVerb || verbs === undefined) return;
    if (word.kind !== 'literal') this.unknown ??= word;
    const known = verbs === 'any' || !Object.hasOwn(verbs, word.value) ? undefined : verbs[word.value];
    if (verbs !== 'any' && !known) this.risky.push([word.value]);
    this.#table = known ?? otherVerbs;
    this.#isBeforeVerb = this.#table.verbs !== undefined;
  }

  #whole(value: string, rest: ShellWord[]): void {
    const names = ` ${this.#table.whole ?? ''} `;
    const [name = ''] = value.split('=', 1);
    if (names.includes(` ${name}: `)) {
      if (name === value) this.#value(rest);
    } else if (!names.includes(` ${name} `)) this.risky.push([name, value]);
  }

  #name(value: string, rest: ShellWord[]): void {
    const [name = ''] = value.slice(2).split('=', 1);
    const names = ` ${this.#table.long} `;
    if (names.includes(` ${name}: `)) {
      if (!value.includes('=')) this.#value(rest);
    } else if (!/^(?:help|version)$/.test(name) && !names.includes(` ${name} `)) this.risky.push([`--${name}`, value]);
  }

  /** Reads a word of option letters, up to the first letter that takes the rest as its value. */
  #letters(letters: string, rest: ShellWord[]): void {
    const { short } = this.#table;
    for (const [at, letter] of letters.split('').entries()) {
      const index = /\w|\./.test(letter) ? short.indexOf(letter) : -1;
      if (index < 0) return void this.risky.push([`-${letter}`, `-${letters}`, letters]);
      const takes = short[index + 1];
      if (takes === '?') return;
      if (takes !== ':') continue;
      if (at === letters.length - 1) this.#value(rest);
      return;
    }
  }

  /** Reads the next word as a value. It is unknown if it might be an option, or several words. */
  #value(rest: ShellWord[]): void {
    const value = rest.shift();
    if (value && (value.value.startsWith('-') || (value.isSplit && value.kind !== 'literal'))) this.unknown ??= value;
  }
}

const noOptions: CommandOptions = { short: '', long: '' };
