import { z } from 'zod';
import { projectShape, userShape } from './settings-file-shapes.ts';

/** The JSON Schema of `coder.json`: of the user, or of a project. It is made of what reads the file. */
export function settingsSchema(kind: 'user' | 'project'): object {
  const shape = kind === 'user' ? userShape : projectShape;
  const title = kind === 'user' ? 'coder.json of a user of turnwire' : 'coder.json of a project';
  return { ...z.toJSONSchema(z.strictObject(shape).partial(), { io: 'input' }), title };
}
