const text = (description: string): object => ({ type: 'string', minLength: 1, maxLength: 2_000, description });

const child = text('applies to subagents of this name only; * stands for any text');
const message = text('a text for the model, such as what to do instead');

/** @param keys those of a rule that is an object, besides `rule` */
const rules = (what: string, keys: object): object => ({
  type: 'array',
  items: {
    anyOf: [
      text('the rule'),
      {
        type: 'object',
        properties: { rule: text('the rule'), ...keys },
        required: ['rule'],
        additionalProperties: false,
      },
    ],
  },
  description: `${what}, such as "Bash(git *)", "Edit(src/**)" or "WebFetch(domain:example.com)"`,
});

/** The schema of `permissions.json`, of the user and of a project. */
export const rulesSchema: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'permissions.json of turnwire',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    deny: rules('what agents must not do: these come first', { child, message }),
    ask: rules('what is asked about, whatever else allows it', { child }),
    allow: rules('what agents may do without asking; of a project only once its user has accepted it', {}),
  },
  additionalProperties: false,
};
