/** Defects of an answer that we detect, as opposed to errors a provider reports. */
export type Defect = 'stalled' | 'broke-off' | 'server-error' | 'not-understood';

/** An answer with a defect that the provider did not report. */
export class AnswerDefect extends Error {
  override readonly name = 'AnswerDefect';
  readonly warning: Defect;
  /** Milliseconds without a part of the answer. */
  readonly timeout: number | undefined;
  /** The provider's own message. */
  readonly providerMessage: string | undefined;

  constructor(
    warning: Defect,
    { timeout, providerMessage }: { readonly timeout?: number; readonly providerMessage?: string } = {},
  ) {
    super(warning);
    this.warning = warning;
    this.timeout = timeout;
    this.providerMessage = providerMessage;
  }
}
