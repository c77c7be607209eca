/** What can be wrong with an answer as we see it, as opposed to what a provider reports. */
export type Defect = 'stalled' | 'broke-off' | 'server-error' | 'not-understood';

/** An answer went wrong in a way only we noticed. */
export class AnswerDefect extends Error {
  override readonly name = 'AnswerDefect';
  readonly warning: Defect;
  /** Milliseconds we waited. */
  readonly patience: number | undefined;
  /** The provider's word for it. */
  readonly said: string | undefined;

  constructor(warning: Defect, { patience, said }: { readonly patience?: number; readonly said?: string } = {}) {
    super(warning);
    this.warning = warning;
    this.patience = patience;
    this.said = said;
  }
}
