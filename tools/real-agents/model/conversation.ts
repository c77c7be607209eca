/** The parts of JSON schema that tools use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
}

/** A tool that the agent offers its model. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema;
  /** Whether it takes plain text instead of an object. */
  readonly isFreeform?: boolean;
}

/** The instruction of the user: `script: write notes.txt hello` has the verb `write`. */
export interface Instruction {
  readonly verb: 'say' | 'write' | 'read' | 'run' | 'hang';
  readonly rest: string;
}

/** A message of any model format, reduced to what the script needs. */
export interface Message {
  readonly isUser: boolean;
  readonly text: string;
  /** The result of a tool, if the message contains one. */
  readonly toolResult?: string | undefined;
}

/** A request to the model, independent of its format. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** The JSON schema that the answer must match. */
  readonly answerSchema?: Schema | undefined;
}

/** The answer of the model. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: unknown }
  | { readonly kind: 'hang' };
