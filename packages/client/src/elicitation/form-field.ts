/** A value to choose, with its name for people. */
export interface FormChoice {
  readonly value: string;
  readonly title: string;
  readonly description?: string;
}

/** A text to type. Lengths are in characters. */
export interface TextField {
  readonly type: 'text';
  readonly default?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression of the agent's. Evaluate it with `checkForm` only, which bounds it. */
  readonly pattern?: string;
  /** `email`, `uri`, `date`, `date-time`, or a word this version does not know and does not check. */
  readonly format?: string;
}

/** A number to type. */
export interface NumberField {
  readonly type: 'number' | 'integer';
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Yes or no. */
export interface BooleanField {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** One value out of several. */
export interface ChoiceField {
  readonly type: 'choice';
  readonly choices: readonly FormChoice[];
  readonly default?: string;
}

/** Several values out of several. */
export interface ChoicesField {
  readonly type: 'choices';
  readonly choices: readonly FormChoice[];
  readonly default?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A field of a kind this version does not know. Show that it is there; never draw it as something it may not be. */
export interface UnknownField {
  readonly type: 'unknown';
  /** What the agent calls the kind. */
  readonly kind: string;
}

/** A field of a form, ready to be drawn. */
export type FormField = {
  /** Its name in the answer. */
  readonly key: string;
  /** What the user reads; its key if the agent gives nothing better. */
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
} & (TextField | NumberField | BooleanField | ChoiceField | ChoicesField | UnknownField);

/** A word on what is wrong with one field. */
export interface FormProblem {
  readonly key: string;
  /** A plain sentence that begins with the field's title. */
  readonly message: string;
}
