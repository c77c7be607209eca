/** Whether a call may run. */
export type Admission =
  | { readonly outcome: 'allowed' }
  /** With the reason, for the model and the person: which rule, which mode, or that the person said no. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The person wants the turn to end. */
  | { readonly outcome: 'dismissed' };
