import { redactText } from '@turnwire/protocol';
import { redactTrace, type Trace, type TraceEvent } from '@turnwire/trace';
import { expect, test } from 'vitest';

const header = { turnwireTrace: 1, id: 'x', part: 0, startedAt: '2026-01-01T00:00:00Z', side: 'client' } as const;

/** The redacted form of a frame, or of its text. */
function left(frame: unknown, options: Parameters<typeof redactTrace>[1] = {}): unknown {
  const events = [{ at: 1, direction: 'in', frame, where: 'line 2' }] satisfies readonly TraceEvent[];
  const [, line = ''] = redactTrace({ header, events, problems: [] }, options);
  return (JSON.parse(line) as { readonly frame: unknown }).frame;
}

test('JSON within a text is redacted at any depth, and is unchanged if nothing is hidden', () => {
  const inner = JSON.stringify({ password: 'S3CRET-1', name: 'me' });
  const rawInput = JSON.stringify({ env: { FOO: 'S3CRET-2' }, inner, headers: [{ name: 'X', value: 'S3CRET-3' }] });
  expect(left({ rawInput, rawOutput: '[ {"a": 1} ]', half: '{"apiKey": "S3CRET-4", "b":' })).toEqual({
    rawInput:
      '{"env":{"FOO":"[redacted]"},"inner":"{\\"password\\":\\"[redacted]\\",\\"name\\":\\"me\\"}","headers":[{"name":"X","value":"[redacted]"}]}',
    rawOutput: '[ {"a": 1} ]',
    half: '{"apiKey": "[redacted]", "b":',
  });
});

test('in a truncated message everything after the variables is hidden, and the prompt on request', () => {
  const cut = (message: object): string => JSON.stringify(message).slice(0, -4);
  const server = cut({ params: { mcpServers: [{ name: 'a', env: [{ name: 'ANY', value: 'S3CRET-1' }] }] } });
  const prompt = cut({ method: 'session/prompt', params: { prompt: [{ type: 'text', text: 'my words' }] } });
  expect([left(server), left(prompt), left(prompt, { keepPrompts: false })]).toEqual([
    '{"params":{"mcpServers":[{"name":"a","env":[redacted]',
    prompt,
    '{"method":"session/prompt","params":{"prompt":[redacted]',
  ]);
});

test('the keys of prompts stay, so that a replay sends each prompt', () => {
  const frame = { method: 'session/prompt', params: { idempotencyKey: 'a6f1', apiKey: 'S3CRET' } };
  expect(left(frame)).toEqual({ ...frame, params: { idempotencyKey: 'a6f1', apiKey: '[redacted]' } });
});

test('in version 2 the message of a prompt is hidden on request, and secrets in the bytes of a terminal always', () => {
  const update = (fields: object): object => ({ method: 'session/update', params: { update: fields } });
  const message = update({
    sessionUpdate: 'user_message',
    messageId: 'm',
    content: [{ type: 'text', text: 'my words' }],
  });
  const bytes = (output: string): string => Buffer.from(output).toString('base64');
  const chunk = (data: string): object => update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data });
  const whole = (data: string): object =>
    update({ sessionUpdate: 'terminal_update', terminalId: 't', output: { data } });
  const [secret, plain] = [bytes('auth_token: S3CRET-1234\n'), bytes('grün\n')];
  const hidden = bytes('auth_token: [redacted]\n');
  expect([left(message, { keepPrompts: false }), left(chunk(secret)), left(whole(secret)), left(chunk(plain))]).toEqual(
    [
      update({ sessionUpdate: 'user_message', messageId: 'm', content: [{ type: 'text', text: '[redacted]' }] }),
      ...[chunk(hidden), whole(hidden), chunk(plain)],
    ],
  );
});

