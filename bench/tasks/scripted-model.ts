import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LoopbackServer } from '../../tools/real-agents/loopback-server.ts';
import { sent } from '../../tools/real-agents/model/format.ts';
import type { Task, Action } from './task.ts';
import { callsFor, type Tool, type ToolCall, withShell } from './tool-calls.ts';

/** The cost of a task so far. */
export interface TaskCost {
  readonly requests: number;
  readonly calls: number;
  /** The size of the bodies of all requests, which determines the price. */
  readonly bytes: number;
  /** Actions that failed at first and were repeated. */
  readonly again: number;
}

/** The parts of a request that the model reads. */
interface ChatRequest {
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: Tool['schema'] } }[];
}

/** An action that the agent was asked for, with the ids of its calls. */
interface Pending {
  readonly action: Action;
  readonly ids: readonly string[];
}

/** The progress of one task. */
interface Run {
  readonly task: Task;
  readonly folder: string;
  step: number;
  pending: readonly Pending[];
  /** The answers of tools. */
  said: string;
  isSecondTry: boolean;
  /** Edits to repeat after their files were read. */
  repeated: readonly Action[];
  cost: TaskCost;
}

/**
 * A local model in OpenAI's format that does tasks by their scripts, with the tools of any agent. It checks whether each action succeeded,
 * as a model reads the answers of tools; if not, it reads the file and edits again, or uses the shell.
 */
export class ScriptedModel extends LoopbackServer {
  #run: Run | undefined;
  #calls = 0;

  static start(): Promise<ScriptedModel> {
    return new ScriptedModel().listening();
  }

  /** Sets the task of the next requests. */
  begin(task: Task, folder: string): void {
    const cost = { requests: 0, calls: 0, bytes: 0, again: 0 };
    this.#run = { task, folder, step: -1, pending: [], said: '', isSecondTry: false, repeated: [], cost };
  }

  get cost(): TaskCost {
    return this.#run?.cost ?? { requests: 0, calls: 0, bytes: 0, again: 0 };
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const run = this.#run;
    if (!request.url?.endsWith('/chat/completions') || !run) {
      const models = { object: 'list', data: [{ id: 'scripted', object: 'model' }] };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(models));
    }
    run.cost = { ...run.cost, requests: run.cost.requests + 1, bytes: run.cost.bytes + Buffer.byteLength(body) };
    const asked = JSON.parse(body) as ChatRequest & { readonly stream?: boolean };
    // A request without tools is for a side task, such as a title.
    const reply = asked.tools?.length ? this.#next(run, asked) : 'A small task';
    if (asked.stream) return stream(response, reply);
    const message = typeof reply === 'string' ? { content: reply } : { content: null, tool_calls: reply };
    const whole = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, message }],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  }

  /** The calls of the next step, or of failed actions; at the end the answer. */
  #next(run: Run, { messages, tools = [] }: ChatRequest): readonly ToolCall[] | string {
    const results = new Map(messages.map((each) => [each.tool_call_id, textIn(each.content)]));
    const answers = run.pending.map(({ action, ids }) => ({
      action,
      said: ids.map((id) => results.get(id) ?? '').join('\n'),
    }));
    run.said += answers.map(({ said }) => said).join('\n');
    const failed = answers.filter(({ action, said }) => !isFulfilled(action, said, run)).map(({ action }) => action);
    const known = tools.map((each): Tool => ({ name: each.function.name, schema: each.function.parameters ?? {} }));
    if (failed.length > 0 && !run.isSecondTry) {
      run.isSecondTry = true;
      run.cost = { ...run.cost, again: run.cost.again + failed.length };
      run.repeated = failed.filter((action) => action.do === 'edit' || action.do === 'write');
      return this.#put(run, failed.map(secondTry), known);
    }
    const { repeated } = run;
    run.repeated = [];
    if (repeated.length > 0) return this.#put(run, repeated, known);
    run.isSecondTry = false;
    const step = run.task.steps[++run.step];
    return step ? this.#put(run, step, known) : answerOf(run);
  }

  #put(run: Run, actions: readonly Action[], tools: readonly Tool[]): readonly ToolCall[] {
    const put = actions.map((action) => {
      const calls = callsFor(action, tools, run.folder).map(({ name, input }): ToolCall => {
        const id = `call_${++this.#calls}`;
        return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      });
      return { action, calls };
    });
    run.pending = put.map(({ action, calls }) => ({ action, ids: calls.map(({ id }) => id) }));
    const calls = put.flatMap((each) => each.calls);
    run.cost = { ...run.cost, calls: run.cost.calls + calls.length };
    return calls;
  }
}

/** Repeats failed actions: reads the file before a failed edit, and uses the shell for other actions. */
function secondTry(action: Action): Action {
  return action.do === 'edit' || action.do === 'write' ? { do: 'read', path: action.path } : withShell(action);
}

/** Whether an action succeeded, according to the disk or to the answer of the tool. */
function isFulfilled(action: Action, said: string, { task, folder }: Run): boolean {
  const disk = (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  switch (action.do) {
    case 'edit':
      return action.edits.every(
        (edit) =>
          disk(action.path)?.includes(edit.new) &&
          (edit.new.includes(edit.old) || !disk(action.path)?.includes(edit.old)),
      );
    case 'write':
      return disk(action.path) === action.text;
    case 'move':
      return disk(action.path) === undefined && disk(action.to) !== undefined;
    case 'delete':
      return disk(action.path) === undefined;
    case 'read':
      return said.includes(firstLineOf(disk(action.path) ?? ''));
    case 'search':
      return Object.entries(task.files).some(
        ([path, content]) => content.includes(action.text) && said.includes(basename(path)),
      );
    case 'list':
      return Object.keys(task.files).some((path) => said.includes(basename(path)));
    case 'run':
      return true;
  }
}

function firstLineOf(content: string): string {
  return content.split(/\r?\n/, 1)[0] ?? '';
}

function answerOf({ task, said }: Run): string {
  if (!task.answer) return 'Done.';
  const found = task.answer.exec(said);
  return found ? (found[1] ?? found[0]) : 'not found';
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { readonly text?: string }) => part.text ?? '').join('\n') : '';
}

function stream(response: ServerResponse, reply: readonly ToolCall[] | string): void {
  const chunk = (delta: object, finish: string | null = null): string =>
    sent({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const delta =
    typeof reply === 'string' ? { content: reply } : { tool_calls: reply.map((call, index) => ({ index, ...call })) };
  response.write(chunk({ role: 'assistant', content: '', ...delta }));
  response.write(chunk({}, typeof reply === 'string' ? 'stop' : 'tool_calls'));
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  response.write(sent({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage }));
  response.end(sent('[DONE]'));
}
