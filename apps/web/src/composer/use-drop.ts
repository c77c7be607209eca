import { useEffect, useRef, useState } from 'react';

/** Accepts files dropped anywhere on the page. Returns whether the user is dragging files over it. */
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
