import { shortPath } from '@turnwire/client/view';
import { createContext, useContext } from 'react';

/** The folder of the session that is shown. */
export const SessionFolder: React.Context<string> = createContext('');

/** Shortens paths: those in the folder of the session are shown from there. */
export function useShortPath(): (path: string) => string {
  const folder = useContext(SessionFolder);
  return (path) => shortPath(path, folder);
}
