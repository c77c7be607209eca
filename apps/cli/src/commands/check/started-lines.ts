import type { AgentSubject } from '@turnwire/conformance';

type Line = Awaited<ReturnType<AgentSubject['open']>>;

/** The processes a subject has started and not ended yet. If this process exits early, all of them are killed. */
export class StartedLines implements Disposable {
  readonly #lines = new Set<Line>();

  constructor() {
    process.on('exit', this.#killAll);
  }

  /** The subject, with its processes tracked. */
  watched(subject: AgentSubject): AgentSubject {
    return {
      name: subject.name,
      open: async (place) => {
        const line = await subject.open(place);
        this.#lines.add(line);
        const close = async (): Promise<void> => {
          await line.close();
          this.#lines.delete(line);
        };
        return { ...line, close };
      },
    };
  }

  /** Ends all of them. */
  async end(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.close()));
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#killAll);
  }

  readonly #killAll = (): void => {
    for (const { process: started } of this.#lines) started?.kill('SIGKILL');
  };
}
