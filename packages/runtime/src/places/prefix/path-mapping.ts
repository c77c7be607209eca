import { posix } from 'node:path';
import { mappedPatch } from './mapped-patch.ts';
import type { PathKind } from './path-fields.ts';

/** The two names of a folder: on this machine, and where the agent runs. Both are absolute. */
export interface MappedFolder {
  readonly here: string;
  readonly there: string;
}

/** Translates paths between this machine and the place where an agent runs. Paths outside of the mapped folders stay as they are. */
export class PathMapping {
  readonly #folders: readonly MappedFolder[];

  constructor(folders: readonly MappedFolder[]) {
    this.#folders = folders;
  }

  /** The path where the agent runs, for a path here; undefined if none corresponds. */
  there(path: string): string | undefined {
    return mapped(
      path,
      this.#folders.map(({ here, there }) => [here, there]),
    );
  }

  /** The path here, for a path where the agent runs; undefined if none corresponds. */
  here(path: string): string | undefined {
    return mapped(
      path,
      this.#folders.map(({ here, there }) => [there, here]),
    );
  }

  /** Translates the text of a field. */
  text(text: string, kind: PathKind, to: 'here' | 'there'): string {
    const path = (each: string): string => this[to](each) ?? each;
    if (kind === 'path') return path(text);
    return kind === 'uri' ? mappedUri(text, path) : mappedPatch(text, path);
  }
}

function mapped(path: string, folders: readonly (readonly [from: string, to: string])[]): string | undefined {
  if (!path.startsWith('/')) return undefined;
  // A path that leaves a folder by `..` is not in it.
  const plain = posix.normalize(path);
  const [nearest] = folders
    .filter(([from]) => from === '/' || plain === from || plain.startsWith(`${from}/`))
    .toSorted(([one], [other]) => other.length - one.length);
  if (nearest && nearest[0] === nearest[1]) return path;
  return nearest && posix.join(nearest[1], plain.slice(nearest[0] === '/' ? 0 : nearest[0].length));
}

/** Translates the path in a `file:` URI of this machine. Other URIs stay as they are, and so does one whose path is not translated. */
function mappedUri(uri: string, path: (path: string) => string): string {
  if (!/^file:/i.test(uri) || !URL.canParse(uri)) return uri;
  const url = new URL(uri);
  if (url.host !== '') return uri;
  try {
    const before = decodeURIComponent(url.pathname);
    const after = path(before);
    if (after === before) return uri;
    url.pathname = after.split('/').map(encodeURIComponent).join('/');
    return url.href;
  } catch {
    return uri;
  }
}
