import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HttpServerOptions, SessionElsewhere } from '@turnwire/gateway/endpoints';
import { isInside, realPath } from '@turnwire/machine';
import { offeredFiles } from '../../interactive/completion/file-list.ts';
import { knownSessions, shortIds } from '../../store/known-sessions.ts';
import { agentTitle } from '../../store/session-record.ts';

/** The web client of a server: the files of the page, and the folders that it may list. */
export function webClient(roots: readonly string[]): NonNullable<HttpServerOptions['web']> {
  return { folder: pageFolder(), roots, files: filesIn(roots), sessionsElsewhere: () => terminalSessions(roots) };
}

/** The folder with the files of the web client: next to the program, or in the build output. */
function pageFolder(): string {
  const [packaged, built] = ['./page/', '../../../dist/page/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(packaged as string) ? (packaged as string) : (built as string);
}

/** How long a list of files stays current, in milliseconds. A user who types requests it with each key. */
const freshness = 10_000;

/** Returns a function that lists the files of a folder within the roots. It rejects for any other folder. */
function filesIn(roots: readonly string[]): (folder: string) => Promise<readonly string[]> {
  const real = roots.map((root) => realPath(root) ?? root);
  let last: { readonly folder: string; readonly until: number; readonly files: Promise<readonly string[]> } | undefined;
  return async (folder) => {
    const resolved = realPath(folder);
    if (resolved === undefined || !real.some((root) => isInside(root, resolved)))
      throw new Error(`${folder} is in none of the folders`);
    if (last?.folder !== resolved || last.until < Date.now())
      last = { folder: resolved, until: Date.now() + freshness, files: offeredFiles(resolved) };
    return last.files;
  };
}

/** The maximum number of sessions on the page. */
const most = 100;

/** The sessions of chats, of `exec` and of named sessions in these folders, last used first. The page lists them with the command that continues each in a terminal. */
async function terminalSessions(roots: readonly string[]): Promise<readonly SessionElsewhere[]> {
  const known = await knownSessions();
  const ids = shortIds(known);
  return known
    .filter(({ isServed, cwd }) => !isServed && roots.some((root) => isInside(root, cwd)))
    .slice(0, most)
    .map((session) => ({
      title: session.name ?? session.words,
      agent: agentTitle(session.agent),
      cwd: session.cwd,
      updatedAt: session.lastUsedAt,
      command: `turnwire --resume ${ids.get(session)}`,
    }));
}
