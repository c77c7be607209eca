import { createHash } from 'node:crypto';

const longest = 64;
const longestServer = 24;

/** A name that clients and models accept: letters, digits, `_` and `-`. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain === '' ? `x${digest(name)}` : plain;
}

/** Creates unique names: `server__tool`, at most 64 characters. The same servers and tools get the same names each time. */
export class ToolNames {
  readonly #taken = new Set<string>();

  name(server: string, tool: string): string {
    const wanted = `${plainName(server).slice(0, longestServer)}__${plainName(tool)}`;
    const name = wanted.length <= longest && !this.#taken.has(wanted) ? wanted : distinct(wanted, `${server}\n${tool}`);
    this.#taken.add(name);
    return name;
  }
}

function distinct(wanted: string, origin: string): string {
  const mark = `_${digest(origin)}`;
  return `${wanted.slice(0, longest - mark.length)}${mark}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
