import { checkForm, type FormField, formDefaults, formFields } from '@turnwire/client/elicitation';
import type { OpenQuestion } from '@turnwire/client/gateway';
import type { ElicitationContentValue, ElicitationSchema } from '@turnwire/protocol';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ElicitationAnswers } from './elicitation-answers.tsx';

type Values = Readonly<Record<string, ElicitationContentValue>>;

/** A form of the agent, validated in the page. Patterns of the agent cannot make it slow. */
export function ElicitationForm({
  question,
}: {
  readonly question: OpenQuestion & { readonly type: 'elicitation' };
}): ReactNode {
  const { request, answer } = question;
  const schema = ('requestedSchema' in request ? request.requestedSchema : {}) as ElicitationSchema;
  const [values, setValues] = useState<Values>(() => formDefaults(schema));
  const [isSent, setSent] = useState(false);
  const problems = isSent ? checkForm(schema, values) : [];
  const change = (key: string, value: ElicitationContentValue | undefined): void => {
    const { [key]: _, ...others } = values;
    setValues(value === undefined ? others : { ...others, [key]: value });
  };
  const submit = (form: FormEvent): void => {
    form.preventDefault();
    setSent(true);
    if (checkForm(schema, values).length === 0) answer({ action: 'accept', content: values });
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
      {formFields(schema).map((field) => (
        <Field
          key={field.key}
          field={field}
          value={values[field.key]}
          problem={problems.find(({ key }) => key === field.key)?.message}
          onChange={(value) => change(field.key, value)}
        />
      ))}
      <ElicitationAnswers question={question}>
        <button type="submit" className="primary">
          Send
        </button>
      </ElicitationAnswers>
    </form>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: ElicitationContentValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: ElicitationContentValue | undefined) => void;
}

function Field({ field, value, problem, onChange }: FieldProps): ReactNode {
  const id = useId();
  const notes = `${id}-notes`;
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.title}
        {field.isRequired && <span className="faint"> (required)</span>}
      </label>
      <Control {...{ field, value, id, notes, onChange }} isInvalid={problem !== undefined} />
      <p id={notes} className={problem === undefined ? 'faint' : 'failure'} role={problem && 'alert'}>
        {problem ?? field.description}
      </p>
    </div>
  );
}

interface ControlProps extends Omit<FieldProps, 'problem'> {
  readonly id: string;
  readonly notes: string;
  readonly isInvalid: boolean;
}

const inputTypes: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };

function Control({ field, value, id, notes, isInvalid, onChange }: ControlProps): ReactNode {
  const common = { id, 'aria-describedby': notes, 'aria-invalid': isInvalid };
  switch (field.type) {
    case 'text':
      return (
        <input
          {...common}
          type={inputTypes[field.format ?? ''] ?? 'text'}
          dir="auto"
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
      );
    case 'number':
    case 'integer':
      return (
        <input
          {...common}
          type="number"
          step={field.type === 'integer' ? 1 : 'any'}
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
        />
      );
    case 'boolean':
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      );
    case 'choice':
      if (field.choices.length <= mostCards) return <Cards {...{ field, value, id, onChange }} />;
      return (
        <select
          {...common}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        >
          <option value="">Choose…</option>
          {field.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.title}
            </option>
          ))}
        </select>
      );
    case 'choices':
      return <Choices {...{ field, value, id, onChange }} />;
    case 'unknown':
      return <p id={id}>This page does not know fields of the kind {field.kind}.</p>;
  }
}

/** The maximum number of choices that are shown at once. */
const mostCards = 6;

/** A card for each choice. The user selects one. */
function Cards({
  field,
  value,
  id,
  onChange,
}: Omit<ChoicesProps, 'field'> & { readonly field: ChoiceField }): ReactNode {
  return (
    <div id={id} role="radiogroup" aria-label={field.title} className="cards">
      {field.choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={id} checked={value === choice.value} onChange={() => onChange(choice.value)} />
          {choice.title}
        </label>
      ))}
    </div>
  );
}

type ChoiceField = FormField & { readonly type: 'choice' };

interface ChoicesProps extends Pick<FieldProps, 'value' | 'onChange'> {
  readonly field: FormField & { readonly type: 'choices' };
  readonly id: string;
}

function Choices({ field, value, id, onChange }: ChoicesProps): ReactNode {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (choice: string, isChosen: boolean): void => {
    const next = field.choices
      .map((each) => each.value)
      .filter((each) => (each === choice ? isChosen : chosen.includes(each)));
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <div id={id} role="group" aria-label={field.title} className="choices">
      {field.choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ target }) => toggle(choice.value, target.checked)}
          />
          {choice.title}
        </label>
      ))}
    </div>
  );
}
