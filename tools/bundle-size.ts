// What each library entry weighs in a bundle, minified and gzipped.
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.ts';

const entries = [
  '@turnwire/protocol',
  '@turnwire/protocol/unstable',
  '@turnwire/transports/memory',
  '@turnwire/transports/stdio',
  '@turnwire/transports/web-streams',
  '@turnwire/transports/message-port',
  '@turnwire/transports/websocket',
  '@turnwire/client',
  '@turnwire/agent',
];

for (const entry of entries) {
  const { code } = await bundle(`export * from '${entry}'`, 'node');
  const zipped = gzipSync(code, { level: 9 });
  console.log(`${entry.padEnd(30)} ${kilobytes(Buffer.byteLength(code))} minified ${kilobytes(zipped.length)} gzip`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1).padStart(7)} KB`;
}
