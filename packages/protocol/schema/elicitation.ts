import {
  anyOf,
  anything,
  bare,
  boolean,
  choice,
  double,
  int64,
  list,
  map,
  meaning,
  nullable,
  object,
  optional,
  part,
  required,
  string,
  tagged,
  uint32,
  uint64,
  uri,
  variant,
  openChoice,
} from './language.ts';
import { RequestId } from './request-id.ts';
import { SessionId } from './session-id.ts';
import { ToolCallId } from './tool-call.ts';

export const ElicitationId = meaning(string, 'Names a question that is answered on a web page. The agent chooses it.');

export const ElicitationSessionScope = part('The question belongs to a session.', {
  sessionId: required(SessionId, 'The session.'),
  toolCallId: optional(nullable(ToolCallId), 'The tool call that needs the answer. Absent or `null`: none in particular.').orAbsent(),
});

export const ElicitationRequestScope = part(
  'The question belongs to a request of the client, such as `authenticate`, outside any session.',
  {
    requestId: required(RequestId, 'The id the client gave the request.'),
  },
);

const scope = anyOf('', ElicitationSessionScope, ElicitationRequestScope);

export const StringFormat = openChoice('A form a text must have. One that is not known asks for nothing.', {
  email: 'An e-mail address.',
  uri: 'A URI.',
  date: 'A day: YYYY-MM-DD.',
  'date-time': 'A moment: ISO 8601.',
});

export const EnumOption = object('A value to choose, with a name for people.', {
  const: required(string, 'The value.'),
  title: required(string, 'What the user reads.'),
  description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
});

const label = {
  title: optional(nullable(string), 'What the user reads. Absent or `null`: use the field’s name.').orAbsent(),
  description: optional(nullable(string), 'More about it, for the user. Absent or `null`: nothing more.').orAbsent(),
};

export const StringPropertySchema = object('A text to type, or one value to choose where `enum` or `oneOf` is given.', {
  ...label,
  minLength: optional(nullable(uint32), 'How many characters at least. Absent or `null`: no limit.'),
  maxLength: optional(nullable(uint32), 'How many characters at most. Absent or `null`: no limit.'),
  pattern: optional(nullable(string), 'A regular expression the text must match. Absent or `null`: none.'),
  format: optional(nullable(StringFormat), 'The form it must have. Absent or `null`: any.'),
  default: optional(nullable(string), 'What to begin with. Absent or `null`: nothing.').orAbsent(),
  enum: optional(nullable(list(string)), 'The values to choose from. Absent or `null`: see `oneOf`.'),
  oneOf: optional(nullable(list(EnumOption)), 'The values to choose from, with names. Absent or `null`: see `enum`.'),
});

export const NumberPropertySchema = object('A number to type.', {
  ...label,
  minimum: optional(nullable(double), 'The smallest allowed. Absent or `null`: no limit.'),
  maximum: optional(nullable(double), 'The largest allowed. Absent or `null`: no limit.'),
  default: optional(nullable(double), 'What to begin with. Absent or `null`: nothing.').orAbsent(),
});

export const IntegerPropertySchema = object('A whole number to type.', {
  ...label,
  minimum: optional(nullable(int64), 'The smallest allowed. Absent or `null`: no limit.'),
  maximum: optional(nullable(int64), 'The largest allowed. Absent or `null`: no limit.'),
  default: optional(nullable(int64), 'What to begin with. Absent or `null`: nothing.').orAbsent(),
});

export const BooleanPropertySchema = object('Yes or no.', {
  ...label,
  default: optional(nullable(boolean), 'What to begin with. Absent or `null`: nothing.').orAbsent(),
});

export const StringMultiSelectItems = object('Values to choose from.', {
  enum: required(list(string), 'The values.'),
});

export const TitledMultiSelectItems = object('Values to choose from, with names.', {
  anyOf: required(list(EnumOption), 'The values.'),
});

