import { errorText } from '@turnwire/client/error-text';
import { useEffect, useState } from 'react';
import { fetchFiles } from '../server/server-facts.ts';

/** The files of a server folder as relative paths, or the reason why they could not be listed. */
export interface FolderFiles {
  readonly files: readonly string[];
  readonly failure: string;
}

/** The maximum age of a list that is used again, in milliseconds. */
const longestUse = 30_000;
const lists = new Map<string, { readonly files: Promise<readonly string[]>; readonly at: number }>();

/** The files of a server folder, fetched when a text starts to mention one. */
export function useFiles(folder: string, text: string): FolderFiles {
  const isWanted = /(?:^|\s)@/.test(text);
  const [found, setFound] = useState<FolderFiles & { readonly folder: string }>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    filesOf(folder).then(
      (files) => isCurrent && setFound({ folder, files, failure: '' }),
      (error: unknown) => isCurrent && setFound({ folder, files: [], failure: errorText(error) }),
    );
    return () => void (isCurrent = false);
  }, [folder, isWanted]);
  const { files = [], failure = '' } = found?.folder === folder ? found : {};
  return {
    files,
    failure: isWanted && failure !== '' ? `The files of this folder cannot be listed: ${failure}` : '',
  };
}

function filesOf(folder: string): Promise<readonly string[]> {
  const known = lists.get(folder);
  if (known && performance.now() - known.at < longestUse) return known.files;
  const files = fetchFiles(folder);
  lists.set(folder, { files, at: performance.now() });
  files.catch(() => lists.delete(folder));
  return files;
}
