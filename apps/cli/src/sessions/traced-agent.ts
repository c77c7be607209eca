import { extname } from 'node:path';
import type { FrameTap } from '@turnwire/client';
import type { HostedAgent } from '@turnwire/runtime';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import type { Environment } from '@turnwire/client/node';
import { warn } from '../failure.ts';

/** Files for the traces of agents: `trace.jsonl` for the first one that is started, then `trace-2.jsonl`, `trace-3.jsonl`. */
export class TraceFiles {
  readonly #path: string;
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  next(env: Environment): TraceWriter {
    const ending = extname(this.#path);
    const number = ++this.#count === 1 ? '' : `-${this.#count}`;
    const path = `${this.#path.slice(0, this.#path.length - ending.length)}${number}${ending}`;
    return traceWriter({ path, secrets: Object.values(env), onProblem: warn });
  }
}

/** Writes the messages of each process of an agent to a separate file: each process has its own message ids. */
export function tracedAgent(
  make: (tap?: FrameTap) => HostedAgent,
  { files, env }: { readonly files: TraceFiles | undefined; readonly env: Environment },
): HostedAgent {
  if (!files) return make();
  return {
    ...make(),
    start: async (options, place) => {
      const writer = files.next(env);
      try {
        const agent = await make(writer.tap).start(options, place);
        void agent.closed.then(() => writer.close());
        return agent;
      } catch (error) {
        await writer.close();
        throw error;
      }
    },
  };
}
