import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, replaceFile, systemReason } from '@turnwire/machine';
import type { ContentBlock } from '@turnwire/protocol';
import { AnswerSchema } from '../driving/answer-schema.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn } from '../failure.ts';
import { LastMessage } from '../output/last-message.ts';

/** What a script wants of the last message of a turn. */
export interface AnswerArguments {
  /** The file for it. */
  readonly outputLastMessage?: string | undefined;
  /** The JSON Schema that it must fit: a file, or JSON. */
  readonly outputSchema?: string | undefined;
}

/** The last message of a turn that a script wants in a file, or as JSON of a schema. */
export class WantedAnswer {
  /** Receives the updates of the session. */
  readonly message: LastMessage = new LastMessage();
  readonly #file: string | undefined;
  readonly #schema: AnswerSchema | undefined;

  /** @throws CommandError, exit code 2, if the schema is not valid or cannot be read */
  constructor({ outputLastMessage, outputSchema }: AnswerArguments) {
    this.#file = outputLastMessage;
    this.#schema = outputSchema === undefined ? undefined : new AnswerSchema(outputSchema);
  }

  get hasSchema(): boolean {
    return this.#schema !== undefined;
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

  /**
   * Runs a turn, and a second one if the last message of the first does not fit the schema. Resolves with the exit code.
   * @param run runs a turn to its end, and resolves with the exit code
   * @param print prints JSON that fits the schema
   */
  async turn(
    content: readonly ContentBlock[],
    {
      run,
      print,
    }: { readonly run: (content: readonly ContentBlock[]) => Promise<number>; readonly print: (json: string) => void },
  ): Promise<number> {
    const schema = this.#schema;
    if (schema === undefined) {
      const exitCode = await run(content);
      await this.#write(this.message.text);
      return exitCode;
    }
    let exitCode = await run([...content, schema.request]);
    let answer = schema.judge(this.message.text);
    if (exitCode === exitCodes.ok && 'fault' in answer) {
      warn(`the last message ${answer.fault}. The agent is asked for it once more`);
      this.message.endTurn();
      exitCode = await run([schema.retry(answer.fault)]);
      answer = schema.judge(this.message.text);
    }
    if (exitCode !== exitCodes.ok) return exitCode;
    if ('fault' in answer) {
      warn(`the last message ${answer.fault}`);
      return exitCodes.error;
    }
    print(answer.json);
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
