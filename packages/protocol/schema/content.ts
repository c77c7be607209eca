import { anyOf, anything, choice, double, int64, list, nullable, object, optional, required, string, tagged, variant } from './language.ts';

export const Role = choice('Whom content comes from or is meant for.', {
  assistant: 'The model.',
  user: 'The person.',
});

export const Annotations = object('Hints about what to do with content.', {
  audience: optional(nullable(list(Role)), 'Whom it is meant for. Absent or `null`: everyone.')
    .orAbsent()
    .withoutBadItems(),
  lastModified: optional(nullable(string), 'When the thing itself last changed: ISO 8601. Absent or `null`: not known.').orAbsent(),
  priority: optional(
    nullable(double),
    'How much it matters, from 0 (may be left out) to 1 (must not be). Absent or `null`: not said.',
  ).orAbsent(),
});

const annotations = optional(nullable(Annotations), 'Hints about what to do with it. Absent or `null`: none.').orAbsent();
const mimeType = optional(nullable(string), 'Its media type. Absent or `null`: not known.').orAbsent();

export const TextContent = object('Text, plain or in Markdown.', {
  annotations,
  text: required(string, 'The text.'),
});

export const ImageContent = object('A picture.', {
  annotations,
  data: required(string, 'Its bytes in base64.'),
  mimeType: required(string, 'Its media type, `image/png` say.'),
  uri: optional(nullable(string), 'Where it comes from. Absent or `null`: not known.').orAbsent(),
});

export const AudioContent = object('A sound.', {
  annotations,
  data: required(string, 'Its bytes in base64.'),
  mimeType: required(string, 'Its media type, `audio/wav` say.'),
});

export const ResourceLink = object('A pointer to a file or another resource the agent can read by itself.', {
  annotations,
  description: optional(nullable(string), 'What it is, for the user. Absent or `null`: not said.').orAbsent(),
  mimeType,
  name: required(string, 'What it is called; the file’s name, usually.'),
  size: optional(nullable(int64), 'Its size in bytes. Absent or `null`: not known.').orAbsent(),
  title: optional(nullable(string), 'What the user reads. Absent or `null`: use `name`.').orAbsent(),
  uri: required(string, 'Where it is.'),
});

export const TextResourceContents = object('The content of a text file or the like.', {
  mimeType,
  text: required(string, 'The text.'),
  uri: required(string, 'Where it comes from.'),
});

export const BlobResourceContents = object('The content of a file that is not text.', {
  blob: required(string, 'Its bytes in base64.'),
  mimeType,
  uri: required(string, 'Where it comes from.'),
});

export const EmbeddedResourceResource = anyOf('What a resource holds: text or bytes.', TextResourceContents, BlobResourceContents);

export const EmbeddedResource = object('A resource that comes with its content.', {
  annotations,
  resource: required(EmbeddedResourceResource, 'Its content.'),
});

export const ContentBlock = tagged({
  description:
    'Something to show or to think about: part of a prompt, of a message or of what a tool produced. The same as in the Model Context Protocol.',
  tag: 'type',
  variants: {
    text: variant(TextContent, 'Text. Every agent takes it in prompts.'),
    image: variant(ImageContent, 'A picture. In prompts only with the agent capability `promptCapabilities.image`.'),
    audio: variant(AudioContent, 'A sound. In prompts only with the agent capability `promptCapabilities.audio`.'),
    resource_link: variant(ResourceLink, 'A pointer to a resource. Every agent takes it in prompts.'),
    resource: variant(
      EmbeddedResource,
      'A resource with its content. In prompts only with the agent capability `promptCapabilities.embeddedContext`.',
    ),
  },
  other: anything,
});
