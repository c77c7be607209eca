import type { Conversation, Instruction, Reply, Tool } from './conversation.ts';
import { type Facts, fillSchema } from './fill-schema.ts';

/** The answer of the scripted model, which depends only on the conversation. */
export function scriptedReply({ messages, tools, answerSchema }: Conversation): Reply {
  if (answerSchema) return say(JSON.stringify(fillSchema(answerSchema, noFacts)));
  const start = messages.findLastIndex(({ isUser, text }) => isUser && instructionIn(text) !== undefined);
  const instruction = start < 0 ? undefined : instructionIn(messages[start]?.text ?? '');
  if (!instruction) return say('no instruction');
  if (instruction.verb === 'say') return say(instruction.rest);
  // Requests without tools are for secondary tasks, such as a title for the session.
  if (tools.length === 0) return say(`a turn that is to ${instruction.verb}`);
  const results = messages.slice(start).flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult]));
  const last = results.at(-1);
  if (last !== undefined) return say(`done: ${last.trim().slice(0, 300).replaceAll('\n', ' | ')}`);
  return instruction.verb === 'hang' ? { kind: 'hang' } : callFor(instruction, tools);
}

/** The last line that begins with `script:`; agents add their own text around the user's. */
function instructionIn(text: string): Instruction | undefined {
  const found = [...text.matchAll(/script: (say|write|read|run|hang)\b[ ]?([^\n<"\\]*)/g)].at(-1);
  return found && { verb: found[1] as Instruction['verb'], rest: (found[2] ?? '').trim() };
}

const toolNames = {
  write: [/^(write|write_?file|write_to_file)$/i, /^create(_?file)?$/i, /^(editor|edit_?file)$/i, /^apply_?patch$/i],
  read: [/^(read|read_?files?|view|view_?file)$/i],
  run: [/^(bash|shell|execute|run_shell_command|exec_command|shell_command|run_commands?|execute_command)$/i],
} as const;

/** Leave a sandbox if that is an option, because agents then ask for permission. */
const escalated = 'require_escalated';

const noFacts: Facts = { file: '', text: '', command: '', choices: [escalated] };

function callFor({ verb, rest }: Instruction, tools: readonly Tool[]): Reply {
  const facts = factsOf(verb, rest);
  const patterns = toolNames[verb as keyof typeof toolNames];
  const tool = firstNamed(tools, patterns) ?? firstNamed(tools, toolNames.run);
  if (!tool) return say(`no tool to ${verb} among ${tools.map(({ name }) => name).join(', ')}`);
  if (tool.isFreeform) return { kind: 'call', tool, input: patchFor(facts) };
  const text = /patch/i.test(tool.name) ? patchFor(facts) : facts.text;
  return { kind: 'call', tool, input: fillSchema(tool.schema, { ...facts, text }) };
}

/** `write` and `read` also get an equivalent command, for agents that only have a shell. */
function factsOf(verb: Instruction['verb'], rest: string): Facts {
  if (verb === 'run') return { ...noFacts, command: rest };
  const space = rest.indexOf(' ');
  const file = space < 0 ? rest : rest.slice(0, space);
  const text = space < 0 ? '' : rest.slice(space + 1);
  return verb === 'read'
    ? { file, text, command: `cat '${file}'`, choices: ['view', 'read', escalated] }
    : { file, text, command: `printf %s '${text}' > '${file}'`, choices: ['create', 'write', escalated] };
}

function patchFor({ file, text }: Facts): string {
  return `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\n`;
}

function firstNamed(tools: readonly Tool[], patterns: readonly RegExp[]): Tool | undefined {
  return patterns.map((pattern) => tools.find(({ name }) => pattern.test(name))).find(Boolean);
}

function say(text: string): Reply {
  return { kind: 'text', text };
}
