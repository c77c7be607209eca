import { explain } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';
import type { CommandValue } from './completion/completion.ts';
import {
  modeSettings,
  optionSettings,
  optionsOf,
  optionValue,
  optionValues,
  settingNamed,
  type Setting,
  type Settings,
} from './session-choices.ts';

/** Sets the named mode of the agent, or shows all of them. */
export function pickMode(chat: CommandActions, wanted: string): void {
  const settings = modeSettings(chat.controller.conversation.transcript);
  if (settings.choices.length > 0) takeSetting(chat, { title: 'Mode', wanted, settings });
  else chat.note('the agent has no modes');
}

/** Sets the named model, or shows all of them. */
export function pickModel(chat: CommandActions, wanted: string): void {
  const [option] = optionsOf(chat.controller.conversation.transcript, 'model');
  if (option) takeSetting(chat, { title: 'Model', wanted, settings: optionSettings(option) });
  else chat.note('the agent offers no choice of models');
}

/** Applies the typed setting, or shows the choices. */
function takeSetting(
  chat: CommandActions,
  { title, wanted, settings }: { readonly title: string; readonly wanted: string; readonly settings: Settings },
): void {
  if (wanted === '') return void pickSetting(chat, title, settings);
  const setting = settingNamed(wanted, settings);
  if (setting) return setSetting(chat, setting);
  const names = settings.choices.map(({ label }) => label).join(', ');
  chat.note(`there is no ${title.toLowerCase()} ${cleanLine(wanted)}; there are: ${names}`);
}

/** Sets an option to a named value, or shows the options. */
export async function pickOption(chat: CommandActions, wanted: string): Promise<void> {
  const options = optionsOf(chat.controller.conversation.transcript);
  if (options.length === 0) return chat.note('the session has no options');
  if (wanted !== '') return setNamedOption(chat, wanted);
  const choices = options.map((option) => ({
    label: cleanLine(option.name),
    detail: optionValue(option),
    value: option,
  }));
  const option = await chat.choose({ title: 'Options', choices });
  if (option) await pickSetting(chat, cleanLine(option.name), optionSettings(option));
}

/** Sets an option by its id and a value, as in `/config web on`. */
function setNamedOption(chat: CommandActions, wanted: string): void {
  const settings = optionValues(chat.controller.conversation.transcript);
  const folded = wanted.toLowerCase();
  const found = settings.find(({ choice, id }) => choice.label.toLowerCase() === folded || id.toLowerCase() === folded);
  if (found) return setSetting(chat, found.choice.value);
  chat.note(`there is no option with such a value: ${cleanLine(wanted)}; /config lists them`);
}

/** A choice as a value that completion offers. */
export function valueOf({
  label,
  detail = '',
}: {
  readonly label: string;
  readonly detail?: string | undefined;
}): CommandValue {
  return { name: label, description: detail };
}

async function pickSetting(chat: CommandActions, title: string, { choices, current }: Settings): Promise<void> {
  if (choices.length === 0) return chat.note('there is nothing to choose');
  const setting = await chat.choose({ title, choices, current });
  if (setting) setSetting(chat, setting);
}

/** Sets a mode or an option, and shows an error. */
export function setSetting(chat: CommandActions, setting: Setting): void {
  const { conversation } = chat.controller;
  const done =
    setting.type === 'mode'
      ? conversation.setMode(setting.modeId)
      : conversation.setConfigOption(setting.configId, setting.value);
  done.catch((error: unknown) => chat.note(explain(error, conversation.agent)));
}
