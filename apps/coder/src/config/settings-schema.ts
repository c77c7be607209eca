/** The JSON Schema of `coder.json`: of the user, or of a project. It is generated from the schemas that check the file. */
export async function settingsSchema(kind: 'user' | 'project'): Promise<object> {
  // Imported on demand: the agent needs neither until it reads a file.
  const [{ z }, { projectShape, userShape }] = await Promise.all([import('zod'), import('./settings-file-shapes.ts')]);
  const shape = kind === 'user' ? userShape : projectShape;
  const title = kind === 'user' ? 'coder.json of a user of turnwire' : 'coder.json of a project';
  return { ...z.toJSONSchema(z.strictObject(shape).partial(), { io: 'input' }), title };
}
