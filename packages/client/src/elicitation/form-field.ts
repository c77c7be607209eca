/** A value to choose, with a title for users. */
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
  /** A regular expression of the agent. Evaluate it only with `checkForm`, which limits it. */
  readonly pattern?: string;
  /** `email`, `uri`, `date`, `date-time`, or an unknown format, which is not checked. */
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

/** A single choice. */
export interface ChoiceField {
  readonly type: 'choice';
  readonly choices: readonly FormChoice[];
  readonly default?: string;
}

/** A multiple choice. */
export interface ChoicesField {
  readonly type: 'choices';
  readonly choices: readonly FormChoice[];
  readonly default?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A field of an unknown kind. Show that it exists; never draw it as another kind. */
export interface UnknownField {
  readonly type: 'unknown';
  /** The agent's name of the kind. */
  readonly kind: string;
}

/** A field of a form, ready to be drawn. */
export type FormField = {
  /** Its name in the answer. */
  readonly key: string;
  /** The title for users; the key if the agent provides none. */
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
} & (TextField | NumberField | BooleanField | ChoiceField | ChoicesField | UnknownField);

/** A problem with one field. */
export interface FormProblem {
  readonly key: string;
  /** A sentence that begins with the field's title. */
  readonly message: string;
}
