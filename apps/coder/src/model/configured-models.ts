import { within } from '@turnwire/machine/waits';
import type { SessionConfigOption } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { chosenModel } from './chosen-model.ts';
import { findModels } from './found-models.ts';
import type { FoundModel } from './found-models.ts';
import { knownModel, knownModels } from './known-models.ts';
import type { KnownModel } from './known-models.ts';
import { missingAddress, missingKey, unknownProvider } from './missing-key.ts';
import type { ModelCatalog, ModelChoice } from './model-catalog.ts';
import type { ChosenModel } from './model.ts';
import { modelOption, offlineId, startIt, thoughtOption } from './model-options.ts';
import type { ModelGroup, OfferedModel } from './model-options.ts';
import type { Provider, ProviderAccess } from './providers/provider.ts';
import { isReady, providerAccess, storedKeys } from './providers/provider-access.ts';
import type { StoredKeys } from './providers/provider-access.ts';
import { providersWith } from './providers/providers.ts';
import { thoughtLevels } from './thought-levels.ts';
import type { ThoughtLevels } from './thought-levels.ts';

/** Models of a server beyond these are not offered. */
const mostModels = 200;

/** Milliseconds a session waits for local servers before it starts without them. */
const lookUpTimeout = 300;

/** The models that are available through keys, addresses, local servers and settings. */
export class ConfiguredModels implements ModelCatalog {
  readonly #settings: Settings;
  readonly #env: Environment;
  readonly #providers: readonly Provider[];
  /** The models that servers listed, by provider. */
  readonly #found = new Map<string, readonly FoundModel[]>();
  /** The models that were requested by name, by provider. */
  readonly #wanted = new Map<string, readonly string[]>();
  late: Promise<boolean> | undefined;
  #accesses: readonly ProviderAccess[] = [];
  #groups: readonly ModelGroup[] = [];
  #refreshing: Promise<boolean> | undefined;
  #isOfflineExplained = false;

  private constructor(settings: Settings, env: Environment) {
    this.#settings = settings;
    this.#env = env;
    this.#providers = providersWith(settings.providers);
  }

  /** @throws ProtocolError if the configured model cannot be used */
  static async open(settings: Settings, env: Environment): Promise<ConfiguredModels> {
    const models = new ConfiguredModels(settings, env);
    const stored = await storedKeys(env);
    if (settings.model !== undefined && settings.model !== offlineId)
      models.#accessTo(settings.model, stored, settings.modelFrom);
    models.#useKeys(stored);
    const lookUp = models.#askServers().catch(() => false);
    if ((await within(lookUpTimeout, lookUp)) === undefined) models.late = lookUp;
    return models;
  }

  options({ model = this.#firstModel(), thoughtLevel }: ModelChoice): readonly SessionConfigOption[] {
    const levels = this.#levelsOf(model);
    const wanted = thoughtLevel ?? this.#settings.thoughtLevel;
    return [modelOption(this.#groups, model, this.#silentServer()), ...(levels ? [thoughtOption(levels, wanted)] : [])];
  }

  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async offer(id: string): Promise<void> {
    if (id === offlineId) return;
    const { provider } = this.#accessTo(id, await storedKeys(this.#env));
    this.#wanted.set(provider.id, [...(this.#wanted.get(provider.id) ?? []), nameIn(id)]);
    this.#regroup();
  }

  async open({ model, thoughtLevel }: ModelChoice): Promise<ChosenModel> {
    if (model === undefined) await this.late;
    const id = model ?? this.#firstModel();
    if (id === offlineId) return this.#offline();
    const access = this.#accessTo(id, await storedKeys(this.#env));
    const name = nameIn(id);
    const known = knownModel(access.provider.id, name);
    const levels = this.#levelsOf(id);
    const wanted = thoughtLevel ?? this.#settings.thoughtLevel;
    return chosenModel(access, name, {
      known,
      facts: await this.#factsOf(access, name, known),
      thought:
        levels?.levels.find(({ value }) => value === wanted) ??
        levels?.levels.find(({ value }) => value === levels.usual),
      timeouts: this.#settings.timeouts,
      siblings: this.#modelsOf(access)
        .map((each) => each.id)
        .filter((each) => each !== id),
    });
  }

  /** The offline model, with a warning, once, if a configured server does not answer. */
  async #offline(): Promise<ChosenModel> {
    const silent = this.#isOfflineExplained || this.#settings.model !== undefined ? undefined : this.#silentServer();
    this.#isOfflineExplained = true;
    const { offlineModel } = await import('./offline/offline-model.ts');
    return {
      id: offlineId,
      model: offlineModel,
      takes: { image: false, audio: false, pdf: false },
      ...(silent && { warning: startIt(silent) }),
    };
  }

  async #refresh(): Promise<boolean> {
    const before = JSON.stringify(this.#groups);
    this.#useKeys(await storedKeys(this.#env));
    await this.#askServers();
    return JSON.stringify(this.#groups) !== before;
  }

  /** Asks the servers for their models. True if the offers have changed. */
  async #askServers(): Promise<boolean> {
    const before = JSON.stringify(this.#groups);
    await Promise.all(this.#accesses.filter(hasList).map((access) => this.#ask(access)));
    this.#regroup();
    return JSON.stringify(this.#groups) !== before;
  }

  /** @param name keeps only the model of this name */
  async #ask(access: ProviderAccess, name?: string): Promise<void> {
    const models = await findModels(access);
    const { id } = access.provider;
    if (models === undefined) this.#found.delete(id);
    else if (name === undefined) this.#found.set(id, models.slice(0, mostModels));
    else
      this.#found.set(
        id,
        models.filter((each) => each.name === name),
      );
  }

  /** Queries a server again until it reports the context size: some know it only once a model is loaded. */
  async #factsOf(
    access: ProviderAccess,
    name: string,
    known: KnownModel | undefined,
  ): Promise<Pick<ChosenModel, 'contextWindow' | 'price'>> {
    const { id, models } = access.provider;
    const set = models?.find((each) => each.name === name);
    const facts = (): Pick<ChosenModel, 'contextWindow' | 'price'> => {
      const found = this.#found.get(id)?.find((each) => each.name === name);
      return {
        contextWindow: set?.contextWindow ?? found?.contextWindow ?? known?.contextWindow,
        price: set?.price ?? found?.price ?? known?.price,
      };
    };
    const { contextWindow, price } = facts();
    const isMissing = contextWindow === undefined || (price === undefined && access.provider.listsPrices === true);
    if (isMissing && hasList(access)) await this.#ask(access);
    // Of a provider that lists hundreds of models, only the chosen one is kept.
    else if (isMissing && access.provider.listsPrices) await this.#ask(access, name);
    return facts();
  }

  #useKeys(stored: StoredKeys): void {
    const sources = { env: this.#env, stored, providers: this.#settings.providers };
    this.#accesses = this.#providers.flatMap((provider) => providerAccess(provider, sources) ?? []);
    this.#regroup();
  }

  #regroup(): void {
    const groups = this.#accesses.filter(isReady).map((access) => {
      const { id: provider, name } = access.provider;
      return { provider, name, models: this.#modelsOf(access) };
    });
    this.#groups = groups.filter(({ models }) => models.length > 0);
  }

