/** Whether a call may run. */
export type Admission =
  | { readonly outcome: 'allowed' }
  /** With the reason, for the model and the user: a rule, the mode, or the user's refusal. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      /** The rule that denies, or the reason of the user. Absent: the user gave none. */
      readonly feedback?: string;
    }
  /** The user wants the turn to end. */
  | { readonly outcome: 'dismissed' };
