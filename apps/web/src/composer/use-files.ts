import { useEffect, useState } from 'react';
import { fetchFiles } from '../server/server-facts.ts';

/** The files of a folder of the server, fetched when they are wanted for the first time. */
export function useFiles(folder: string, isWanted: boolean): readonly string[] {
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isWanted) void fetchFiles(folder).then(setFiles);
  }, [folder, isWanted]);
  return files;
}
