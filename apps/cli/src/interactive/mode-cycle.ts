import { setSetting } from './pick-setting.ts';
import type { ChatActions } from './chat-actions.ts';
import { isUnguarded, modeSettings, type Setting } from './session-choices.ts';

/** Cycles through the modes of the agent. A mode that acts without asking must be confirmed once. After "no" it is skipped; after Esc it is asked again. */
export class ModeCycle {
  readonly #chat: ChatActions;
  readonly #confirmed = new Set<string>();
  readonly #skipped = new Set<string>();

  constructor(chat: ChatActions) {
    this.#chat = chat;
  }

  next(): void {
    const { choices, current } = modeSettings(this.#chat.controller.conversation.transcript);
    if (choices.length === 0) return this.#chat.note('the agent has no modes');
    const index = choices.findIndex(({ value }) => value === current);
    const following = [...choices.slice(index + 1), ...choices.slice(0, Math.max(0, index))];
    const next = following.find(({ label }) => !this.#skipped.has(label));
    if (!next) return;
    if (isUnguarded(next.label, next.detail) && !this.#confirmed.has(next.label)) void this.#confirm(next);
    else setSetting(this.#chat, next.value);
  }

  async #confirm({ label, detail, value }: ReturnType<typeof modeSettings>['choices'][number]): Promise<void> {
    const question = `Switch to mode "${label}"? Its description: ${detail || label}`;
    const isYes = await this.#chat.confirm(question, {
      yes: `Switch to ${label}`,
      no: 'No, and skip it when I press Shift-Tab',
    });
    if (isYes === undefined) return;
    (isYes ? this.#confirmed : this.#skipped).add(label);
    if (isYes) setSetting(this.#chat, value satisfies Setting);
  }
}
