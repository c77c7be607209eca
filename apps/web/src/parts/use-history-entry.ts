import { useCallback, useEffect } from 'react';

/**
 * Makes an overlay an entry of the browser's history, so that Back closes it.
 * @param close closes the overlay
 * @returns closes it as Back does, and then does something
 */
export function useHistoryEntry(close: () => void): (then?: () => void) => void {
  useEffect(() => {
    history.pushState({ isOverlay: true }, '');
    addEventListener('popstate', close);
    return () => removeEventListener('popstate', close);
  }, [close]);
  return useCallback((then?: () => void) => {
    const { isOverlay } = (history.state ?? {}) as { readonly isOverlay?: true };
    // Already closed by Back.
    if (!isOverlay) return;
    if (then) addEventListener('popstate', then, { once: true });
    history.back();
  }, []);
}
