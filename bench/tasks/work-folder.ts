import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Task } from './task.ts';

/** A folder with the files of a task. */
export class WorkFolder implements AsyncDisposable {
  readonly path: string;
  readonly #task: Task;

  private constructor(path: string, task: Task) {
    this.path = path;
    this.#task = task;
  }

  static async make(task: Task): Promise<WorkFolder> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'task-')));
    const folder = new WorkFolder(path, task);
    for (const [name, text] of Object.entries(task.files)) await folder.write(name, text);
    return folder;
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.path, name)), { recursive: true });
    await writeFile(join(this.path, name), text);
  }

  read(name: string): Promise<string | null> {
    return readFile(join(this.path, name), 'utf8').catch(() => null);
  }

  /** Errors in the result of the task; empty if it is correct. */
  async mistakes(answer: string): Promise<readonly string[]> {
    const { right } = this.#task;
    const mistakes: string[] = [];
    for (const [name, text] of Object.entries(right.files ?? {}))
      if ((await this.read(name)) !== text) mistakes.push(`${name} is not as it should be`);
    if (right.answer !== undefined && !answer.includes(right.answer))
      mistakes.push(`answered ${JSON.stringify(answer)}`);
    if (right.command !== undefined && !this.#succeeds(right.command)) mistakes.push(`${right.command} fails`);
    return mistakes;
  }

  #succeeds(command: string): boolean {
    try {
      execFileSync('sh', ['-c', command], { cwd: this.path, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
