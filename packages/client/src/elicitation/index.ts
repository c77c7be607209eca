export { checkField, checkForm } from './check-form.ts';
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormChoice,
  FormField,
  FormProblem,
  NumberField,
  TextField,
  UnknownField,
} from './form-field.ts';
export { formDefaults, formFields } from './form-fields.ts';
export { type ParsedField, parseFieldValue } from './parse-field-value.ts';
export {
  readScriptedAnswers,
  type ScriptedAnswer,
  type ScriptedAnswers,
  type ScriptedMatch,
} from './scripted-answers.ts';
export { scriptedElicitation, type ScriptedRecord } from './scripted-elicitation.ts';
export { urlConsent, type UrlConsent } from './url-consent.ts';
