import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { killContract, type SharedPlace } from './kill-contract.ts';
import { searchContract } from './search-contract.ts';
import { sessionStoreContract } from './session-store-contract.ts';

const writer = bundleProgram(fileURLToPath(new URL('fixtures/writing-process.ts', import.meta.url)));

async function makePlace(ownThread = true): Promise<SharedPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-store-'));
  const path = join(folder, 'sessions.sqlite');
  return {
    open: async () => sqliteStore({ path, ownThread }),
    writer: (id, name) => [process.execPath, writer, path, id, name],
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}

sessionStoreContract('SQLite', () => makePlace());
sessionStoreContract('SQLite without a thread of its own', () => makePlace(false));
searchContract('SQLite', () => makePlace());
killContract('SQLite', () => makePlace());
