import type { AgentSubject } from '@turnwire/conformance';

type Line = Awaited<ReturnType<AgentSubject['open']>>;

/** The processes a subject has started and not ended yet. */
export class StartedLines {
  readonly #lines = new Set<Line>();

  /** The subject, with its processes tracked. */
  watched(subject: AgentSubject): AgentSubject {
    return {
      ...subject,
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
}
