/** A choice in a form. */
export interface FormChoice {
  readonly value: string;
  /** The text shown to the user. */
  readonly title: string;
}

/** The parts of a field's schema that list its choices; which of them exist depends on the type. */
type Choosable = {
  readonly enum?: readonly string[] | null;
  readonly oneOf?: readonly TitledValue[] | null;
  readonly anyOf?: readonly TitledValue[] | null;
  readonly items?: Choosable | null;
};

type TitledValue = { readonly const: string; readonly title: string };

/** The choices of a field, or of each of its items. Undefined: any value. */
export function choicesOf(field: object): readonly FormChoice[] | undefined {
  const { enum: plain, oneOf, anyOf, items } = field as Choosable;
  if (plain) return plain.map((value) => ({ value, title: value }));
  const titled = oneOf ?? anyOf;
  if (titled) return titled.map((choice) => ({ value: choice.const, title: choice.title }));
  return items ? choicesOf(items) : undefined;
}
