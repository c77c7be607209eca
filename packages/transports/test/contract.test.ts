import { memoryPair } from '@turnwire/transports/memory';
import { stdioTransport } from '@turnwire/transports/stdio';
import { exitOf, spawnFixture } from './child.ts';
import { runFarEnd } from './far-end.ts';
import { openPipe } from './pipes.ts';
import { transportContract } from './transport.contract.ts';

transportContract('memory', async () => {
  const [near, far] = memoryPair();
  runFarEnd(far);
  return { near, dispose: async () => far[Symbol.asyncDispose]() };
});

transportContract('stdio over pipes', async () => {
  const there = openPipe();
  const back = openPipe();
  const far = stdioTransport({ input: there.read, output: back.write });
  runFarEnd(far);
  const near = stdioTransport({ input: back.read, output: there.write });
  return { near, dispose: async () => far[Symbol.asyncDispose]() };
});

transportContract('stdio over a child process', async () => {
  const child = spawnFixture('far-end');
  const near = stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report' });
  const dispose = async (): Promise<void> => {
    await exitOf(child);
  };
  return { near, dispose };
});
