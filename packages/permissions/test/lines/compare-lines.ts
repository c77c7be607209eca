import { createPermissions, type Permissions } from '../../src/index.ts';
import { shellLine, type ShellLine } from '../../src/shell-line.ts';
import { action } from '../project.ts';
import { policies, type Policy, prohibitions } from './policies.ts';
import { endlessLines } from './random-lines.ts';
import { isSure, unread } from './reading.ts';
import type { Observed, Slot } from './slot.ts';
import { TracedShell } from './traced-shell.ts';

/** A shell that the parser assumes and that runs the lines. */
export interface ComparedShell {
  readonly reads: 'bash' | 'posix';
  readonly path: string;
}

/** The result of a comparison. */
export interface Comparison {
  /** Lines that were judged. */
  lines: number;
  /** Lines whose parse claims to know all effects. */
  sure: number;
  /** Lines that some policy allows. */
  allowed: number;
  /** Lines that were run, because one of these two claims exists. A line that no policy allows cannot do anything. */
  run: number;
  /** Program calls in them. */
  calls: number;
  /** Lines that had to be ended. */
  endless: number;
  /** A sentence for each effect that contradicts a claim. */
  readonly misses: string[];
}

/** A line and the claims about it. */
interface Claim {
  readonly line: string;
  readonly reading: ShellLine;
  readonly allowedBy: readonly Policy[];
  readonly slot: Slot;
}

/**
 * The number of lines that one shell runs, while the next ones are judged. Each needs two folders of its own: small batches start more
 * shells, large ones create more folders.
 */
const batch = 25;

/** Judges known and random lines, runs those that are allowed or completely parsed, and compares their effects with the claims. */
export async function compareLines(shell: ComparedShell, count: number, seed: number): Promise<Comparison> {
  const machine = new TracedShell([shell.path, '-c']);
  try {
    return await new Comparer(shell, machine).compare(count, seed);
  } finally {
    machine.close();
  }
}

class Comparer {
  readonly #shell: ComparedShell;
  readonly #machine: TracedShell;
  readonly #judges = new Map<Slot, readonly Permissions[]>();
  readonly #found: Comparison = { lines: 0, sure: 0, allowed: 0, run: 0, calls: 0, endless: 0, misses: [] };

  constructor(shell: ComparedShell, machine: TracedShell) {
    this.#shell = shell;
    this.#machine = machine;
  }

  async compare(count: number, seed: number): Promise<Comparison> {
    const both = [this.#machine.slots(batch), this.#machine.slots(batch)];
    const lines = endlessLines(seed);
    let running = Promise.resolve();
    for (let at = 0; this.#found.lines < count; at++) {
      const claims = this.#claims(lines, count, both[at % 2] ?? []);
      await running;
      running = this.#run(claims);
    }
    await running;
    for (const { file, args } of this.#machine.lost())
      this.#found.misses.push(`a line that is not known ran ${JSON.stringify([file, ...args])}`);
    return { ...this.#found, endless: this.#machine.endless };
  }

  /** Judges lines until each slot has one with a claim, or until `count` lines are judged. */
  #claims(lines: Iterator<string, never>, count: number, slots: readonly Slot[]): readonly Claim[] {
    const claims: Claim[] = [];
    for (let slot = slots[0]; slot && this.#found.lines < count; slot = slots[claims.length]) {
      const line = lines.next().value;
      const reading = shellLine(line, this.#shell.reads);
      const allowedBy = this.#allowing(line, slot);
      this.#found.lines++;
      if (isSure(reading)) this.#found.sure++;
      if (allowedBy.length > 0) this.#found.allowed++;
      if (isSure(reading) || allowedBy.length > 0) claims.push({ line, reading, allowedBy, slot });
    }
    return claims;
  }

  #allowing(line: string, slot: Slot): readonly Policy[] {
    const { project } = slot;
    const asked = action(project, { command: line, cwd: project, shell: this.#shell.reads });
    const isAllowed = this.#judgesOf(slot).map((each) => each.judge(asked).effect === 'allow');
    for (const [at, { title }] of prohibitions.entries())
      if (isAllowed[policies.length + at]) this.#found.misses.push(`${JSON.stringify(line)} is allowed with ${title}`);
    return policies.filter((_, at) => isAllowed[at]);
  }

  /** Created once for each slot, because the rules contain its folder. */
  #judgesOf(slot: Slot): readonly Permissions[] {
    const known = this.#judges.get(slot);
    if (known) return known;
    const made = [...policies, ...prohibitions].map(({ options }) =>
      createPermissions({ ...options, project: slot.project, home: this.#machine.home }),
    );
    this.#judges.set(slot, made);
    return made;
  }

  async #run(claims: readonly Claim[]): Promise<void> {
    const lines = claims.map(({ line }) => line);
    const all = await this.#machine.run(
      lines,
      claims.map(({ slot }) => slot),
    );
    this.#found.run += claims.length;
    for (const [at, claim] of claims.entries()) {
      const observed = all[at];
      if (!observed) throw new Error(`The line ${JSON.stringify(claim.line)} was not run`);
      this.#found.calls += observed.calls.length;
      this.#found.misses.push(...misses(claim, observed));
    }
  }
}

function misses({ line, reading, allowedBy, slot }: Claim, observed: Observed): readonly string[] {
  const said = JSON.stringify(line);
  const unsaid = isSure(reading) ? unread(reading, observed, slot.project) : [];
  const violations = allowedBy.flatMap((policy) =>
    policy.violations(observed, slot.project).map((what) => `${what}, allowed with ${policy.title}`),
  );
  return [...unsaid.map((what) => `${what}, which the reading does not have`), ...violations].map(
    (what) => `${said} ${what}`,
  );
}
