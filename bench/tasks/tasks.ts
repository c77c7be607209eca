import { edits } from './edits.ts';
import { finds } from './finds.ts';
import { fixes } from './fixes.ts';
import { refactorings } from './refactorings.ts';
import { severalFiles } from './several-files.ts';
import type { Task } from './task.ts';

/** All tasks: eight of each kind. */
export const tasks: readonly Task[] = [...edits, ...refactorings, ...finds, ...fixes, ...severalFiles];
