const rules = (what: string): object => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 2_000 },
  description: `${what}, such as "Bash(git *)", "Edit(src/**)" or "WebFetch(domain:example.com)"`,
});

/** The schema of `permissions.json`, of the user and of a project. */
export const rulesSchema: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'permissions.json of turnwire',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    deny: rules('what agents must not do: these come first'),
    ask: rules('what is asked about, whatever else allows it'),
    allow: rules('what agents may do without asking; of a project only once its user has accepted it'),
  },
  additionalProperties: false,
};
