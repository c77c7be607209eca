import type { ContenderName } from './wire/contender.ts';

/** One figure of the report. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** What Turnwire is to reach: a multiple of the floor, or a value. Absent: only reported. */
  readonly aim?: { readonly ratio: number } | { readonly value: number } | undefined;
}

/** Who is measured, and for how long. */
export interface Setup<Name extends string = ContenderName> {
  readonly contender: Name;
  /** How long to measure after warming up, where the case can choose. */
  readonly seconds: number;
}

/** What one run in a fresh process yields. */
export interface Sample {
  /** By name of the figure. */
  readonly figures: Readonly<Record<string, number>>;
  /** Processor time per message, in microseconds. */
  readonly cpu?: { readonly client: number; readonly agent: number };
}

/** Something that is measured: yields one figure of its own name, and perhaps others besides. */
export interface Case<Name extends string = ContenderName> extends Figure {
  readonly also?: readonly Figure[];
  /** Who takes part. Default: floor, official and turnwire. */
  readonly contenders?: readonly Name[];
  /** Options of the Node process that takes the sample. */
  readonly nodeOptions?: readonly string[];
  measure(setup: Setup<Name>): Promise<Sample>;
}
