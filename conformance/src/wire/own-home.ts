import { join } from 'node:path';

/** Environment variables that make a folder the home of a program and hide the files of the user. */
export function ownHome(home: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_RUNTIME_DIR: join(home, 'run'),
  };
}
