import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path'

const BESIDE = /new URL\('(?<path>\.[^']+)', import\.meta\.url\)/g

/**
 * Lets code go on to find what it names beside itself: programs of threads are noted in `threads` by name, and files
 * of libraries are copied. What lies in the service's own folder stays there, seen from `dist`.
 */
export function filesBesideCode(serviceFolder, threads) {
  return {
    name: 'files-beside-code',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: /new URL\('\./ },
      handler(code, id) {
        const place = (path) => {
          const target = resolve(dirname(id), path)
          if (path.endsWith('.js')) return addThread(threads, target.replace(/\.js$/, '.ts'))
          if (!existsSync(target)) this.error(`${id} names ${path}, which is not there`)
          if (target.startsWith(serviceFolder + sep)) return relative(join(serviceFolder, 'dist'), target)
          return copy(this, target)
        }
        return {
          code: code.replaceAll(BESIDE, (_, path) => `new URL('${place(path)}', import.meta.url)`),
          map: null,
        }
      },
    },
  }
}

function addThread(threads, path) {
  const name = basename(path, '.ts')
  threads.set(name, path)
  return `./${name}.js`
}

/** A folder is named after its library too: several have one of the same name. */
function copy(build, target) {
  if (!statSync(target).isDirectory()) {
    // The licence of a file goes wherever the file goes.
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
