import { shortPath } from '@turnwire/client/view';
import { createContext, useContext } from 'react';

/** The folder of the current session. */
export const SessionFolder: React.Context<string> = createContext('');

/** Returns a function that shortens paths inside the session's folder. */
export function useShortPath(): (path: string) => string {
  const folder = useContext(SessionFolder);
  return (path) => shortPath(path, folder);
}
