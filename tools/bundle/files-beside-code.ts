import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path'
import type { Plugin, PluginContext } from 'rolldown'

const FILE_URL = /new URL\('(?<path>\.[^']+)', import\.meta\.url\)/g

/**
 * Keeps `new URL('./name', import.meta.url)` working in bundles: programs of threads are added to `threads` by name, files of
 * libraries are copied into `dist`, and files of the service are referenced from there.
 */
export function filesBesideCode(serviceFolder: string, threads: Map<string, string>): Plugin {
  return {
    name: 'files-beside-code',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: /new URL\('\./ },
      handler(code, id) {
        const toUrlPath = (path: string) => {
          const target = resolve(dirname(id), path)
          if (path.endsWith('.js')) return addThread(threads, target.replace(/\.js$/, '.ts'))
          if (!existsSync(target)) this.error(`${id} refers to ${path}, which does not exist`)
          if (target.startsWith(serviceFolder + sep)) return relative(join(serviceFolder, 'dist'), target)
          return copy(this, target)
        }
        return {
          code: code.replaceAll(
            FILE_URL,
            (_, path: string) => `new URL('${toUrlPath(path)}', import.meta.url)`,
          ),
          map: null,
        }
      },
    },
  }
}

function addThread(threads: Map<string, string>, path: string): string {
  const name = basename(path, '.ts')
  threads.set(name, path)
  return `./${name}.js`
}

/** The name of a copied folder begins with its library's, since several libraries have a folder of the same name. */
function copy(build: PluginContext, target: string): string {
  if (!statSync(target).isDirectory()) {
    // A file's licence is copied with it.
    for (const path of [target, join(dirname(target), `${parse(target).name}.LICENSE`)].filter((each) =>
      existsSync(each),
    ))
      build.emitFile({ type: 'asset', fileName: basename(path), source: readFileSync(path) })
    return `./${basename(target)}`
  }
  const folder = `${basename(dirname(target))}-${basename(target)}`
  for (const name of readdirSync(target))
    build.emitFile({
      type: 'asset',
      fileName: `${folder}/${name}`,
      source: readFileSync(join(target, name)),
    })
  return `./${folder}`
}
