import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { type AgentSubject, commandSubject } from '../../src/agent/agent-subject.ts';
import type { Line } from '../../src/wire/line.ts';
import { linesTo } from '../../src/wire/lines-to.ts';
import { serveOfficialAgent } from './official-agent-app.mjs';

const program = fileURLToPath(new URL('official-agent.mjs', import.meta.url));

/** An agent with the official SDK, as a process: an independent implementation of the protocol. */
export function officialAgentProcess(): AgentSubject {
  const { PATH = '' } = process.env;
  return commandSubject([process.execPath, bundleProgram(program)], { PATH });
}

/** The same in this process, which starts at once. It has bytes, but no process to observe. */
export function officialAgent(): AgentSubject {
  return {
    name: 'official',
    open: () => {
      const [input, output] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
      serveOfficialAgent(output.writable, input.readable);
      return Promise.resolve(lineOver(input.writable.getWriter(), output.readable));
    },
  };
}

function lineOver(writer: WritableStreamDefaultWriter<Uint8Array>, output: ReadableStream<Uint8Array>): Line {
  // The kit notices an agent that has ended by its silence.
  const sendBytes = (bytes: Uint8Array): Promise<void> => writer.write(bytes).catch(() => undefined);
  const endInput = (): Promise<void> => writer.close().catch(() => undefined);
  const ended = new AbortController();
  let read = Promise.resolve();
  return {
    start: (receiver) => {
      const lines = linesTo(receiver);
      const taken = new WritableStream<Uint8Array>({ write: (chunk) => lines.take(Buffer.from(chunk)) });
      read = output
        .pipeTo(taken, { signal: ended.signal })
        .catch(() => undefined)
        .then(() => lines.end());
    },
    send: (text) => void sendBytes(new TextEncoder().encode(`${text}\n`)),
    sendBytes,
    endInput: () => void endInput(),
    // Without a process, nothing ends with its input.
    close: async () => {
      void endInput();
      ended.abort();
      await read;
    },
  };
}