export const MultiSelectItems = tagged({
  description: 'What several values are chosen from. Without a `type` the values have names.',
  tag: 'type',
  variants: { string: variant(StringMultiSelectItems, 'Plain values.') },
  untagged: TitledMultiSelectItems,
  other: anything,
});

export const MultiSelectPropertySchema = object('Several values to choose.', {
  ...label,
  minItems: optional(nullable(uint64), 'How many at least. Absent or `null`: no limit.'),
  maxItems: optional(nullable(uint64), 'How many at most. Absent or `null`: no limit.'),
  items: required(MultiSelectItems, 'What to choose from.'),
  default: optional(nullable(list(string)), 'What to begin with. Absent or `null`: nothing.')
    .orAbsent()
    .withoutBadItems(),
});

export const ElicitationPropertySchema = tagged({
  description: 'A field of a form. A client that does not know its `type` must not show it as something else.',
  tag: 'type',
  variants: {
    string: variant(StringPropertySchema, 'A text, or one value out of several.'),
    number: variant(NumberPropertySchema, 'A number.'),
    integer: variant(IntegerPropertySchema, 'A whole number.'),
    boolean: variant(BooleanPropertySchema, 'Yes or no.'),
    array: variant(MultiSelectPropertySchema, 'Several values out of several.'),
  },
  other: anything,
});

export const ElicitationSchemaType = choice('What a form is to JSON Schema.', { object: 'An object, always.' });

export const ElicitationSchema = object('A form: a JSON Schema of one flat object.', {
  type: optional(ElicitationSchemaType, 'Always `object`, given or not.').absentMeans('object').orAbsent(),
  title: optional(nullable(string), 'The form’s heading. Absent or `null`: none.').orAbsent(),
  properties: optional(map(ElicitationPropertySchema), 'The fields by name. Absent: none.').absentMeans({}),
  required: optional(nullable(list(string)), 'The names of the fields that must be filled in. Absent or `null`: none.'),
  description: optional(nullable(string), 'What the form is for. Absent or `null`: not said.').orAbsent(),
});

export const ElicitationFormMode = part('Asks with a form.', { requestedSchema: required(ElicitationSchema, 'The form.') }, scope);

export const ElicitationUrlMode = part(
  'Asks on a web page.',
  {
    elicitationId: required(ElicitationId, 'What `elicitation/complete` refers to.'),
    url: required(uri, 'The page.'),
  },
  scope,
);

export const CreateElicitationRequest = object(
  'Asks the user for input. Needs the client capability `elicitation`.',
  { message: required(string, 'What is needed and why, for the user.') },
  tagged({
    tag: 'mode',
    variants: {
      form: variant(ElicitationFormMode, 'With a form. Needs the client capability `elicitation.form`.'),
      url: variant(ElicitationUrlMode, 'On a web page. Needs the client capability `elicitation.url`.'),
    },
    other: scope,
  }),
);

export const ElicitationContentValue = anyOf(
  'What the user put into one field.',
  meaning(string, 'A text, or the value chosen.'),
  meaning(int64, 'A whole number.'),
  meaning(double, 'A number.'),
  meaning(boolean, 'Yes or no.'),
  meaning(list(string), 'The values chosen.'),
);

export const ElicitationAcceptAction = part('The user filled in the form, or agreed to visit the page.', {
  content: optional(nullable(map(ElicitationContentValue)), 'What was put in, by field. Absent or `null`: nothing.'),
});

export const CreateElicitationResponse = object(
  'What the user did.',
  {},
  tagged({
    tag: 'action',
    variants: {
      accept: variant(ElicitationAcceptAction, 'Filled in the form, or agreed to visit the page.'),
      decline: bare('Said no.'),
      cancel: bare('Went away without a decision.'),
    },
    other: anything,
  }),
);

export const CompleteElicitationNotification = object('What the user was sent to a web page for is done.', {
  elicitationId: required(ElicitationId, 'The question it settles.'),
});