test('the arguments of the agent command are redacted like those of other commands', () => {
  const command = ['agent', '--api-key', 'S3CRET-1', '-u', 'me:S3CRET-2', '-H', 'x-api-key: S3CRET-3', '{"a":{"b":1}}'];
  const launch = { at: 0, type: 'launch', command, where: 'line 2' };
  const lines = redactTrace({ header: { ...header, command }, events: [launch], problems: [] } satisfies Trace, {});
  const hidden = [
    'agent',
    '--api-key',
    '[redacted]',
    '-u',
    '[redacted]',
    '-H',
    'x-api-key: [redacted]',
    '{"a":{"b":1}}',
  ];
  expect(lines.map((line) => (JSON.parse(line) as { command: unknown }).command)).toEqual([hidden, hidden]);
});

test.each([
  [
    'DB_PASSWORD="S3CRET 1"\nexport SECRET_KEY=\'S3CRET\'',
    'DB_PASSWORD="[redacted]"\nexport SECRET_KEY=\'[redacted]\'',
  ],
  ['{"api_key": "S3CRET", "a": 1', '{"api_key": "[redacted]", "a": 1'],
  [String.raw`{\"token\":\"S3CR\\\"ET\",\"a\":1}`, String.raw`{\"token\":\"[redacted]\",\"a\":1}`],
  ['auth_token: S3CRET-1234', 'auth_token: [redacted]'],
  ["const password = 'S3CRET-1234';", "const password = '[redacted]';"],
  ['https://x.test/cb#access_token=S3CRET&a=1', 'https://x.test/cb#access_token=[redacted]&a=1'],
  ['Cookie: session=S3CRET; b=S3CRET\r\nAccept: any', 'Cookie: [redacted]\r\nAccept: any'],
  ['-----BEGIN RSA PRIVATE KEY-----\nS3CRET\n-----END RSA PRIVATE KEY-----\nok', '[redacted]\nok'],
  ['-----BEGIN PRIVATE KEY-----\nS3CRET', '[redacted]'],
  ["agent --api-key 'S3CRET 1' run", "agent --api-key '[redacted]' run"],
])('hidden by its look: %s', (text, expected) => {
  expect(redactText(text, [])).toBe(expected);
});

test.each([
  'The key: it opens every door. The token: nobody knows.',
  'const token = readToken(source12);',
  '{ "key": "home", "hotkey": "up" }',
  'primary key (id2), foreign key: users',
])('nothing is hidden in %s', (text) => {
  expect(redactText(text, [])).toBe(text);
});

test('a secret is hidden in JSON, in URLs, as a key, and before a shorter one that it begins with', () => {
  const secret = 'ab"c d\\e';
  const frame = {
    [`x ${secret}`]: JSON.stringify({ at: JSON.stringify([secret]) }),
    url: `https://x.test/${encodeURIComponent(secret)}`,
    text: 'hunter2-and-more',
  };
  expect(left(frame, { secrets: [secret, 'hunter2', 'hunter2-and-more'] })).toEqual({
    'x [redacted]': '{"at":"[\\"[redacted]\\"]"}',
    url: 'https://x.test/[redacted]',
    text: '[redacted]',
  });
});

test('text of the user is also hidden in answers to questions and in titles', () => {
  const frames = [
    { result: { action: 'accept', content: { name: 'my words' } } },
    { params: { update: { sessionUpdate: 'session_info_update', title: 'my words' } } },
    { result: { sessions: [{ sessionId: 's', title: 'my words' }] } },
    { params: { update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a file' } } },
  ];
  expect(frames.map((frame) => left(frame, { keepPrompts: false }))).toEqual([
    { result: { action: 'accept', content: { name: '[redacted]' } } },
    { params: { update: { sessionUpdate: 'session_info_update', title: '[redacted]' } } },
    { result: { sessions: [{ sessionId: 's', title: '[redacted]' }] } },
    frames[3],
  ]);
  expect(frames.map((frame) => left(frame))).toEqual(frames);
});

test('text that looks like a service key is hidden, a word that begins like one is not', () => {
  const keys = ['sk-abc1defg', 'pk_live_51Habc', 'key-0123456789', 'sk-aaaaaaaaaaaa'];
  const words = 'risk-free key-value-pairs pk-only task-list-2';
  expect(redactText(`${keys.join(' ')} ${words}`, [])).toBe(`${keys.map(() => '[redacted]').join(' ')} ${words}`);
});
