/** What can be wrong with an answer as we see it, as opposed to what a provider reports. */
export type Trouble = 'stalled' | 'broke-off' | 'server-error' | 'not-understood';

/** An answer went wrong in a way only we noticed. */
export class AnswerTrouble extends Error {
  override readonly name = 'AnswerTrouble';
  readonly trouble: Trouble;
  /** Milliseconds we waited. */
  readonly patience: number | undefined;
  /** The provider's word for it. */
  readonly said: string | undefined;

  constructor(trouble: Trouble, { patience, said }: { readonly patience?: number; readonly said?: string } = {}) {
    super(trouble);
    this.trouble = trouble;
    this.patience = patience;
    this.said = said;
  }
}
