import type { ContenderName } from './wire/contender.ts';

/** One figure of the report. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** The aim for Turnwire: a multiple of the floor, or a value. Absent: the figure is only reported. */
  readonly aim?: { readonly ratio: number } | { readonly value: number } | undefined;
}

/** The measured program, and the duration. */
export interface Setup<Name extends string = ContenderName> {
  readonly contender: Name;
  /** Duration after the warm-up, in cases that can choose it. */
  readonly seconds: number;
}

/** The result of one run in a new process. */
export interface Sample {
  /** Values by name of the figure. */
  readonly figures: Readonly<Record<string, number>>;
  /** Processor time per message, in microseconds. */
  readonly cpu?: { readonly client: number; readonly agent: number };
}

/** A measurement with one figure of the same name, and possibly more. */
export interface Case<Name extends string = ContenderName> extends Figure {
  readonly also?: readonly Figure[];
  /** The compared programs. Default: floor, official and turnwire. */
  readonly contenders?: readonly Name[];
  /** Options of the Node process that takes the sample. */
  readonly nodeOptions?: readonly string[];
  measure(setup: Setup<Name>): Promise<Sample>;
}
