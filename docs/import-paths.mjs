// Part of typedoc: the reference has every entry of every package that people install, each under the name it is imported by.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter } from 'typedoc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The entries: how they are imported, and their sources. What is no module but a program that others start has a place and no source. */
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

const bySource = new Map(entries.map((entry) => [relative(root, dirname(entry.source)), entry]));

export function load(app) {
  // Not earlier: then the settings file has been read.
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    const sources = entries.map(({ source }) => source);
    app.options.setValue('entryPoints', sources);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const entry = bySource.get(module.name);
      if (entry === undefined) throw new Error(`the module ${module.name} is no entry of a package`);
      module.name = entry.name;
    }
  });
}
