import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './run.mjs';

/** How many of the slowest files are printed. */
const listed = 10;

/** Ends a run with its slowest files, if it had many, and one plain line for programs that read the log. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string): number => states.filter((each) => each === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandled.length;
    if (modules.length > listed) process.stdout.write(`\nSlowest files:\n${slowest(modules)}\n`);
    const skipped = count('skipped');
    if (skipped > 0)
      process.stdout.write(`\n${skipped} skipped: this machine lacks what they need (their names say what)\n`);
    process.stdout.write(`\n${count('passed')} passed, ${count('failed') + broken} failed\n`);
  }
}

function slowest(modules: readonly TestModule[]): string {
  const times = modules.map((module) => {
    const { collectDuration, duration } = module.diagnostic();
    return { file: relative(root, module.moduleId), seconds: (collectDuration + duration) / 1000 };
  });
  return times
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, listed)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    .join('\n');
}
