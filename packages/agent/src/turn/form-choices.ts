/** Something to choose in a form. */
export interface FormChoice {
  readonly value: string;
  /** What the user reads. */
  readonly title: string;
}

/** The parts of a field's schema that say what there is to choose from; which are there depends on its type. */
type Choosable = {
  readonly enum?: readonly string[] | null;
  readonly oneOf?: readonly TitledValue[] | null;
  readonly anyOf?: readonly TitledValue[] | null;
  readonly items?: Choosable | null;
};

type TitledValue = { readonly const: string; readonly title: string };

/** What a field of a form, or each of its items, can be chosen from. Undefined: anything. */
export function choicesOf(field: object): readonly FormChoice[] | undefined {
  const { enum: plain, oneOf, anyOf, items } = field as Choosable;
  if (plain) return plain.map((value) => ({ value, title: value }));
  const titled = oneOf ?? anyOf;
  if (titled) return titled.map((choice) => ({ value: choice.const, title: choice.title }));
  return items ? choicesOf(items) : undefined;
}
