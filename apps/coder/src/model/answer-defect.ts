/** Defects of an answer that we detect, as opposed to errors a provider reports. */
export type Defect = 'stalled' | 'broke-off' | 'server-error' | 'not-understood';

/** A defect of an answer that only we detected. */
export class AnswerDefect extends Error {
  override readonly name = 'AnswerDefect';
  readonly warning: Defect;
  /** Milliseconds we waited. */
  readonly patience: number | undefined;
  /** The provider's term for it. */
  readonly said: string | undefined;

  constructor(warning: Defect, { patience, said }: { readonly patience?: number; readonly said?: string } = {}) {
    super(warning);
    this.warning = warning;
    this.patience = patience;
    this.said = said;
  }
}
