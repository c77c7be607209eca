/** As much of a JSON schema as tools declare. */
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

/** A tool the agent offers its model. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema;
  /** Takes plain text instead of an object. */
  readonly isFreeform?: boolean;
}

/** What the user asked for: `script: write notes.txt hello` has the verb `write`. */
export interface Instruction {
  readonly verb: 'say' | 'write' | 'read' | 'run' | 'hang';
  readonly rest: string;
}

/** One message of any model format, reduced to what the script looks at. */
export interface Message {
  readonly isUser: boolean;
  readonly text: string;
  /** What a tool answered, if the message carries that. */
  readonly toolResult?: string | undefined;
}

/** A request for the model, in no format. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** The answer has to be JSON of this schema. */
  readonly answerSchema?: Schema | undefined;
}

/** What the model answers. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: unknown }
  | { readonly kind: 'hang' };
