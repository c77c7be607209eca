import { z } from 'zod';
import type {
  HookGroups,
  LimitSettings,
  TimeoutSettings,
  ProviderSettings,
  WebSearchSettings,
} from './setting-groups.ts';

/** The settings of a project's file: none widens access or raises the cost. */
export interface ProjectFile {
  readonly thoughtLevel?: string | undefined;
  readonly limits?: Partial<LimitSettings> | undefined;
}

/** The settings of a user's file. */
export interface UserFile extends ProjectFile {
  readonly model?: string | undefined;
  readonly providers?: Readonly<Record<string, ProviderSettings>> | undefined;
  readonly mcpServers?: object | undefined;
  readonly fetch?: { readonly allowPrivate?: boolean | undefined } | undefined;
  readonly webSearch?: WebSearchSettings | undefined;
  readonly passKeysToCommands?: boolean | undefined;
  readonly timeouts?: TimeoutSettings | undefined;
  readonly hooks?: HookGroups | undefined;
  readonly keepSessionsDays?: number | undefined;
}

type Shape<File> = Readonly<Record<keyof File | '$schema', z.ZodType>>;

const modelForm = /^offline$|^[^/\s]+\/\S+$/;
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });
const amount = z.number().positive().optional();
const count = z.int().positive().optional();
const dollars = z.number().nonnegative();
const model = z.strictObject({
  name: z.string().min(1),
  contextWindow: count,
  price: z
    .strictObject({
      input: dollars,
      output: dollars,
      cacheRead: dollars.optional(),
      cacheWrite: dollars.optional(),
    })
    .optional(),
});
const provider = z.strictObject({
  baseUrl: webAddress.optional(),
  apiKey: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z
    .array(
      z.union(
        [z.string().min(1), model],
        'expected the name of a model, or an object with name, contextWindow and price',
      ),
    )
    .optional(),
});

const hooks = z
  .array(
    z.strictObject({
      command: z.string().min(1),
      tools: z.array(z.string()).optional(),
      files: z.array(z.string().min(1)).optional(),
      timeoutSeconds: amount,
    }),
  )
  .optional();

/** The schema of each setting of a project. */
export const projectShape: Shape<ProjectFile> = {
  $schema: z.string(),
  thoughtLevel: z.string().min(1),
  limits: z.strictObject({ maxSteps: count, maxTokens: count, maxCost: amount, maxMinutes: amount }),
};

/** The schema of each setting of a user. */
export const userShape: Shape<UserFile> = {
  ...projectShape,
  model: z.string().regex(modelForm, 'expected a model as provider/model'),
  providers: z.record(z.string(), provider),
  mcpServers: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  fetch: z.strictObject({ allowPrivate: z.boolean().optional() }),
  webSearch: z.strictObject({
    provider: z.enum(['brave', 'tavily', 'searxng']),
    apiKey: z.string().min(1).optional(),
    baseUrl: webAddress.optional(),
  }),
  passKeysToCommands: z.boolean(),
  keepSessionsDays: z.number().positive(),
  hooks: z.strictObject({ before: hooks, after: hooks }),
  timeouts: z.strictObject({
    firstByteSeconds: amount,
    idleSeconds: amount,
    attempts: z.int().positive().max(20).optional(),
  }),
};
