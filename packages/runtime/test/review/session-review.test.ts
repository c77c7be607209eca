import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { expect, test } from 'vitest';
import { SessionReview } from '../../src/review/index.ts';

test('a patch that is too long for a message is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-patch-'));
  const record = new FolderRecord(folder, join(folder, 'records'));
  const shown = { shows: () => true, showsAll: true, recorded: Promise.resolve() };
  const review = new SessionReview({ record, sessionId: 's', ...shown });
  const patchOf = async (length: number): Promise<unknown> => {
    const file = { path: 'a', change: 'added', added: 1, removed: 0, hunks: [], header: '' } as const;
    const patch = 'x'.repeat(length / 2);
    record.changes = async () => [1, 2].map(() => ({ ...file, before: undefined, after: undefined, patch }));
    return review.patch().then(
      (bytes) => bytes.length,
      (error: unknown) => (error as Error).message,
    );
  };
  const most = 32 * 1024 * 1024;
  const results = [await patchOf(most), await patchOf(most + 2)];
  await rm(folder, { recursive: true });
  expect(results).toEqual([
    most,
    'the patch has more than 32 MiB; turnwire review diff prints it on the machine of the folder',
  ]);
});
