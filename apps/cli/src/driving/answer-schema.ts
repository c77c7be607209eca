import type { ErrorObject, ValidateFunction } from 'ajv';
// oxlint-disable-next-line no-restricted-imports -- the documented entry for this draft
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ContentBlock } from '@turnwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { jsonOf } from '../read-json-option.ts';

/** The JSON text of an answer that fits the schema, or the fault of one that does not. */
export type JudgedAnswer = { readonly json: string } | { readonly fault: string };

/** A JSON Schema that the last message of a turn must fit. Its `format` keywords are not checked. */
export class AnswerSchema {
  readonly #schema: unknown;
  readonly #validate: ValidateFunction;

  /**
   * @param given a file, or the schema itself: draft 2020-12, or an older one that means the same in it
   * @throws CommandError, exit code 2, if it is not a valid schema
   */
  constructor(given: string) {
    const schema = jsonOf('--output-schema', given);
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      throw new CommandError('--output-schema: a JSON Schema must be an object', exitCodes.usage);
    const { $schema: _, ...rules } = schema as { readonly $schema?: unknown };
    this.#schema = schema;
    try {
      const checker = new Ajv2020({ strict: false, validateFormats: false, logger: false, allErrors: true });
      this.#validate = checker.compile(rules);
    } catch (error) {
      throw new CommandError(
        `--output-schema is not a valid JSON Schema: ${(error as Error).message}`,
        exitCodes.usage,
      );
    }
  }

  /** The request for an answer of this form. It follows the prompt. */
  get request(): ContentBlock {
    const text = `Your last message must be JSON only, without any other text. It must fit this JSON Schema:\n${JSON.stringify(this.#schema)}`;
    return { type: 'text', text };
  }

  /** Asks for another answer. */
  retry(fault: string): ContentBlock {
    return {
      type: 'text',
      text: `Your last message ${fault}. Send it again, corrected: JSON only, without any other text.`,
    };
  }

  judge(message: string): JudgedAnswer {
    const json = withoutFence(message);
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch (error) {
      return { fault: message === '' ? 'is empty' : `is not JSON (${(error as Error).message})` };
    }
    if (this.#validate(value)) return { json };
    return {
      fault: `does not fit the JSON Schema: ${(this.#validate.errors ?? []).slice(0, 5).map(faultText).join('; ')}`,
    };
  }
}

/** Models often put JSON in a block of code, although they were asked not to. */
function withoutFence(message: string): string {
  const [, fenced] = /^```\w*\n(.*)\n```$/su.exec(message.trim()) ?? [];
  return (fenced ?? message).trim();
}

function faultText({ instancePath, message = 'is invalid', params }: ErrorObject): string {
  const { additionalProperty } = params as { readonly additionalProperty?: string };
  const place = instancePath === '' ? 'the value' : instancePath;
  return `${place} ${message}${additionalProperty === undefined ? '' : ` (${additionalProperty})`}`;
}
