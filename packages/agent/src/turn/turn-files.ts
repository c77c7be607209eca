import { TurnwireError } from '@turnwire/protocol';
import type { LineRange } from './line-range.ts';
import type { LocalMachine } from './local-machine.ts';
import type { TurnClient } from './turn-client.ts';

/**
 * Text files, through the client if it supports that, so that unsaved changes are included and edits appear in the editor; else on this
 * machine. Relative paths start at the session's working directory. Paths are not confined to it: that is up to the agent. Without either,
 * as in a page, both methods reject with TurnwireError `not-advertised`.
 */
export interface TurnFiles {
  /** @throws ProtocolError -32002 for a missing file on this machine */
  read(path: string, range?: LineRange): Promise<string>;
  /** Creates the file and its folders if necessary. */
  write(path: string, content: string): Promise<void>;
}

/** The ways to access files. */
export interface TurnFilesParts {
  readonly client: TurnClient;
  /** Base of relative paths. */
  readonly cwd: string;
  readonly machine: LocalMachine | undefined;
}

export function turnFiles({ client, cwd, machine }: TurnFilesParts): TurnFiles {
  const absolute = (path: string): string =>
    machine?.resolve(cwd, path) ?? (/^(?:[\\/]|[a-z]:)/i.test(path) ? path : `${cwd}/${path}`);
  return {
    read: async (path, range = {}) => {
      if (client.readTextFile) return client.readTextFile(absolute(path), range);
      if (machine) return machine.readTextFile(absolute(path), range);
      throw notAvailable('read files');
    },
    write: async (path, content) => {
      if (client.writeTextFile) return client.writeTextFile(absolute(path), content);
      if (machine) return machine.writeTextFile(absolute(path), content);
      throw notAvailable('write files');
    },
  };
}

/** The error if neither the client nor a local machine can do something. */
export function notAvailable(what: string): TurnwireError {
  return new TurnwireError(
    'not-advertised',
    `The client does not ${what} for agents, and this agent has no machine of its own. Serve it with serveAgent of @turnwire/agent/node, or do without.`,
  );
}
