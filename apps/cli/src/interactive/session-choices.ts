import type { TranscriptView } from '@turnwire/client/transcript';
import type { SessionConfigOption } from '@turnwire/protocol';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Choice } from '../questions/choice.ts';

/** A setting of a session: one of its modes, or a value of one of its options. */
export type Setting =
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'option'; readonly configId: string; readonly value: string | boolean };

/** The choices, and the current one. */
export interface Settings {
  readonly choices: readonly Choice<Setting>[];
  readonly current: Setting | undefined;
}

/** The options of a session, optionally of one category. */
export function optionsOf({ configOptions }: TranscriptView, category?: string): readonly SessionConfigOption[] {
  return category === undefined ? configOptions : configOptions.filter((option) => option.category === category);
}

/** The available modes: the values of a mode option if there is one, otherwise the session's modes. */
export function modeSettings(transcript: TranscriptView): Settings {
  const [option] = optionsOf(transcript, 'mode');
  if (option) return optionSettings(option);
  const choices = transcript.modes.map(({ id, name, description }) => ({
    label: cleanLine(name),
    detail: cleanLine(description ?? ''),
    value: { type: 'mode', modeId: id } as const,
  }));
  return { choices, current: choices.find(({ value }) => value.modeId === transcript.currentModeId)?.value };
}

/** The values of an option. */
export function optionSettings(option: SessionConfigOption): Settings {
  const choices = valuesOf(option).map(({ name, description, value }) => ({
    label: cleanLine(name),
    detail: cleanLine(description ?? ''),
    value: { type: 'option', configId: option.id, value } as const,
  }));
  return { choices, current: choices.find(({ value }) => value.value === option.currentValue)?.value };
}

/** All values of all options, with labels such as `web on`. `id` is the same with the ids of option and value. */
export function optionValues(
  transcript: TranscriptView,
): readonly { readonly id: string; readonly choice: Choice<Setting> }[] {
  return optionsOf(transcript).flatMap((option) =>
    optionSettings(option).choices.map(({ label, detail, value }) => ({
      id: `${option.id} ${value.type === 'option' ? String(value.value) : ''}`,
      choice: { label: `${cleanLine(option.id)} ${label}`, detail, value },
    })),
  );
}

/** The setting with a typed name or id, ignoring case. */
export function settingNamed(wanted: string, { choices }: Settings): Setting | undefined {
  const folded = wanted.toLowerCase();
  const isWanted = ({ label, value }: Choice<Setting>): boolean => {
    const id = value.type === 'mode' ? value.modeId : String(value.value);
    return label.toLowerCase() === folded || id.toLowerCase() === folded;
  };
  return choices.find(isWanted)?.value;
}

/** The display text of an option's value. */
export function optionValue(option: SessionConfigOption): string {
  const found = valuesOf(option).find(({ value }) => value === option.currentValue);
  return cleanLine(found?.name ?? String(option.currentValue));
}

/** The name of the current mode, if any. */
export function modeOf(transcript: TranscriptView): string | undefined {
  const [option] = optionsOf(transcript, 'mode');
  if (option) return optionValue(option);
  return transcript.modes.find(({ id }) => id === transcript.currentModeId)?.name;
}

/** Whether the agent acts without asking in its current mode. */
export function isUnguardedMode(transcript: TranscriptView): boolean {
  const { choices, current } = modeSettings(transcript);
  const mode = choices.find(({ value }) => value === current);
  return mode !== undefined && isUnguarded(mode.label, mode.detail);
}

/** The name of the current model, if the session reports it. */
export function modelOf(transcript: TranscriptView): string | undefined {
  const [option] = optionsOf(transcript, 'model');
  return option && optionValue(option);
}

interface Value {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly value: string | boolean;
}

function valuesOf(option: SessionConfigOption): readonly Value[] {
  if (option.type === 'boolean')
    return [
      { name: 'on', value: true },
      { name: 'off', value: false },
    ];
  return option.options.flatMap((each) =>
    'group' in each ? each.options.map((one) => ({ ...one, name: `${each.name}: ${one.name}` })) : [each],
  );
}

/** Whether the agent acts without asking in a mode. Its name and description are the only source of this information. */
export function isUnguarded(label: string, detail: string = ''): boolean {
  return /\b(?:without (?:asking|approval|confirmation|permission)|never asks?|bypass\w*|yolo|danger\w*|full[- ]access|auto[- ]?(?:approve|accept)\w*)\b/i.test(
    `${label} ${detail}`,
  );
}
