// Prints the size of each library entry as a bundle, minified and gzipped. Bundles for browsers include all dependencies.
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.ts';
import { neutralEntries } from './neutral-entries.ts';

for (const entry of neutralEntries) await print(entry, 'browser');
for (const entry of ['@turnwire/transports/stdio', '@turnwire/client/node', '@turnwire/agent/node'])
  await print(entry, 'node');

async function print(entry: string, platform: 'node' | 'browser'): Promise<void> {
  const { code } = await bundle(`export * from '${entry}'`, platform);
  const zipped = gzipSync(code, { level: 9 });
  console.log(`${entry.padEnd(30)} ${kilobytes(Buffer.byteLength(code))} minified ${kilobytes(zipped.length)} gzip`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1).padStart(7)} KB`;
}
