import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';

type Schema = LanguageModelV3FunctionTool['inputSchema'];

/** Argument names of other agents' tools, which models have learned. Case and underscores are ignored. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  path: ['file', 'filepath', 'filename', 'absolutepath', 'targetfile', 'directory', 'folder'],
  content: ['contents', 'filetext', 'text'],
  oldText: ['old', 'oldstring', 'oldstr', 'search'],
  newText: ['new', 'newstring', 'newstr', 'replace', 'replacement'],
  replaceAll: ['all'],
  command: ['cmd', 'commandline', 'script'],
  background: ['runinbackground', 'isbackground'],
  text: ['query', 'searchterm'],
  pattern: ['glob', 'include'],
  line: ['startline'],
  limit: ['maxlines'],
  from: ['source', 'oldpath', 'path'],
  to: ['destination', 'target', 'newpath'],
  url: ['uri', 'address', 'link'],
};

/**
 * The input with the names that its schema has: `file_path` becomes `path`. A name is replaced only if the schema lacks it, the new name is
 * absent from the input, and no other argument maps to the same name. Values are not converted, so arguments that other agents count
 * differently are not listed.
 */
export function withKnownNames(input: unknown, schema: Schema): unknown {
  if (Array.isArray(input)) {
    const { items } = schema;
    return typeof items === 'object' && !Array.isArray(items)
      ? input.map((item) => withKnownNames(item, items))
      : input;
  }
  const { properties } = schema;
  if (typeof input !== 'object' || input === null || properties === undefined) return input;
  const names = Object.keys(input);
  const wanted = Object.keys(properties).filter((name) => !names.includes(name));
  const renamed = new Map<string, string>();
  for (const name of wanted) {
    const [meant, ...others] = names.filter((each) => !Object.hasOwn(properties, each) && isMeant(each, name));
    if (meant !== undefined && others.length === 0 && !renamed.has(meant)) renamed.set(meant, name);
  }
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const name = renamed.get(key) ?? key;
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, typeof inner === 'object' ? withKnownNames(value, inner) : value];
    }),
  );
}

function isMeant(written: string, name: string): boolean {
  const plain = written.replaceAll(/[_-]/g, '').toLowerCase();
  return plain === name.toLowerCase() || (otherNames[name] ?? []).includes(plain);
}
