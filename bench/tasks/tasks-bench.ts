import { approveAll } from '@turnwire/client';
import type { Agent } from '@turnwire/client';
import { launchAgent } from '@turnwire/client/node';
import { median } from '../median.ts';
import { table } from '../table.ts';
import { contender, type ContenderName, contenderNames } from './contenders.ts';
import { ScriptedModel, type TaskCost } from './scripted-model.ts';
import type { Task } from './task.ts';
import { tasks } from './tasks.ts';
import { WorkFolder } from './work-folder.ts';

/** The cost of a task for a contender. */
export interface TaskFigure extends TaskCost {
  readonly task: string;
  readonly kind: Task['kind'];
  readonly contender: ContenderName;
  /** The time from the prompt to the answer. */
  readonly milliseconds: number;
  /** Errors of the result; empty if it is correct. */
  readonly mistakes: readonly string[];
}

/** Runs the tasks with each contender and the same scripted model. Each contender is one process, warmed up with another task. */
export async function measureTasks(names: readonly ContenderName[], isQuick: boolean): Promise<readonly TaskFigure[]> {
  const chosen = isQuick ? tasks.filter((_, index) => index % 8 === 0) : tasks;
  const figures: TaskFigure[] = [];
  const rivals: Rival[] = [];
  try {
    for (const name of names) rivals.push(await start(name));
    for (const rival of rivals) await doTask(tasks[0] as Task, rival);
    for (const task of chosen) {
      for (const rival of rivals)
        figures.push({ task: task.name, kind: task.kind, contender: rival.name, ...(await doTask(task, rival)) });
      process.stderr.write('.');
    }
  } finally {
    for (const rival of rivals) await rival.stop();
  }
  process.stderr.write('\n');
  return figures;
}

/** A running contender, with its own model. */
interface Rival {
  readonly name: ContenderName;
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly stop: () => Promise<void>;
}

async function start(name: ContenderName): Promise<Rival> {
  const model = await ScriptedModel.start();
  const { words, env, remove } = await contender(name, model.url);
  const agent = await launchAgent(words, { env, permission: approveAll });
  const stop = async (): Promise<void> => {
    await agent.close();
    await model[Symbol.asyncDispose]();
    await remove();
  };
  return { name, agent, model, stop };
}

async function doTask(task: Task, { agent, model }: Rival): Promise<Omit<TaskFigure, 'task' | 'kind' | 'contender'>> {
  await using folder = await WorkFolder.make(task);
  const session = await agent.newSession({ cwd: folder.path });
  model.begin(task, folder.path);
  const start = performance.now();
  let answer = '';
  for await (const update of session.prompt(task.prompt))
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') answer += update.content.text;
  const milliseconds = performance.now() - start;
  const { cost } = model;
  await session.close?.();
  return { ...cost, milliseconds, mistakes: await folder.mistakes(answer) };
}

/** The figures as a table in Markdown: sums for each kind of task, and medians of the times. */
export function tasksTable(figures: readonly TaskFigure[]): string {
  const names = contenderNames.filter((name) => figures.some(({ contender: each }) => each === name));
  const kinds = [...new Set(figures.map(({ kind }) => kind)), 'all'];
  const rows = kinds.flatMap((kind) =>
    names.map((name) => {
      const own = figures.filter((each) => each.contender === name && (kind === 'all' || each.kind === kind));
      const sum = (value: (figure: TaskFigure) => number): number =>
        own.reduce((total, each) => total + value(each), 0);
      return [
        kind,
        name,
        `${own.filter(({ mistakes }) => mistakes.length === 0).length} of ${own.length}`,
        sum(({ calls }) => calls),
        sum(({ again }) => again),
        sum(({ requests }) => requests),
        Math.round(sum(({ bytes }) => bytes) / 1000),
        Math.round(median(own.map(({ milliseconds }) => milliseconds))),
      ];
    }),
  );
  const head = ['tasks', 'who', 'right', 'calls', 'again', 'requests', 'KB to the model', 'ms a task'];
  const wrong = figures.filter(({ mistakes }) => mistakes.length > 0);
  const notes = wrong.map(({ task, contender: name, mistakes }) => `- ${task}, ${name}: ${mistakes.join('; ')}`);
  return [table(head, rows), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
