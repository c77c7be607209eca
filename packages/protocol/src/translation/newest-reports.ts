/** The maximum number of reports. */
const mostReports = 4_096;

/** The maximum total size of the reports in UTF-16 units. */
const mostUnits = 16 * 2 ** 20;

/** The maximum size of one message or one tool call, in UTF-16 units. */
export const mostOfOne: number = 256 * 1024;

/** The additional size of each chunk: strings that are joined many times need more memory than their text. */
const unitsOfChunk = 32;

/** The size of a chunk with this text. */
export function sizeOf(text: string): number {
  return text.length + unitsOfChunk;
}

/**
 * The newest reports of one kind in a session, by id: 4,096 of them with at most 16 Mi UTF-16 units together. Beyond that the ones that
 * have not changed for the longest time are forgotten, and the next report with such an id is read as the first one.
 */
export class NewestReports<Report> {
  readonly #reports = new Map<string, { readonly report: Report; readonly units: number }>();
  #units = 0;

  get(id: string): Report | undefined {
    return this.#reports.get(id)?.report;
  }

  has(id: string): boolean {
    return this.#reports.has(id);
  }

  /** Keeps a report as the newest. */
  keep(id: string, report: Report, units: number): void {
    this.#forget(id);
    this.#reports.set(id, { report, units });
    this.#units += units;
    for (const oldest of this.#reports.keys()) {
      const isWithin = this.#reports.size <= mostReports && this.#units <= mostUnits;
      if (isWithin || oldest === id) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#units -= this.#reports.get(id)?.units ?? 0;
    this.#reports.delete(id);
  }
}