  #modelsOf({ provider: { id: provider, models = [] } }: ProviderAccess): readonly OfferedModel[] {
    const known = knownModels(provider).filter(({ isOutdated }) => !isOutdated);
    const names = [
      ...(this.#wanted.get(provider) ?? []),
      ...models.map((each) => each.name),
      ...known.map(({ name }) => name),
      ...(this.#found.get(provider) ?? []).map((each) => each.name),
    ];
    return [...new Set(names)].map((name) => {
      const facts = known.find((each) => each.name === name) ?? knownModel(provider, name);
      return { id: `${provider}/${name}`, label: facts?.label ?? name, known: facts };
    });
  }

  #levelsOf(id: string): ThoughtLevels | undefined {
    const provider = this.#provider(id);
    return provider && thoughtLevels(provider, knownModel(provider.id, nameIn(id)));
  }

  /** @param from the source of the model, for an error message */
  #accessTo(id: string, stored: StoredKeys, from?: string): ProviderAccess {
    const provider = this.#provider(id);
    if (provider === undefined) throw unknownProvider(id, this.#providers, from);
    const access = providerAccess(provider, { env: this.#env, stored, providers: this.#settings.providers });
    if (access === undefined) throw missingAddress(provider, id);
    if (!isReady(access)) throw missingKey(provider, id, { from, warning: stored.warning });
    return access;
  }

  #provider(id: string): Provider | undefined {
    return nameIn(id) === '' ? undefined : this.#providers.find((provider) => id.startsWith(`${provider.id}/`));
  }

  /** The configured model, else that of the first provider with a key, else the offline one. */
  #firstModel(): string {
    if (this.#settings.model !== undefined) return this.#settings.model;
    const first = this.#accesses.find(
      (access) => isObvious(access) || (isConfigured(access) && this.#modelsOf(access).length > 0),
    );
    if (first === undefined) return offlineId;
    const { id, firstModel } = first.provider;
    return firstModel === undefined ? (this.#modelsOf(first)[0]?.id ?? offlineId) : `${id}/${firstModel}`;
  }

  /** A configured server that does not list its models. */
  #silentServer(): ProviderAccess | undefined {
    return this.#accesses.find((access) => isConfigured(access) && this.#modelsOf(access).length === 0);
  }
}

/** A key shows that the user wants its provider. OpenAI's key with another address may be for a server with any models. */
function isObvious({ provider: { firstModel, format }, apiKey, isElsewhere }: ProviderAccess): boolean {
  return firstModel !== undefined && apiKey !== undefined && !(format === 'openai' && isElsewhere);
}

/** A configured address of a provider without a default one shows that the user wants it. */
function isConfigured({ provider }: ProviderAccess): boolean {
  return provider.baseUrl === undefined;
}

/** Servers with arbitrary models can list them. */
function hasList({ provider: { format, isLocal }, isElsewhere }: ProviderAccess): boolean {
  return format === 'openai-compatible' && (isLocal === true || isElsewhere);
}

function nameIn(id: string): string {
  const slash = id.indexOf('/');
  return slash < 0 ? '' : id.slice(slash + 1);
}
