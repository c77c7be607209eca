/** Defects of an answer that we detect, as opposed to errors a provider reports. */
export type Defect = 'stalled' | 'broke-off' | 'server-error' | 'not-understood';

/** A defect of an answer that only we detected. */
export class AnswerDefect extends Error {
  override readonly name = 'AnswerDefect';
  readonly warning: Defect;
  /** Milliseconds we waited. */
  readonly timeout: number | undefined;
  /** The provider's term for it. */
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
