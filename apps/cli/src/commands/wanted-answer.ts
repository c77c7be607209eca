import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, replaceFile, systemReason } from '@turnwire/machine';
import type { ContentBlock } from '@turnwire/protocol';
import { AnswerSchema } from '../driving/answer-schema.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn } from '../failure.ts';
import { LastMessage } from '../output/last-message.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import { stdout } from '../terminal/output.ts';

/** The options of a script about the last message of a turn. */
export interface AnswerArguments {
  /** The file for it. */
  readonly outputLastMessage?: string | undefined;
  /** The JSON Schema that it must fit: a file, or JSON. */
  readonly outputSchema?: string | undefined;
}

/** Runs a turn to its end, and resolves with the exit code. `end` replaces what is printed at the end of the turn. */
export type RunsTurn = (content: readonly ContentBlock[], end?: () => void) => Promise<number>;

/** The last message of a turn that a script wants in a file, or as JSON of a schema. */
export class WantedAnswer {
  readonly #message = new LastMessage();
  readonly #file: string | undefined;
  readonly #schema: AnswerSchema | undefined;

  /** @throws CommandError, exit code 2, if the schema is not valid or cannot be read */
  constructor({ outputLastMessage, outputSchema }: AnswerArguments) {
    this.#file = outputLastMessage;
    this.#schema = outputSchema === undefined ? undefined : new AnswerSchema(outputSchema);
  }

  /** Checks that the file can be written, before the turn costs anything. */
  async check(): Promise<void> {
    if (this.#file === undefined) return;
    const folder = dirname(resolve(this.#file));
    await access(folder, constants.W_OK).catch((error: unknown) => {
      const code = codeOf(error);
      const reason = code === 'ENOENT' ? 'it does not exist' : systemReason(code);
      throw new CommandError(
        `--output-last-message: nothing can be written to the folder ${folder}: ${reason}`,
        exitCodes.usage,
      );
    });
  }

  /** A screen that is shown the same, while this reads the messages. */
  observed<Screen extends Pick<TurnScreen, 'update'>>(screen: Screen): Screen {
    const update: TurnScreen['update'] = (each) => {
      this.#message.update(each);
      return screen.update(each);
    };
    return { ...screen, update };
  }

  /**
   * Runs a turn, and a second one if the last message of the first does not fit the schema. Resolves with the exit code.
   * @param isQuiet whether only the last message is printed. With a schema it is printed only if it fits
   */
  async turn(
    content: readonly ContentBlock[],
    { run, isQuiet }: { readonly run: RunsTurn; readonly isQuiet: boolean },
  ): Promise<number> {
    const schema = this.#schema;
    if (schema === undefined) {
      const exitCode = await run(content);
      await this.#write(this.#message.text);
      return exitCode;
    }
    const end = isQuiet ? (): void => undefined : undefined;
    let exitCode = await run([...content, schema.request], end);
    let answer = schema.judge(this.#message.text);
    if (exitCode === exitCodes.ok && 'fault' in answer) {
      warn(`the last message ${answer.fault}. The agent is asked for it once more`);
      this.#message.endTurn();
      exitCode = await run([schema.retry(answer.fault)], end);
      answer = schema.judge(this.#message.text);
    }
    if (exitCode !== exitCodes.ok) return exitCode;
    if ('fault' in answer) {
      warn(`the last message ${answer.fault}`);
      return exitCodes.error;
    }
    if (isQuiet) stdout.printJson(answer.json);
    await this.#write(answer.json);
    return exitCode;
  }

  async #write(text: string): Promise<void> {
    if (this.#file === undefined) return;
    try {
      await replaceFile(resolve(this.#file), text === '' ? '' : `${text}\n`, 0o644);
    } catch (error) {
      const reason = systemReason(codeOf(error));
      throw new CommandError(`the last message cannot be written to ${this.#file}: ${reason}`, exitCodes.error);
    }
  }
}
