// A plugin for typedoc: the reference has every entry of every package that people install, named by its import path.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter } from 'typedoc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The import paths of all entries, with their sources. An export without a source is a program, not a module, and is left out. */
const entries = [
  ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name)),
  join(root, 'conformance'),
]
  .filter((folder) => existsSync(join(folder, 'package.json')))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .flatMap(({ folder, manifest: { name, exports } }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([path, target]) => ({
        name: `${name}${path.slice(1)}`,
        source: join(folder, target['@turnwire/source']),
      })),
  );

const bySource = new Map(entries.map((entry) => [relative(root, entry.source).replace(/(\/index)?\.ts$/, ''), entry]));

export function load(app) {
  // The entry points are set after typedoc has read its settings file.
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    const sources = entries.map(({ source }) => source);
    app.options.setValue('entryPoints', sources);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const entry = bySource.get(module.name);
      if (entry === undefined) throw new Error(`The module ${module.name} is not an entry of a package`);
      module.name = entry.name;
    }
  });
}
