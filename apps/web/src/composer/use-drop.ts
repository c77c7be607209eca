import { useEffect, useRef, useState } from 'react';

/** Takes files that are dropped anywhere on the page, and says whether files are being dragged over it. */
export function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const listener = useRef(onFiles);
  listener.current = onFiles;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    addEventListener('dragover', ({ dataTransfer }) => setOver(dataTransfer?.types.includes('Files') ?? false), {
      signal,
    });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget ?? setOver(false), { signal });
    addEventListener(
      'drop',
      (drop) => {
        setOver(false);
        listener.current([...(drop.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => ending.abort();
  }, []);
  return isOver;
}
