import type {
  AvailableCommand as V1Command,
  SessionConfigOption as V1Option,
  SessionModeState as V1Modes,
  SessionUpdate as V1Update,
  ToolCallContent as V1Content,
  ToolCallUpdate as V1ToolCall,
} from '../generated/types.ts';
import type {
  AvailableCommand,
  SessionConfigOption,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '../generated/v2-types.ts';
import { gitPatch } from './git-patch.ts';
import { terminalUpdates } from './terminal-updates.ts';

/** A session has one plan in version 1. */
const planId = 'plan';

type MessageChunk = Extract<
  V1Update,
  { readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk' }
>;
type Whole = 'user_message' | 'agent_message' | 'agent_thought';

/**
 * The updates of version 2 that have the content of an update of version 1, in order.
 * @param messages the ids of the messages so far
 * @param newId returns the id of a message that begins with this update
 */
export function updatesInVersion2(
  messages: MessageIds,
  update: V1Update,
  newId?: () => string,
): readonly SessionUpdate[] {
  const converted = updateInVersion2(messages.identified(update, newId));
  if (converted === undefined) return [];
  if (converted.sessionUpdate !== 'tool_call_update') return [converted];
  const { terminals, call } = terminalUpdates(converted);
  return call ? [...terminals, call] : terminals;
}

/** An update of version 1 in the form of version 2. Undefined if version 2 does not have it. Unknown kinds stay as they are. */
export function updateInVersion2(update: V1Update): SessionUpdate | undefined {
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update': {
      const { sessionUpdate: _, ...call } = update;
      return { sessionUpdate: 'tool_call_update', ...toolCallInVersion2(call) };
    }
    case 'plan': {
      const { entries, _meta } = update;
      return {
        sessionUpdate: 'plan_update',
        plan: { type: 'items', planId, entries },
        ...(_meta && { _meta }),
      };
    }
    case 'available_commands_update':
      return { ...update, availableCommands: update.availableCommands.map(commandInVersion2) };
    case 'config_option_update':
      return { ...update, configOptions: update.configOptions.map(optionInVersion2) };
    // The option of category `mode` has it.
    case 'current_mode_update':
      return undefined;
    default:
      return update as SessionUpdate;
  }
}

/** A tool call of version 1. There `null` leaves a field unchanged; in version 2 it clears the field. */
export function toolCallInVersion2(call: V1ToolCall): ToolCallUpdate {
  const { content, locations, ...fields } = call;
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...(Object.fromEntries(present) as Omit<V1ToolCall, 'content' | 'locations'>),
    ...(content && { content: content.map(contentOf) }),
    ...(locations && {
      locations: locations.map(({ line, ...location }) => ({ ...location, ...(line && { line }) })),
    }),
  };
}

function contentOf(content: V1Content): ToolCallContent {
  if (content.type !== 'diff') return content;
  const { path, oldText, newText, _meta } = content;
  const operation = oldText === undefined || oldText === null ? 'add' : 'modify';
  return {
    type: 'diff',
    changes: [{ operation, path, fileType: 'text' }],
    patch: { format: 'git_patch', text: gitPatch(path, oldText ?? undefined, newText) },
    ...(_meta && { _meta }),
  };
}

/** A slash command of version 1. */
export function commandInVersion2({ input, ...command }: V1Command): AvailableCommand {
  return { type: 'command', ...command, ...(input && { input: { type: 'text', ...input } }) };
}

/** A configuration option of version 1. */
export function optionInVersion2(option: V1Option): SessionConfigOption {
  const { id: configId, ...fields } = option;
  if (fields.type !== 'select') return { configId, ...fields };
  const options = fields.options.map((each) => {
    if (!('group' in each)) return each;
    const { group: groupId, ...rest } = each;
    return { groupId, ...rest };
  });
  return { configId, ...fields, options } as SessionConfigOption;
}

/**
 * The configuration options of a session of version 1. Version 2 has no modes: unless the agent has an option of that category, they are an
 * option too, with the id {@link modeOptionId}.
 */
export function optionsInVersion2(
  options: readonly V1Option[] | null | undefined,
  modes: V1Modes | null | undefined,
): SessionConfigOption[] {
  const converted = (options ?? []).map(optionInVersion2);
  if (!modes || converted.some(({ category }) => category === 'mode')) return converted;
  const { currentModeId: currentValue, availableModes } = modes;
  const values = availableModes.map(({ id: value, ...mode }) => ({ value, ...mode }));
  const mode = {
    configId: modeOptionId,
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue,
    options: values,
  };
  return [mode as SessionConfigOption, ...converted];
}

/** The id of the option that stands for the modes of version 1. */
export const modeOptionId = 'mode';

/**
 * A history of version 1 in the form of version 2. A message begins with a whole update, which replaces its content in a client that has it
 * already; a later part of it is a chunk.
 */
export function historyInVersion2(updates: readonly V1Update[]): readonly SessionUpdate[] {
  const history: SessionUpdate[] = [];
  const begun = new Set<string>();
  const messages = new MessageIds();
  for (const update of updates.map((each) => messages.identified(each))) {
    const converted = updateInVersion2(update);
    if (isChunk(update)) addChunk(history, update, begun);
    else if (converted !== undefined && converted.sessionUpdate !== 'notice') history.push(converted);
  }
  return history;
}

/** Adds a chunk to a history. One with `_meta` stays a chunk, because `_meta` belongs to that chunk only. */
function addChunk(history: SessionUpdate[], chunk: MessageChunk, begun: Set<string>): void {
  const { messageId, content, _meta } = chunk;
  const sessionUpdate = chunk.sessionUpdate.replace('_chunk', '') as Whole;
  const last = history.at(-1);
  const key = `${sessionUpdate} ${messageId}`;
  if (!begun.has(key)) {
    begun.add(key);
    history.push({ sessionUpdate, messageId, content: _meta ? [] : [content] } as SessionUpdate);
    if (_meta) history.push(chunk as SessionUpdate);
  } else if (!_meta && last?.sessionUpdate === sessionUpdate && last['messageId'] === messageId) {
    const whole = [...(last['content'] as readonly unknown[]), content];
    history[history.length - 1] = { ...last, content: whole } as SessionUpdate;
  } else history.push(chunk as SessionUpdate);
}

/** Gives an id to messages that have none: chunks of one kind in a row are one message. */
export class MessageIds {
  #last: { readonly kind: string; readonly id: string } | undefined;

  /** The message has ended: a later chunk of its kind begins another one. */
  end(): void {
    this.#last = undefined;
  }

  /** Returns the update with an id, if it is a part of a message. @param newId returns the id of a message that begins with this update */
  identified(update: V1Update, newId: () => string = () => crypto.randomUUID()): V1Update {
    if (!isChunk(update) || typeof update.messageId === 'string') {
      if (isChunk(update) || update.sessionUpdate.startsWith('tool_call')) this.#last = undefined;
      return update;
    }
    const { sessionUpdate: kind } = update;
    if (this.#last?.kind !== kind) this.#last = { kind, id: newId() };
    return { ...update, messageId: this.#last.id };
  }
}

function isChunk(update: V1Update): update is MessageChunk {
  return /^(?:user_message|agent_message|agent_thought)_chunk$/.test(update.sessionUpdate);
}
